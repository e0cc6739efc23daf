import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { EventsModule } from '../events/events.module.js';
import { ModelPolicyModule } from '../model-policy/model-policy.module.js';
import { DailyJob } from './daily-job.service.js';
import { DailySchedule } from './daily-schedule.js';
import { JobRunner } from './job-runner.service.js';
import { JobRuns } from './job-runs.read-model.js';
import { ProbeSchedule } from './probe-schedule.js';
import { JobLocks } from './stores/job-lock.store.js';
import { JobRunStore } from './stores/job-run.store.js';
import { KeyStandingStore } from './stores/key-standing.store.js';
import { OldRowsStore } from './stores/old-rows.store.js';
import { PartitionStore } from './stores/partition.store.js';
import { VacuumStore } from './stores/vacuum.store.js';
import { KeyEventsTask } from './tasks/key-events.task.js';
import { PartitionsTask } from './tasks/partitions.task.js';
import { PruningTask } from './tasks/pruning.task.js';
import { VacuumTask } from './tasks/vacuum.task.js';

/**
 * What happens by the clock and not by a request, on one process of all: the daily job and its tasks, the probe run. Apart,
 * because what it does belongs to other modules. It fails quietly: a run that fails says so in its row and in the log, and
 * does again what is left when the next one is due.
 */
@Module({
  imports: [AuditModule, DatabaseModule, EventsModule, ModelPolicyModule],
  providers: [
    ...[JobLocks, JobRunStore, JobRuns, JobRunner, DailyJob, DailySchedule, ProbeSchedule],
    ...[KeyEventsTask, PartitionsTask, PruningTask, VacuumTask],
    ...[KeyStandingStore, OldRowsStore, PartitionStore, VacuumStore],
  ],
  exports: [DailyJob, JobRuns],
})
export class SchedulerModule {}
