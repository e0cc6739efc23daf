import { Module } from '@nestjs/common';
import { StatisticsModule } from '../../stats/statistics/statistics.module.js';
import { OperatorReadLimitModule } from '../../fairness/operator-read-limit.guard.js';
import { EndpointStatsController } from './endpoint-stats.controller.js';
import { KeyStatsController } from './key-stats.controller.js';
import { ModelStatsController } from './model-stats.controller.js';

/** /admin: statistics over the sample. */
@Module({
  imports: [StatisticsModule, OperatorReadLimitModule],
  controllers: [EndpointStatsController, KeyStatsController, ModelStatsController],
})
export class AdminStatsModule {}
