import { Module } from '@nestjs/common';
import { DatabaseModule } from '../platform/database/database.module.js';
import { RollupJob } from './aggregates/rollup-job.service.js';
import { StatisticsReadModel } from './aggregates/statistics.read-model.js';
import { RollupStore } from './aggregates/stores/rollup.store.js';
import { RequestErrorReports } from './reports/request-errors.read-model.js';
import { RequestList } from './reports/request-list.read-model.js';
import { RequestLogs } from './reports/request-logs.read-model.js';
import { UsageDayStore } from './reports/stores/usage-day.store.js';
import { UsageDays } from './reports/usage-days.service.js';
import { UnstoredRecords } from './reports/unstored-records.read-model.js';
import { UsageReports } from './reports/usage-reports.read-model.js';

/**
 * Reads request logs, usage and statistics for operators (D15, D17). The module is separate because readers must not delay the
 * recording of requests. Every read uses one database snapshot and is bounded: lists by their page and a count up to 100,000,
 * usage by its retention.
 *
 * Rollups of closed hours and sums of closed days make reads faster. If they are missing, reads use the rows, with the same
 * result. If the database does not respond in time, only the read fails.
 */
@Module({
  imports: [DatabaseModule],
  providers: [
    RequestLogs,
    RequestList,
    RequestErrorReports,
    UnstoredRecords,
    UsageReports,
    UsageDays,
    UsageDayStore,
    StatisticsReadModel,
    RollupJob,
    RollupStore,
  ],
  exports: [RequestLogs, RequestList, RequestErrorReports, UnstoredRecords, UsageReports, StatisticsReadModel],
})
export class StatsReportsModule {}
