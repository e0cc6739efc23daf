import { Injectable } from '@nestjs/common';
import type { AdminActor } from '../request-context/caller-session.js';
import type { JobRun, Occasion, Task } from './job.js';
import { JobRunner, type StartedRun } from './job-runner.service.js';
import { KeyEventsTask } from './key-events.task.js';
import { PartitionsTask, PruningTask, VacuumTask } from './pruning-and-vacuum.tasks.js';

/** The daily job: events about keys, partitions of the coming months, deletion of old rows (D20). */
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

  /**
   * Starts a run unless one is running in any process.
   * @returns the id of the run
   * @throws as `JobRunner.start`
   */
  async run(actor: AdminActor): Promise<string> {
    const started = await this.start(actor, { kind: 'asked' });
    if (started === null) throw new Error('A run that is asked for is always due');
    return started.runId;
  }

  /** As `JobRunner.start`. */
  start(actor: AdminActor, occasion: Occasion): Promise<StartedRun | null> {
    return this.runner.start({ job: 'daily', actor, occasion, work: (run) => this.carryOut(run) });
  }

  /** A task that fails does not keep the others from being done. */
  private async carryOut(run: JobRun): Promise<void> {
    const failures: string[] = [];
    for (const task of this.tasks) {
      run.signal.throwIfAborted();
      try {
        await task.carryOut(run);
      } catch (error) {
        run.signal.throwIfAborted();
        failures.push(`${task.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (failures.length > 0) throw new Error(failures.join('; '));
  }
}
