import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { TransactionsModule } from '../database/transactions.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { ModelPolicyModule } from '../model-policy/model-policy.module.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { BulkKeysController } from './api-keys/bulk-keys.controller.js';
import { KeyQuotaController } from './api-keys/key-quota.controller.js';
import { CachePurge } from './cache/cache-purge.service.js';
import { CacheController } from './cache/cache.controller.js';
import { ModelAllowlistController } from './model-allowlist/model-allowlist.controller.js';
import { AdminStatsModule } from './stats/admin-stats.module.js';
import { AdminLogsModule } from './logs/admin-logs.module.js';
import { AdminUsageModule } from './usage/admin-usage.module.js';
import { AdminAuditModule } from './audit/admin-audit.module.js';
import { AdminOperatorsModule } from './operators/admin-operators.module.js';
import { AdminSessionsModule } from './sessions/admin-sessions.module.js';
import { AdminJobsModule } from './jobs/admin-jobs.module.js';
import { AdminNotificationsModule } from './notifications/admin-notifications.module.js';
import { AdminWebhooksModule } from './webhooks/admin-webhooks.module.js';
import { AdminModelsController } from './models/models.controller.js';
import { OperatorReadLimitModule } from '../fairness/operator-read-limit.guard.js';

/**
 * The edge /admin: reads calls, hands them to the module whose matter it is, shows what came of it. Apart, so that no
 * rule about keys hides in a controller. What is wrong with a call is told as 400 `validation_error`, before anything
 * has changed.
 */
@Module({
  imports: [
    ...[AuditModule, KeysModule, ModelPolicyModule, TransactionsModule, OperatorReadLimitModule],
    ...[
      AdminStatsModule,
      AdminLogsModule,
      AdminUsageModule,
      AdminAuditModule,
      AdminOperatorsModule,
      AdminSessionsModule,
      AdminJobsModule,
      AdminNotificationsModule,
      AdminWebhooksModule,
    ],
  ],
  controllers: [
    ...[ApiKeysController, BulkKeysController, KeyQuotaController],
    ...[ModelAllowlistController, AdminModelsController, CacheController],
  ],
  providers: [CachePurge],
})
export class AdminModule {}
