import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../platform/changes/changes.module.js';
import { EventsModule } from '../audit/events/events.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { LostChangesModule } from '../audit/lost-changes/lost-changes.module.js';
import { TeamsModule } from './teams/teams.module.js';
import { BulkTransitions } from './bulk-transitions.service.js';
import { KeyCache } from './key-cache.js';
import { KeyChangeRecorder } from './key-change-recorder.js';
import { KeyQuotaService } from './key-quota.service.js';
import { LostKeyChanges } from './lost-key-changes.js';
import { KeysService } from './keys.service.js';
import { ApiKeyStore, KeyReads } from './stores/api-key.store.js';

/**
 * API keys. The module is separate because every /v1 request starts with a key lookup. While the database is unavailable,
 * cached keys are still found, and other keys return 503 `service_unavailable`, never 401.
 */
@Module({
  imports: [AuditModule, ChangesModule, EventsModule, LostChangesModule, QuotaModule, TeamsModule],
  providers: [
    ApiKeyStore,
    BulkTransitions,
    KeyCache,
    KeyChangeRecorder,
    KeyQuotaService,
    KeyReads,
    KeysService,
    LostKeyChanges,
  ],
  exports: [BulkTransitions, KeyCache, KeyQuotaService, KeysService],
})
export class KeysModule {}
