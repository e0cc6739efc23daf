import { Module } from '@nestjs/common';
import { RecordsModule } from '../../stats/records/records.module.js';
import { RequestLogsController } from './request-logs.controller.js';

/** /admin/request-logs. Only reads; a list that cannot be read in time fails alone. */
@Module({ imports: [RecordsModule], controllers: [RequestLogsController] })
export class AdminLogsModule {}
