import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { EventsModule } from '../audit/events/events.module.js';
import { ModelPolicyModule } from '../model-policy/model-policy.module.js';
import { DailyJob } from './daily-job.service.js';
import { ProbeJob } from './probe-job.service.js';
import { JobRunner } from './job-runner.service.js';
import { JobRuns } from './job-runs.read-model.js';
import { JobSchedule } from './job-schedule.js';
import { KeyEventsTask } from './key-events.task.js';
import { JobLocks } from './stores/job-lock.store.js';
import { JobRunStore } from './stores/job-run.store.js';
import { KeyStandingStore } from './stores/key-standing.store.js';
import { TableMaintenanceStore } from './stores/table-maintenance.store.js';
import { PartitionsTask, PruningTask, VacuumTask } from './pruning-and-vacuum.tasks.js';

/**
 * Scheduled jobs, each in one process at a time: the daily job with its tasks, and the probes. The module is separate because jobs
 * use data of several other modules. A failed run is logged and marked in its row, and the next run does the remaining work. The
 * cron jobs are in Nest's registry (ADR 0026).
 */
@Module({
  imports: [AuditModule, DatabaseModule, EventsModule, ModelPolicyModule],
  providers: [
    JobLocks,
    JobRunStore,
    JobRuns,
    JobRunner,
    DailyJob,
    ProbeJob,
    JobSchedule,
    KeyEventsTask,
    PartitionsTask,
    PruningTask,
    VacuumTask,
    KeyStandingStore,
    TableMaintenanceStore,
  ],
  exports: [DailyJob, JobRuns],
})
export class SchedulerModule {}
