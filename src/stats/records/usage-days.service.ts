import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { UsageDayStore } from './stores/usage-day.store.js';

const EACH_MS = 10 * 60_000;
const AGAIN_MS = 10_000;
/** More than are kept. */
const DAYS_A_RUN = 400;

/**
 * Closes days of usage once they are over, at the start and each ten minutes, in every process: who comes second finds nothing to do.
 * A day that is not closed is read row by row, so nothing is wrong while this does not run, only slower.
 */
@Injectable()
export class UsageDays implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('stats');
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private failing = false;

  constructor(private readonly days: UsageDayStore) {}

  onApplicationBootstrap(): void {
    this.running = this.keep();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  /** Throws when the database cannot be asked. */
  async run(): Promise<void> {
    for (const day of await this.days.open(DAYS_A_RUN)) {
      if (this.stopped) return;
      await this.days.close(day);
    }
  }

  private async keep(): Promise<void> {
    try {
      await this.run();
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.warn(`Days of usage were not summed up: ${(error as Error).message}`);
      this.failing = true;
    }
    if (this.stopped) return;
    this.timer = setTimeout(() => void (this.running = this.keep()), this.failing ? AGAIN_MS : EACH_MS).unref();
  }
}
