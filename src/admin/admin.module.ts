import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { TransactionsModule } from '../database/transactions.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { ModelPolicyModule } from '../model-policy/model-policy.module.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { CachePurge } from './cache/cache-purge.service.js';
import { CacheController } from './cache/cache.controller.js';
import { ModelAllowlistController } from './model-allowlist/model-allowlist.controller.js';
import { AdminModelsController } from './models/models.controller.js';

/**
 * The edge /admin: reads calls, hands them to the module whose matter it is, shows what came of it. Apart, so that no
 * rule about keys hides in a controller. What is wrong with a call is told as 400 `validation_error`, before anything
 * has changed.
 */
@Module({
  imports: [AuditModule, KeysModule, ModelPolicyModule, TransactionsModule],
  controllers: [ApiKeysController, ModelAllowlistController, AdminModelsController, CacheController],
  providers: [CachePurge],
})
export class AdminModule {}
