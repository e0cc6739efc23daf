import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PendingRecords, type RequestRowQueue } from './pending-records.js';
import { LastUseStore } from './stores/last-use.store.js';
import { RequestRowStore, areUnwritable, type RequestTable } from './stores/request-row.store.js';
import { UsageStore } from './stores/usage.store.js';
import { sumsOf, type UsageRow, type UsageSums } from './usage-ledger.js';

/** D14: tokens are at most a second behind. */
const WRITE_EACH_MS = 500;
const USAGE_ROWS_A_BATCH = 1000;
const REQUEST_ROWS_A_STATEMENT = 500;
const LAST_WRITE_MS = 5000;

/** Writes down what the recorder has noted, off the way of every answer: each 500 ms, and once more when the process stops. */
@Injectable()
export class StatsWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('stats');
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  private writing: Promise<void> = Promise.resolve();
  /** A batch whose outcome is not known: asked for again, unchanged, before any other. */
  private unsettled: UsageRow[] = [];
  private failing = false;

  constructor(
    private readonly pending: PendingRecords,
    private readonly usage: UsageStore,
    private readonly lastUse: LastUseStore,
    private readonly requests: RequestRowStore,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule(WRITE_EACH_MS);
  }

  /** Waits 5 s at most; what could not be written by then is logged in sums (D23). */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_WRITE_MS)));
    await Promise.race([this.lastFlush(), late]);
    clearTimeout(timer);
    this.logLeftOver();
  }

  /** As `flush`, with what is still being counted: that has its figure, a rough one at the worst, once nothing runs any more. */
  async lastFlush(): Promise<void> {
    await Promise.all(this.pending.estimates);
    await this.flush();
  }

  /** Usage that is not known to be stored. */
  get unwritten(): UsageSums {
    const [waiting, unsettled] = [this.pending.usage.sums(), sumsOf(this.unsettled)];
    return {
      requests: waiting.requests + unsettled.requests,
      inputTokens: waiting.inputTokens + unsettled.inputTokens,
      outputTokens: waiting.outputTokens + unsettled.outputTokens,
    };
  }

  /** Writes all that has been recorded before the call. Never rejects: what cannot be written stays for the next time. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.writeAll());
    return this.writing;
  }

  private schedule(inMs: number): void {
    this.timer = setTimeout(() => {
      const beganAtMs = performance.now();
      void this.flush().then(() => {
        if (!this.stopped) this.schedule(Math.max(0, WRITE_EACH_MS - (performance.now() - beganAtMs)));
      });
    }, inMs).unref();
  }

  private async writeAll(): Promise<void> {
    // Each on its own: what is wrong with one table keeps nothing from the others.
    const steps = [
      () => this.writeUsage(),
      () => this.writeLastUse(),
      () => this.writeRequests('request_logs', this.pending.samples),
      () => this.writeRequests('request_refusals', this.pending.refusals),
    ];
    const errors: Error[] = [];
    for (const step of steps) await step().catch((error: unknown) => errors.push(error as Error));
    this.report(errors[0]);
  }

  private async writeUsage(): Promise<void> {
    // As many as there are now: under load there are always more, and the other tables wait for their turn.
    let left = this.unsettled.length + this.pending.usage.size;
    while (left > 0) {
      if (this.unsettled.length === 0) this.unsettled = this.pending.usage.take(Math.min(left, USAGE_ROWS_A_BATCH));
      left -= this.unsettled.length;
      await this.usage.write(this.unsettled);
      this.unsettled = [];
    }
  }

  private async writeLastUse(): Promise<void> {
    const uses = this.pending.lastUse.take();
    if (uses.length === 0) return;
    try {
      this.pending.lastUse.written(uses, await this.lastUse.write(uses));
    } catch (error) {
      this.pending.lastUse.putBack(uses);
      throw error;
    }
  }

  private async writeRequests(table: RequestTable, queue: RequestRowQueue): Promise<void> {
    // As in `writeUsage`.
    for (let left = queue.size; left > 0; left -= REQUEST_ROWS_A_STATEMENT) {
      const rows = queue.take(Math.min(left, REQUEST_ROWS_A_STATEMENT));
      try {
        await this.requests.write(table, rows);
      } catch (error) {
        // Rows that can never be written would keep all that come after them waiting.
        if (areUnwritable(error)) queue.lose(rows);
        else queue.putBack(rows);
        throw error;
      }
    }
  }

  /** Once when it begins and once when it is over, not twice a second. */
  private report(error: Error | undefined): void {
    const failing = error !== undefined;
    if (failing === this.failing) return;
    this.failing = failing;
    if (error !== undefined) this.logger.warn(`Usage and request logs cannot be written: ${error.message}`);
    else this.logger.log('Usage and request logs are written again');
  }

  private logLeftOver(): void {
    const { requests, inputTokens, outputTokens } = this.unwritten;
    const samples = this.pending.samples.size + this.pending.refusals.size;
    if (requests === 0 && samples === 0) return;
    this.logger.error(
      `Not written at the stop: usage of ${requests} requests (${inputTokens} input tokens, ${outputTokens} output tokens), ${samples} request rows`,
    );
  }
}
