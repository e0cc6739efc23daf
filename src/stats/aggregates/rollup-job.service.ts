import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock } from '../../clock/clock.js';
import { Database } from '../../database/database.service.js';
import { PeriodicTask } from '../../database/periodic-task.js';
import { startOf } from './rollup-selection.rules.js';
import { RollupStore } from './stores/rollup.store.js';

/**
 * An hour is rolled up this long after its end. A request has the time of its start and is written after its end: most requests
 * that ran over the end of the hour are written by then, so the hour is not rolled up a second time.
 */
const MARGIN_MS = 600_000;

/** Rolls up the closed hours of the sample (D15): checks every minute, on one process at a time. */
@Injectable()
export class RollupJob implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    private readonly clock: Clock,
    private readonly store: RollupStore,
    database: Database,
    registry: SchedulerRegistry,
  ) {
    this.task = new PeriodicTask(database, registry, {
      name: 'statistics rollup',
      logger: new Logger('stats'),
      failure: 'Hours of the sample were not summed up',
      run: () => this.run(),
      everyMs: 60_000,
    });
  }

  onApplicationBootstrap(): void {
    this.task.schedule();
  }

  /** Aborts the current step: it is rolled back, and the next run of any process does it again. */
  onApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /**
   * Everything that is due, in transactions of an hour each, also after a long downtime.
   * @returns false if nothing was due, or if another process is doing it
   * @throws the error of the database; nothing is lost
   */
  async run(): Promise<boolean> {
    const closedUntilMs = this.closedUntilMs();
    if (!(await this.store.isDue(closedUntilMs))) return false;
    return this.store.alone(async (session) => {
      await session.close(closedUntilMs);
      while (await session.rollNext());
      while (await session.rollLate());
      while (await session.coarsen());
      // Splitting a year takes minutes: an hour that closes meanwhile comes first, in the next run.
      while (this.closedUntilMs() === closedUntilMs && (await session.splitNext()));
    }, this.task.signal);
  }

  private closedUntilMs(): number {
    return startOf(1, this.clock.now() - MARGIN_MS);
  }
}
