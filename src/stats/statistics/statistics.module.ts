import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../database/database.module.js';
import { RollupJob } from './rollup-job.service.js';
import { StatisticsReadModel } from './statistics.read-model.js';
import { RollupStore } from './stores/rollup.store.js';

/**
 * Statistics over the sample (D15): who asked how much, how it went, how long it took. Apart from what records requests, since
 * it is read by admins alone and reads what others write. Closed hours are summed up into a ladder of blocks; while that is
 * behind, or fails, answers are read from the rows: slower, and as right.
 */
@Module({
  imports: [DatabaseModule],
  providers: [RollupStore, RollupJob, StatisticsReadModel],
  exports: [StatisticsReadModel],
})
export class StatisticsModule {}
