import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { ChangesModule } from '../../platform/changes/changes.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../audit/events/events.module.js';
import { LimitAlerts } from './limit-alerts.read-model.js';
import { LimitFiguresReads } from './limit-figures.read-model.js';
import { LimitForecasts } from './limit-forecasts.service.js';
import { LimitList } from './limit-list.read-model.js';
import { LimitMetrics } from './limit-metrics.service.js';
import { LimitSet } from './limit-set.service.js';
import { LimitSimulations } from './limit-simulations.service.js';
import { LimitsService } from './limits.service.js';
import { LimitSetStore } from './stores/limit-set.store.js';
import { LimitStore } from './stores/limit.store.js';
import { LimitUsage } from './stores/limit-usage.store.js';
import { TopUpStore } from './stores/top-up.store.js';
import { TopUps } from './top-ups.service.js';
import { ZoneCheck } from './zone-check.service.js';

/**
 * Limits for the account, teams, keys and tags: their definitions and figures. `quota` counts requests against them. The module is
 * separate, because `quota` decides by IDs and amounts only. While the database is unavailable, the set that was read last stays in use,
 * and changes fail with 503 `service_unavailable`.
 */
@Module({
  imports: [AuditModule, ChangesModule, DatabaseModule, EventsModule],
  providers: [
    LimitStore,
    LimitSetStore,
    TopUpStore,
    LimitUsage,
    LimitSet,
    LimitsService,
    TopUps,
    LimitSimulations,
    LimitForecasts,
    LimitMetrics,
    ZoneCheck,
    LimitFiguresReads,
    LimitList,
    LimitAlerts,
  ],
  exports: [LimitSet, LimitsService, TopUps, LimitSimulations, LimitMetrics, LimitFiguresReads, LimitList, LimitAlerts],
})
export class LimitsModule {}
