import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { EventsModule } from '../events/events.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { BulkTransitions } from './bulk-transitions.service.js';
import { KeyCache } from './key-cache.js';
import { KeyChangeRecorder } from './key-change-recorder.js';
import { KeyQuotaService } from './key-quota.service.js';
import { KeysService } from './keys.service.js';
import { ApiKeyStore, KeyReads } from './stores/api-key.store.js';

/**
 * API keys: their form, their states, what admins do with them, and the copy of them that each process keeps. Apart,
 * because every request begins here. While the database is away known keys are still found, others are 503
 * `service_unavailable`, never 401. `KeyStateGuard` belongs to the pipeline, which confirms its refusals.
 */
@Module({
  imports: [AuditModule, ChangesModule, EventsModule, QuotaModule],
  providers: [ApiKeyStore, BulkTransitions, KeyCache, KeyChangeRecorder, KeyQuotaService, KeyReads, KeysService],
  exports: [BulkTransitions, KeyCache, KeyQuotaService, KeysService],
})
export class KeysModule {}
