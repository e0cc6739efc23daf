import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CostReportsModule } from '../costs/report/cost-reports.module.js';
import { CostsModule } from '../costs/costs.module.js';
import { EventsModule } from '../audit/events/events.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { LostChangesAdminModule } from './lost-changes/lost-changes-admin.module.js';
import { LostChangesController } from './lost-changes/lost-changes.controller.js';
import { LimitsModule } from '../quota/limits/limits.module.js';
import { ModelPolicyModule } from '../model-policy/model-policy.module.js';
import { OperatorsModule } from '../auth/operators/operators.module.js';
import { RoutingModule } from '../upstream/routing/routing.module.js';
import { SchedulerModule } from '../scheduler/scheduler.module.js';
import { StatsModule } from '../stats/stats.module.js';
import { StatsReportsModule } from '../stats/stats-reports.module.js';
import { TeamsModule } from '../keys/teams/teams.module.js';
import { ApiKeysController, BulkKeysController, KeyQuotaController } from './api-keys/api-keys.controller.js';
import { AuditLogsController, KeyAuditController } from './audit/audit-logs.controller.js';
import { CachePurge } from './cache/cache-purge.service.js';
import { CacheController } from './cache/cache.controller.js';
import { CostReads } from './costs/cost-reads.service.js';
import { CostsController } from './costs/costs.controller.js';
import { JobsController } from './jobs/jobs.controller.js';
import { LimitHistoryController, LimitsController } from './limits/limits.controller.js';
import { AdminLimits } from './limits/admin-limits.service.js';
import { RequestLogsController } from './logs/request-logs.controller.js';
import { ModelAllowlistController } from './model-allowlist/model-allowlist.controller.js';
import { AdminModelsController } from './models/models.controller.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { PricesController, PublishedPricesController } from './prices/prices.controller.js';
import { AdminPrices } from './prices/admin-prices.service.js';
import { OperatorsController } from './operators/operators.controller.js';
import { OperatorReadLimit } from './operator-read-limit.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { RequestErrorsController } from './request-errors/request-errors.controller.js';
import { RequestReads } from './requests/request-reads.service.js';
import { RequestsController } from './requests/requests.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { EndpointStatsController, KeyStatsController, ModelStatsController } from './stats/statistics.controller.js';
import { TeamsController } from './teams/teams.controller.js';
import { UnstoredRecordsController } from './unstored-records/unstored-records.controller.js';
import { UpstreamsController } from './upstreams/upstreams.controller.js';
import { AdminUpstreams } from './upstreams/upstreams.service.js';
import { KeyUsageHistoryController, UsageController } from './usage/usage.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

/**
 * The edge /admin. It validates input, calls the module that owns the resource, and formats the result. The module is separate
 * so that controllers contain no rules about keys, models or operators. Invalid input returns 400 `validation_error`.
 */
@Module({
  imports: [
    AuditModule,
    CostsModule,
    EventsModule,
    KeysModule,
    ModelPolicyModule,
    OperatorsModule,
    SchedulerModule,
    CostReportsModule,
    LimitsModule,
    LostChangesAdminModule,
    RoutingModule,
    StatsModule,
    StatsReportsModule,
    TeamsModule,
  ],
  controllers: [
    ApiKeysController,
    BulkKeysController,
    KeyQuotaController,
    TeamsController,
    LimitsController,
    LimitHistoryController,
    LostChangesController,
    ModelAllowlistController,
    AdminModelsController,
    UpstreamsController,
    CacheController,
    PricesController,
    PublishedPricesController,
    CostsController,
    ReconciliationController,
    EndpointStatsController,
    KeyStatsController,
    ModelStatsController,
    RequestsController,
    RequestErrorsController,
    RequestLogsController,
    UnstoredRecordsController,
    UsageController,
    KeyUsageHistoryController,
    AuditLogsController,
    KeyAuditController,
    OperatorsController,
    SessionsController,
    JobsController,
    NotificationsController,
    WebhooksController,
  ],
  providers: [AdminLimits, AdminPrices, AdminUpstreams, CachePurge, CostReads, OperatorReadLimit, RequestReads],
})
export class AdminModule {}
