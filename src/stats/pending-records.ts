import { Injectable } from '@nestjs/common';
import type { RequestRow } from './request-row.js';
import { UsageLedger } from './usage-ledger.js';

/** Some 15 MB. */
const USAGE_ROWS_MAX = 50_000;
/** Some 8 MB: 20 s of a full sample at 1,000 requests per second. */
const SAMPLES_MAX = 20_000;
const REFUSALS_MAX = 2000;

/** Records that are not written yet: filled by the recorder, emptied by the writer. All of it is bounded. */
@Injectable()
export class PendingRecords {
  readonly usage = new UsageLedger(USAGE_ROWS_MAX);
  readonly lastUse = new LastUse();
  readonly samples = new RequestRowQueue(SAMPLES_MAX);
  readonly refusals = new RequestRowQueue(REFUSALS_MAX);
  /** Requests that are recorded once their tokens are estimated; the estimate queue bounds them. None rejects. */
  readonly estimates = new Set<Promise<void>>();
}

/** Rows to be written. If the queue is full the oldest rows are dropped, and counted. */
export class RequestRowQueue {
  private rows: RequestRow[] = [];
  /** Index of the oldest row: rows before it are taken, and removed from the array only occasionally. */
  private first = 0;
  private droppedRows = 0;

  constructor(private readonly rowsMax: number) {}

  get size(): number {
    return this.rows.length - this.first;
  }

  /** Rows dropped since the start of the process. */
  get dropped(): number {
    return this.droppedRows;
  }

  push(row: RequestRow): void {
    this.rows.push(row);
    if (this.size > this.rowsMax) this.drop(1);
    if (this.first > this.rowsMax) this.cut();
  }

  /** Removes and returns the oldest rows, at most `count`. */
  take(count: number): RequestRow[] {
    const taken = this.rows.slice(this.first, this.first + count);
    this.first += taken.length;
    if (this.size === 0) this.cut();
    return taken;
  }

  /** Puts rows that could not be written back as the oldest, as many as fit. */
  putBack(rows: readonly RequestRow[]): void {
    const room = this.rowsMax - this.size;
    const kept = room >= rows.length ? rows : rows.slice(rows.length - room);
    this.droppedRows += rows.length - kept.length;
    this.rows = [...kept, ...this.rows.slice(this.first)];
    this.first = 0;
  }

  /** Counts rows that can never be written as dropped. */
  lose(rows: readonly RequestRow[]): void {
    this.droppedRows += rows.length;
  }

  private drop(count: number): void {
    this.first += count;
    this.droppedRows += count;
  }

  private cut(): void {
    this.rows = this.rows.slice(this.first);
    this.first = 0;
  }
}

const HOUR_MS = 3_600_000;
const TRIES_MAX = 20;
const KNOWN_MAX = 100_000;

export interface KeyUse {
  readonly keyId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** How often its row was locked. */
  readonly tries: number;
}

/** Keys whose `last_used_at` is due: at most hourly for each key (D15). At most one entry per key. */
export class LastUse {
  private due = new Map<string, KeyUse>();
  /** Last written times that this process knows. It is cleared when it is large, which costs a write without effect. */
  private readonly known = new Map<string, number>();

  get size(): number {
    return this.due.size;
  }

  /** @param storedAtMs time in the key's snapshot */
  note(keyId: string, atMs: number, storedAtMs: number | null): void {
    if (storedAtMs !== null && atMs - storedAtMs < HOUR_MS) return;
    const knownAtMs = this.known.get(keyId);
    if (knownAtMs !== undefined && atMs - knownAtMs < HOUR_MS) return;
    if (!this.due.has(keyId)) this.due.set(keyId, { keyId, atMs, tries: 0 });
  }

  /** Removes and returns all due entries. */
  take(): KeyUse[] {
    const uses = [...this.due.values()];
    this.due = new Map();
    return uses;
  }

  /** After a write. @param stored by key, milliseconds since 1970; the rows of other keys were locked, and are retried for some seconds */
  written(uses: readonly KeyUse[], stored: ReadonlyMap<string, number>): void {
    if (this.known.size > KNOWN_MAX) this.known.clear();
    for (const use of uses) {
      const storedAtMs = stored.get(use.keyId);
      if (storedAtMs !== undefined) this.known.set(use.keyId, storedAtMs);
      else if (use.tries < TRIES_MAX) this.due.set(use.keyId, { ...use, tries: use.tries + 1 });
    }
  }

  /** After a failed write. */
  putBack(uses: readonly KeyUse[]): void {
    for (const use of uses) this.due.set(use.keyId, use);
  }
}
