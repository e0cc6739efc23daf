import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { RollupJob } from './aggregates/rollup-job.service.js';
import { StatisticsReadModel } from './aggregates/statistics.read-model.js';
import { RollupStore } from './aggregates/stores/rollup.store.js';
import { RequestLogs } from './reports/request-logs.read-model.js';
import { UsageDayStore } from './reports/stores/usage-day.store.js';
import { UsageDays } from './reports/usage-days.service.js';
import { KeyUsage, Usage } from './reports/usage.read-model.js';

/**
 * Reads request logs, usage and statistics for admins (D15, D17). A separate module, because readers must not delay the recording
 * of requests. Every read is one snapshot of the database and is bounded: lists by their page and a count to 100,000, usage by its
 * retention. Rollups of closed hours and sums of closed days make reads faster. While they are behind or fail, reads use the rows:
 * slower, with the same result. If the database does not respond in time, only the read fails.
 */
@Module({
  imports: [DatabaseModule],
  providers: [RequestLogs, Usage, KeyUsage, UsageDays, UsageDayStore, StatisticsReadModel, RollupJob, RollupStore],
  exports: [RequestLogs, Usage, KeyUsage, StatisticsReadModel],
})
export class StatsReportsModule {}
