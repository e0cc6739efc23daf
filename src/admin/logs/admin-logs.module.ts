import { Module } from '@nestjs/common';
import { RecordsModule } from '../../stats/records/records.module.js';
import { OperatorReadLimitModule } from '../../fairness/operator-read-limit.guard.js';
import { RequestLogsController } from './request-logs.controller.js';

/** /admin/request-logs. Only reads; a list that cannot be read in time fails alone. */
@Module({ imports: [RecordsModule, OperatorReadLimitModule], controllers: [RequestLogsController] })
export class AdminLogsModule {}
