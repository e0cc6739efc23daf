import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PendingRecords, type RequestRow, type RequestRowQueue } from './pending-records.js';
import { LastUseStore } from './stores/last-use.store.js';
import { RequestRowStore, type RequestTable } from './stores/request-row.store.js';
import { areUnwritable, UnstoredRecordStore } from './stores/unstored-record.store.js';
import { RECORD_SOURCES, type RecordSource, type UnstoredRecord } from './unstored-record.js';
import { UsageStore } from './stores/usage.store.js';
import { sumsOf, type UsageRow, type UsageSums } from './usage-ledger.js';

/** Recorded tokens are at most a second behind (D14). */
const WRITE_INTERVAL_MS = 500;
const USAGE_ROWS_PER_BATCH = 1000;
const REQUEST_ROWS_PER_STATEMENT = 500;
const LAST_FLUSH_TIMEOUT_MS = 5000;

/** Writes the pending records to the database every 500 ms and once more at shutdown, so that no response waits for them. */
@Injectable()
export class StatsWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('stats');
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  private writing: Promise<void> = Promise.resolve();
  /** The first batch has an unknown outcome. It is retried unchanged before any other batch. The others are parts of a rejected one. */
  private unsettled: UsageRow[][] = [];
  private failing = false;
  private readonly unstoredRows = new Map<RecordSource, number>(RECORD_SOURCES.map((source) => [source, 0]));

  private rejected = { rows: 0, last: '' };

  constructor(
    private readonly pending: PendingRecords,
    private readonly usage: UsageStore,
    private readonly lastUse: LastUseStore,
    private readonly requests: RequestRowStore,
    private readonly unstoredRecords: UnstoredRecordStore,
  ) {}

  /** Rows that the database has rejected since the start of the process. */
  get unstored(): ReadonlyMap<RecordSource, number> {
    return this.unstoredRows;
  }

  /** Whether the last records could not be written. They wait in memory. */
  get isFailing(): boolean {
    return this.failing;
  }

  onApplicationBootstrap(): void {
    this.schedule(WRITE_INTERVAL_MS);
  }

  /** Waits at most 5 s, and then logs the sums of unwritten records (D23). */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_FLUSH_TIMEOUT_MS)));
    await Promise.race([this.lastFlush(), late]);
    clearTimeout(timer);
    this.logUnwritten();
  }

  /** Must be called when no request is running, because otherwise new estimates could be added. */
  async lastFlush(): Promise<void> {
    await Promise.all(this.pending.estimates);
    await this.flush();
  }

  /** Usage in memory. A batch with an unknown outcome counts, although it can be written already. */
  get unwritten(): UsageSums {
    const [waiting, unsettled] = [this.pending.usage.sums(), sumsOf(this.unsettled.flat())];
    return {
      requests: waiting.requests + unsettled.requests,
      inputTokens: waiting.inputTokens + unsettled.inputTokens,
      outputTokens: waiting.outputTokens + unsettled.outputTokens,
    };
  }

  /** Never rejects. Records that cannot be written stay for the next flush. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.writeAll());
    return this.writing;
  }

  private schedule(inMs: number): void {
    this.timer = setTimeout(() => {
      const startedAtMs = performance.now();
      void this.flush().then(() => {
        if (!this.stopped) this.schedule(Math.max(0, WRITE_INTERVAL_MS - (performance.now() - startedAtMs)));
      });
    }, inMs).unref();
  }

  private async writeAll(): Promise<void> {
    // Separate steps, so that a failure of one table does not block the others.
    const steps = [
      () => this.writeUsage(),
      () => this.writeLastUse(),
      () => this.writeRequests('request_logs', this.pending.samples),
      () => this.writeRequests('request_refusals', this.pending.refusals),
    ];
    const errors: Error[] = [];
    for (const step of steps) await step().catch((error: unknown) => errors.push(error as Error));
    this.reportRejected();
    this.report(errors[0]);
  }

  private async writeUsage(): Promise<void> {
    // Only the rows present now. Under load new ones always arrive and would starve the other tables.
    let remaining = this.pending.usage.size;
    if (remaining === 0 && this.unsettled.length === 0 && this.usage.isInDoubt) await this.usage.write([]);
    while (remaining > 0 || this.unsettled.length > 0) {
      if (this.unsettled.length === 0) {
        const rows = this.pending.usage.take(Math.min(remaining, USAGE_ROWS_PER_BATCH));
        remaining -= rows.length;
        this.unsettled.push(rows);
      }
      await this.writeFirstBatch();
    }
  }

  private async writeFirstBatch(): Promise<void> {
    const [rows, ...later] = this.unsettled as [UsageRow[], ...UsageRow[][]];
    try {
      await this.usage.write(rows);
      this.unsettled = later;
    } catch (error) {
      if (!areUnwritable(error)) throw error;
      if (rows.length > 1) this.unsettled = [...halves(rows), ...later];
      else {
        await this.setAside(rows.map((row) => recordOf('usage', row, error, this.usage.textOf(row))));
        this.unsettled = later;
      }
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
    for (let remaining = queue.size; remaining > 0; remaining -= REQUEST_ROWS_PER_STATEMENT) {
      const rows = queue.take(Math.min(remaining, REQUEST_ROWS_PER_STATEMENT));
      try {
        await this.writeStorable(table, rows);
      } catch (error) {
        // Rows that are already stored stay unchanged.
        queue.putBack(rows);
        throw error;
      }
    }
  }

  private async writeStorable(table: RequestTable, rows: RequestRow[]): Promise<void> {
    try {
      await this.requests.write(table, rows);
    } catch (error) {
      if (!areUnwritable(error)) throw error;
      if (rows.length > 1) for (const half of halves(rows)) await this.writeStorable(table, half);
      else await this.setAside(rows.map((row) => recordOf(table, row, error, this.requests.textOf(row))));
    }
  }

  /** Keeps rows that would block all later ones. */
  private async setAside(records: readonly UnstoredRecord[]): Promise<void> {
    for (const record of records) {
      await this.unstoredRecords.add(record);
      const { source, keyId, reason } = record;
      this.unstoredRows.set(source, this.unstoredRows.get(source)! + 1);
      this.rejected = { rows: this.rejected.rows + 1, last: `${source}, key ${keyId}: ${reason}` };
    }
  }

  /** One line for each flush, because all rows of a flush can be wrong. */
  private reportRejected(): void {
    const { rows, last } = this.rejected;
    if (rows === 0) return;
    this.rejected = { rows: 0, last: '' };
    this.logger.warn(`${rows} records cannot be stored and were set aside. The last one: ${last}`);
  }

  private report(error: Error | undefined): void {
    const failing = error !== undefined;
    if (failing === this.failing) return;
    this.failing = failing;
    if (error !== undefined) this.logger.warn(`Usage and request logs cannot be written: ${error.message}`);
    else this.logger.log('Usage and request logs are written again');
  }

  private logUnwritten(): void {
    const { requests, inputTokens, outputTokens } = this.unwritten;
    const samples = this.pending.samples.size + this.pending.refusals.size;
    if (requests === 0 && samples === 0) return;
    this.logger.error(
      `Not written at shutdown: usage of ${requests} requests (${inputTokens} input tokens, ${outputTokens} output tokens), ${samples} request rows`,
    );
  }
}

const halves = <T>(rows: readonly T[]): [T[], T[]] => {
  const middle = rows.length >> 1;
  return [rows.slice(0, middle), rows.slice(middle)];
};

const recordOf = (source: RecordSource, { keyId }: { keyId: string }, { message: reason }: Error, record: string) => ({
  source,
  keyId,
  reason,
  record,
});
