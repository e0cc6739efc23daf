import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { SchedulerRegistry } from '@nestjs/schedule';
import type { Database } from './database.service.js';
import { PeriodicTask, type PeriodicWork } from './periodic-task.js';

/** Runs `run` as a `PeriodicTask` while the application runs. The startup does not wait for the first run. */
export abstract class PeriodicService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;
  protected readonly logger: Logger;

  /** @param context the context of log messages */
  protected constructor(
    database: Database,
    registry: SchedulerRegistry,
    context: string,
    work: Omit<PeriodicWork, 'logger' | 'run'>,
  ) {
    this.logger = new Logger(context);
    this.task = new PeriodicTask(database, registry, { ...work, logger: this.logger, run: () => this.run() });
  }

  onApplicationBootstrap(): void {
    void this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  abstract run(): Promise<unknown>;

  /** Aborted when the application stops. */
  protected get signal(): AbortSignal {
    return this.task.signal;
  }
}
