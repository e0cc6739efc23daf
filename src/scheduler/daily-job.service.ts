import { Injectable } from '@nestjs/common';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import { messageOf, type JobRun, type Occasion, type Task } from './job.js';
import { JobRunner, type StartedRun } from './job-runner.service.js';
import { KeyEventsTask } from './key-events.task.js';
import { PartitionsTask, PruningTask, VacuumTask } from './pruning-and-vacuum.tasks.js';

/** Publishes events about keys, creates partitions for the coming months, deletes old rows, and vacuums (D20). */
@Injectable()
export class DailyJob {
  private readonly tasks: readonly Task[];

  constructor(
    private readonly runner: JobRunner,
    keyEvents: KeyEventsTask,
    partitions: PartitionsTask,
    pruning: PruningTask,
    vacuum: VacuumTask,
  ) {
    this.tasks = [keyEvents, partitions, pruning, vacuum];
  }

  /** Starts a run unless one is running in any process. @throws the errors of `JobRunner.start` */
  async run(actor: AdminActor): Promise<StartedRun> {
    const started = await this.start(actor, { kind: 'requested' });
    if (started === null) throw new Error('A requested run is always due');
    return started;
  }

  start(actor: AdminActor, occasion: Occasion): Promise<StartedRun | null> {
    return this.runner.start({ job: 'daily', actor, occasion, work: (run) => this.carryOut(run) });
  }

  private async carryOut(run: JobRun): Promise<void> {
    const failures: string[] = [];
    for (const task of this.tasks) {
      run.signal.throwIfAborted();
      try {
        await task.carryOut(run);
      } catch (error) {
        run.signal.throwIfAborted();
        failures.push(`${task.name}: ${messageOf(error)}`);
      }
    }
    if (failures.length > 0) throw new Error(failures.join('; '));
  }
}
