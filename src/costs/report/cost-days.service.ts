import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../database/database.service.js';
import { PeriodicTask } from '../../database/periodic-task.js';
import { CostDayStore } from '../stores/cost-day.store.js';

/** More days than the retention period has. */
const DAYS_PER_RUN = 800;

/**
 * Closes days of costs after their end, at startup and every ten minutes. Every process runs it, but only the first one finds
 * work. Reads of a day that is not closed are slower, with the same result.
 */
@Injectable()
export class CostDays implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(
    private readonly days: CostDayStore,
    database: Database,
    registry: SchedulerRegistry,
  ) {
    this.task = new PeriodicTask(database, registry, {
      name: 'cost days',
      logger: new Logger('costs'),
      failure: 'Days of costs were not closed',
      run: () => this.run(),
      everyMs: 600_000,
      retryMs: 10_000,
    });
  }

  onApplicationBootstrap(): void {
    void this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  async run(): Promise<void> {
    for (const day of await this.days.open(DAYS_PER_RUN)) {
      if (this.task.signal.aborted) return;
      await this.days.close(day);
    }
  }
}
