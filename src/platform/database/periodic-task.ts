import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { SchedulerRegistry } from '@nestjs/schedule';
import type { Database } from './database.service.js';

interface PeriodicWork {
  readonly name: string;
  readonly logger: Pick<Logger, 'warn'>;
  readonly failure: string;
  readonly run: () => Promise<unknown>;
  readonly everyMs: number;
  readonly retryMs?: number;
}

/**
 * Background work on the database at a fixed interval. Runs never overlap. Only the first of consecutive failures is logged.
 * The timers do not keep the process alive.
 */
export class PeriodicTask {
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;
  private failing = false;

  constructor(
    private readonly database: Pick<Database, 'state' | 'whenReady'>,
    private readonly registry: SchedulerRegistry,
    private readonly work: PeriodicWork,
  ) {}

  /** Aborted by `stop()`. Work in several steps checks it between steps. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Runs the work now and at each interval. Resolves after the first run, or immediately without a database. Never rejects. */
  async start(): Promise<void> {
    if (this.database.state === 'connecting') void this.database.whenReady().then(() => this.begin());
    else await this.begin();
  }

  /** The first run is one interval from now. */
  schedule(): void {
    const { name, everyMs } = this.work;
    this.registry.addInterval(name, setInterval(() => void this.run(), everyMs).unref());
  }

  async stop(): Promise<void> {
    const { name } = this.work;
    this.stopping.abort();
    // Nest deletes both in `beforeApplicationShutdown`, which can come first.
    if (this.registry.doesExist('interval', name)) this.registry.deleteInterval(name);
    if (this.registry.doesExist('timeout', name)) this.registry.deleteTimeout(name);
    await this.running;
  }

  private async begin(): Promise<void> {
    if (this.signal.aborted) return;
    this.schedule();
    await this.run();
  }

  private run(): Promise<void> {
    if (this.signal.aborted) return Promise.resolve();
    this.running ??= this.attempt().finally(() => (this.running = null));
    return this.running;
  }

  private async attempt(): Promise<void> {
    try {
      await this.work.run();
      this.failing = false;
    } catch (error) {
      if (this.signal.aborted) return;
      if (!this.failing)
        this.work.logger.warn(`${this.work.failure}: ${error instanceof Error ? error.message : String(error)}`);
      this.failing = true;
      this.retryLater();
    }
  }

  private retryLater(): void {
    const { name, retryMs } = this.work;
    if (retryMs === undefined || this.registry.doesExist('timeout', name)) return;
    const retry = () => {
      this.registry.deleteTimeout(name);
      void this.run();
    };
    this.registry.addTimeout(name, setTimeout(retry, retryMs).unref());
  }
}

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
