import { Module } from '@nestjs/common';
import { StatsReportsModule } from '../../stats/stats-reports.module.js';
import { ReadTurnsModule } from '../read-turns.module.js';
import { EndpointStatsController } from './endpoint-stats.controller.js';
import { KeyStatsController } from './key-stats.controller.js';
import { ModelStatsController } from './model-stats.controller.js';

/** /admin: statistics over the sample. */
@Module({
  imports: [StatsReportsModule, ReadTurnsModule],
  controllers: [EndpointStatsController, KeyStatsController, ModelStatsController],
})
export class AdminStatsModule {}
