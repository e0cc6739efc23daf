import { Module } from '@nestjs/common';
import { KeysModule } from '../../keys/keys.module.js';
import { StatsReportsModule } from '../../stats/stats-reports.module.js';
import { ReadTurnsModule } from '../read-turns.module.js';
import { KeyUsageHistoryController } from './key-usage.controller.js';
import { UsageController } from './usage.controller.js';

/** /admin/usage and the usage of a key. Only reads. */
@Module({
  imports: [KeysModule, StatsReportsModule, ReadTurnsModule],
  controllers: [UsageController, KeyUsageHistoryController],
})
export class AdminUsageModule {}
