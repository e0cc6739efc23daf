import { Injectable } from '@nestjs/common';
import type { RequestRow } from './request-row.js';
import { UsageLedger } from './usage-ledger.js';

/** About 15 MB. */
const USAGE_ROWS_MAX = 50_000;
/** About 8 MB, or 20 s of samples at 1,000 requests per second and a sample rate of 1. */
const SAMPLES_MAX = 20_000;
const REFUSALS_MAX = 2000;

/** Bounded buffers of records that are not written yet. The recorder fills them, and the writer empties them. */
@Injectable()
export class PendingRecords {
  readonly usage = new UsageLedger(USAGE_ROWS_MAX);
  readonly lastUse = new LastUse();
  readonly samples = new RequestRowQueue(SAMPLES_MAX);
  readonly refusals = new RequestRowQueue(REFUSALS_MAX);
  /** Requests whose tokens are still being estimated. The estimate queue bounds their number. These promises never reject. */
  readonly estimates = new Set<Promise<void>>();
}

/** A queue of rows to write. If it is full, it drops the oldest rows and counts them. */
export class RequestRowQueue {
  private rows: RequestRow[] = [];
  /** Index of the oldest row. Taken rows before it are removed from the array only occasionally. */
  private first = 0;
  private droppedRows = 0;

  constructor(private readonly rowsMax: number) {}

  get size(): number {
    return this.rows.length - this.first;
  }

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

  /** Puts rows back as the oldest after a failed write. Drops those that do not fit. */
  putBack(rows: readonly RequestRow[]): void {
    const room = this.rowsMax - this.size;
    const kept = room >= rows.length ? rows : rows.slice(rows.length - room);
    this.droppedRows += rows.length - kept.length;
    this.rows = [...kept, ...this.rows.slice(this.first)];
    this.first = 0;
  }

  /** Counts rows that the database rejects as dropped. */
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
  /** Number of writes that found its row locked. */
  readonly tries: number;
}

/** Keys whose `last_used_at` must be written, at most hourly for each key (D15). It has at most one entry per key. */
export class LastUse {
  private due = new Map<string, KeyUse>();
  /** Last written times. The map is cleared when it is large. That costs redundant writes, but no correctness. */
  private readonly known = new Map<string, number>();

  get size(): number {
    return this.due.size;
  }

  note(keyId: string, atMs: number, storedAtMs: number | null): void {
    if (storedAtMs !== null && atMs - storedAtMs < HOUR_MS) return;
    const knownAtMs = this.known.get(keyId);
    if (knownAtMs !== undefined && atMs - knownAtMs < HOUR_MS) return;
    if (!this.due.has(keyId)) this.due.set(keyId, { keyId, atMs, tries: 0 });
  }

  take(): KeyUse[] {
    const uses = [...this.due.values()];
    this.due = new Map();
    return uses;
  }

  /**
   * Records the result of a write. Keys that are missing in `stored` had locked rows. They are retried for some seconds.
   * @param stored by key, in milliseconds since 1970
   */
  written(uses: readonly KeyUse[], stored: ReadonlyMap<string, number>): void {
    if (this.known.size > KNOWN_MAX) this.known.clear();
    for (const use of uses) {
      const storedAtMs = stored.get(use.keyId);
      if (storedAtMs !== undefined) this.known.set(use.keyId, storedAtMs);
      else if (use.tries < TRIES_MAX) this.due.set(use.keyId, { ...use, tries: use.tries + 1 });
    }
  }

  putBack(uses: readonly KeyUse[]): void {
    for (const use of uses) this.due.set(use.keyId, use);
  }
}
