import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../database/database.service.js';
import { PeriodicTask } from '../../database/periodic-task.js';
import { UsageDayStore } from './stores/usage-day.store.js';

/** More days than the retention period has. */
const DAYS_PER_RUN = 400;

/**
 * Closes days of usage after their end, at startup and every ten minutes. Every process runs it, but only the first one finds
 * work. Reads of a day that is not closed are slower, with the same result.
 */
@Injectable()
export class UsageDays implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(
    private readonly days: UsageDayStore,
    database: Database,
    registry: SchedulerRegistry,
  ) {
    this.task = new PeriodicTask(database, registry, {
      name: 'usage days',
      logger: new Logger('stats'),
      failure: 'Days of usage were not closed',
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
