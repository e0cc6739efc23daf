import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { KeyCache } from './key-cache.js';
import { KeysService } from './keys.service.js';
import { ApiKeyStore } from './stores/api-key.store.js';

/**
 * API keys: their form, their states, what admins do with them, and the copy of them that each process keeps. Apart,
 * because every request begins here. While the database is away known keys are still found, others are 503
 * `service_unavailable`, never 401. `KeyStateGuard` belongs to the pipeline, which confirms its refusals.
 */
@Module({
  imports: [AuditModule, ChangesModule],
  providers: [ApiKeyStore, KeyCache, KeysService],
  exports: [KeyCache, KeysService],
})
export class KeysModule {}
