import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../database/database.service.js';
import { PeriodicTask } from '../../database/periodic-task.js';
import { UsageDayStore } from './stores/usage-day.store.js';

/** More than are kept. */
const DAYS_A_RUN = 400;

/**
 * Closes days of usage once they are over: at the start and every ten minutes, in every process. Processes that come second
 * find nothing to do. A day that is not closed is read row by row: the result is the same, only slower.
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
      failure: 'Days of usage were not summed up',
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

  /** @throws the error of the database */
  async run(): Promise<void> {
    for (const day of await this.days.open(DAYS_A_RUN)) {
      if (this.task.signal.aborted) return;
      await this.days.close(day);
    }
  }
}
