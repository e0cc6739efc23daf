import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.service.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { startOf } from './rollup-selection.rules.js';
import { RollupStore } from './stores/rollup.store.js';

/** A request is written after its end but belongs to the hour of its start. After this margin, few are still missing. */
const MARGIN_MS = 600_000;

/** Rolls up closed hours of sampled requests (D15). It runs every minute, on one process at a time. */
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
      failure: 'Statistics were not rolled up',
      run: () => this.run(),
      everyMs: 60_000,
    });
  }

  onApplicationBootstrap(): void {
    this.task.schedule();
  }

  /** The current step is rolled back, and the next run of any process repeats it. */
  onApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** Works in transactions of one hour. Returns false if nothing was due, or if another process is working. */
  async run(): Promise<boolean> {
    const closedUntilMs = this.closedUntilMs();
    if (!(await this.store.isDue(closedUntilMs))) return false;
    return this.store.alone(async (session) => {
      await session.close(closedUntilMs);
      while (await session.rollNext());
      await session.findCosts();
      while (await session.rollLate());
      while (await session.coarsen());
      // Splitting a year takes minutes. If an hour closes meanwhile, the run ends and the next one rolls up this hour first.
      while (this.closedUntilMs() === closedUntilMs && (await session.splitNext()));
    }, this.task.signal);
  }

  private closedUntilMs(): number {
    return startOf(1, this.clock.now() - MARGIN_MS);
  }
}
