import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { startOf } from './ladder.rules.js';
import { RollupStore } from './stores/rollup.store.js';

const LOOK_EACH_MS = 60_000;
/**
 * An hour is summed up so long after its end. A request has the time of its beginning and is written when it has ended: most of
 * those that ran over the end are there by then, and need no second summing up.
 */
const MARGIN_MS = 600_000;

/** Sums up the hours of the sample that have closed (D15): a look each minute, on one process of all at a time. */
@Injectable()
export class RollupJob implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('stats');
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<unknown> = Promise.resolve();
  private failing = false;

  constructor(
    private readonly clock: Clock,
    private readonly store: RollupStore,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  /** Cuts off a step under way: it is undone, and done again by whoever comes next. */
  async onApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /**
   * All that is due, in transactions of an hour each, after a long absence too.
   * @returns false: nothing was due, or another process is at it. Throws when the database fails; nothing is lost by that.
   */
  async run(): Promise<boolean> {
    const closedUntilMs = this.closedUntilMs();
    if (!(await this.store.isDue(closedUntilMs))) return false;
    return this.store.alone(async (session) => {
      await session.close(closedUntilMs);
      while (await session.rollNext());
      while (await session.rollLate());
      while (await session.coarsen());
      // Of a year at once it takes minutes: an hour that closes meanwhile comes first, at the next look.
      while (this.closedUntilMs() === closedUntilMs && (await session.splitNext()));
    }, this.stopping.signal);
  }

  private closedUntilMs(): number {
    return startOf(1, this.clock.now() - MARGIN_MS);
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.running = this.runQuietly().then(() => {
        if (!this.stopping.signal.aborted) this.schedule();
      });
    }, LOOK_EACH_MS).unref();
  }

  private async runQuietly(): Promise<void> {
    try {
      await this.run();
      this.failing = false;
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      if (!this.failing) this.logger.warn(`Hours of the sample were not summed up: ${(error as Error).message}`);
      this.failing = true;
    }
  }
}
