import { Module } from '@nestjs/common';
import { CostsModule } from '../costs/costs.module.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { WatchConnection } from '../platform/database/watch-connection.js';
import { QuotaModule } from '../quota/quota.module.js';
import { CostRecorder } from './cost-recorder.service.js';
import { PendingRecords } from './pending-records.js';
import { RequestRecorder } from './request-recorder.service.js';
import { StatsHousekeeping } from './stats-housekeeping.service.js';
import { StatsWriter } from './stats-writer.service.js';
import { LaterUsageStore } from './stores/later-usage.store.js';
import { LaterUsageWriter } from './later-usage-writer.service.js';
import { LastUseStore } from './stores/last-use.store.js';
import { RequestRowStore } from './stores/request-row.store.js';
import { UnstoredRecordStore } from './stores/unstored-record.store.js';
import { UsageStore } from './stores/usage.store.js';

/**
 * Records finished requests: usage for token limits, samples for statistics, and refusals with their reason (D14, D15). The
 * module is separate because no response waits for it.
 *
 * While the database is unavailable, records wait in bounded buffers. The oldest samples are dropped, and usage is summed by
 * key, day and model. If that buffer is full, `RequestRecorder.takes` returns false for new keys. A row that the database rejects is
 * set aside with its reason, and the rest of its batch is stored.
 */
@Module({
  imports: [CostsModule, DatabaseModule, QuotaModule],
  providers: [
    PendingRecords,
    CostRecorder,
    RequestRecorder,
    StatsWriter,
    LaterUsageWriter,
    LaterUsageStore,
    StatsHousekeeping,
    UsageStore,
    LastUseStore,
    RequestRowStore,
    UnstoredRecordStore,
  ],
  exports: [CostRecorder, RequestRecorder, StatsWriter],
})
export class StatsModule {
  constructor(watch: WatchConnection, usage: UsageStore) {
    watch.onLost(() => usage.doubt());
  }
}
