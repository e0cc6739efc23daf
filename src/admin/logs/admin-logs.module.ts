import { Module } from '@nestjs/common';
import { StatsReportsModule } from '../../stats/stats-reports.module.js';
import { ReadTurnsModule } from '../read-turns.module.js';
import { RequestLogsController } from './request-logs.controller.js';

/** /admin/request-logs. Only reads; a list that cannot be read in time fails alone. */
@Module({ imports: [StatsReportsModule, ReadTurnsModule], controllers: [RequestLogsController] })
export class AdminLogsModule {}
