import { Module } from '@nestjs/common';
import { KeysModule } from '../../keys/keys.module.js';
import { RecordsModule } from '../../stats/records/records.module.js';
import { OperatorReadLimitModule } from '../../fairness/operator-read-limit.guard.js';
import { KeyUsageHistoryController } from './key-usage.controller.js';
import { UsageController } from './usage.controller.js';

/** /admin/usage and the usage of a key. Only reads. */
@Module({
  imports: [KeysModule, RecordsModule, OperatorReadLimitModule],
  controllers: [UsageController, KeyUsageHistoryController],
})
export class AdminUsageModule {}
