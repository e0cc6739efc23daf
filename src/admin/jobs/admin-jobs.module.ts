import { Module } from '@nestjs/common';
import { SchedulerModule } from '../../scheduler/scheduler.module.js';
import { OperatorReadLimitModule } from '../../fairness/operator-read-limit.guard.js';
import { JobsController } from './jobs.controller.js';

/** `/admin/jobs`: what ran by the clock, and the daily job on demand. A job that is running is answered, not begun again. */
@Module({ imports: [SchedulerModule, OperatorReadLimitModule], controllers: [JobsController] })
export class AdminJobsModule {}
