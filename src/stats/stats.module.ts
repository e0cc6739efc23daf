import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { PendingRecords } from './pending-records.js';
import { RequestRecorder } from './request-recorder.service.js';
import { StatsHousekeeping } from './stats-housekeeping.service.js';
import { StatsWriter } from './stats-writer.service.js';
import { LastUseStore } from './stores/last-use.store.js';
import { RequestRowStore } from './stores/request-row.store.js';
import { UsageStore } from './stores/usage.store.js';

/**
 * Records requests after their end: usage for token quotas, the sample for statistics, refusals with their reason (D14, D15).
 * A separate module, because no response waits for it. While the database is unavailable records wait in memory within bounds:
 * the oldest samples are dropped, usage is summed by key, day and model. `RequestRecorder.takes` is false without room for a key.
 */
@Module({
  imports: [DatabaseModule, QuotaModule],
  providers: [
    ...[PendingRecords, RequestRecorder, StatsWriter, StatsHousekeeping],
    ...[UsageStore, LastUseStore, RequestRowStore],
  ],
  exports: [RequestRecorder, StatsWriter],
})
export class StatsModule {}
