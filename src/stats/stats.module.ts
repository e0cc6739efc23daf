import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { PendingRecords } from './pending-records.js';
import { RequestRecorder } from './request-recorder.service.js';
import { StatsHousekeeping } from './stats-housekeeping.service.js';
import { StatsWriter } from './stats-writer.service.js';
import { LastUseStore } from './stores/last-use.store.js';
import { OldRefusalsStore } from './stores/old-refusals.store.js';
import { RequestRowStore } from './stores/request-row.store.js';
import { UsageStore } from './stores/usage.store.js';

/**
 * What requests were, after their end: usage for token quotas, the sample for statistics, refusals for 'why' (D14, D15).
 * Apart, because no answer waits for it. While the database is away everything waits in memory within bounds: samples are dropped,
 * oldest first, usage is kept summed by key, day and model; `RequestRecorder.takes` tells when there is no room for a further key.
 */
@Module({
  imports: [DatabaseModule, QuotaModule],
  providers: [
    PendingRecords,
    RequestRecorder,
    StatsWriter,
    StatsHousekeeping,
    UsageStore,
    LastUseStore,
    RequestRowStore,
    OldRefusalsStore,
  ],
  exports: [RequestRecorder, StatsWriter],
})
export class StatsModule {}
