import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { monthOf, monthResetsAtMs } from '../quota/windows.js';
import { RequestRowStore } from './stores/request-row.store.js';

const HOUR_MS = 3_600_000;
const AGAIN_MS = 10_000;
const ROWS_A_STEP = 5000;
/** Half a million rows an hour: more than ten processes can write. */
const STEPS_MAX = 100;

/** Makes the sample's partitions ahead, at the start and hourly, and takes away refusals after 7 days, in small steps. */
@Injectable()
export class StatsHousekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('stats');
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  private failing = false;

  constructor(
    private readonly clock: Clock,
    private readonly requests: RequestRowStore,
  ) {}

  onApplicationBootstrap(): void {
    void this.keep();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  /** Safe in several processes at once. Throws when the database cannot be asked. */
  async run(): Promise<void> {
    const nowMs = this.clock.now();
    await this.requests.ensureMonthOf(nowMs);
    await this.requests.ensureMonthOf(monthResetsAtMs(monthOf(nowMs)));
    for (let step = 0; step < STEPS_MAX && !this.stopped; step++) {
      if ((await this.requests.pruneRefusals(ROWS_A_STEP)) < ROWS_A_STEP) return;
    }
  }

  private async keep(): Promise<void> {
    try {
      await this.run();
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.warn(`Partitions and old refusals were not seen to: ${(error as Error).message}`);
      this.failing = true;
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.keep(), this.failing ? AGAIN_MS : HOUR_MS).unref();
  }
}
