import { setTimeout as pause } from 'node:timers/promises';
import type { ObjectOwnerStore, OwnedObject } from '../stores/object-owner.store.js';

const ROWS_PER_STATEMENT = 500;
const PENDING_MAX = 10_000;
const RETRY_MS = 1000;
/** A response waits for its rows at most this long. */
const WAIT_MS = 1500;
const LAST_WRITES_MS = 3000;
const LAST_RETRY_MS = 200;

interface WriteListener {
  /** Objects that were written with another owner, and that keep theirs. */
  kept(objects: readonly Pick<OwnedObject, 'id' | 'upstream'>[]): void;
  failed(error: Error): void;
  recovered(): void;
}

interface Change {
  /** Null deletes the row. */
  readonly row: OwnedObject | null;
  readonly number: number;
}

interface Waiter {
  /** The last change that it waits for. */
  readonly number: number;
  readonly resolve: () => void;
}

/**
 * Writes new rows and deletions by group commit. While the database is unavailable, up to 10,000 of them wait and are retried
 * every second. Beyond that, the oldest are dropped and counted.
 */
export class ObjectWrites {
  /** By ID, in the order of their numbers. */
  private readonly pending = new Map<string, Change>();
  private waiters: Waiter[] = [];
  private lastNumber = 0;
  private writing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** Consecutive failed writes. */
  private failures = 0;
  private stopped = false;
  private droppedChanges = 0;

  constructor(
    private readonly store: ObjectOwnerStore,
    private readonly listener: WriteListener,
  ) {}

  /** Changes that are not written yet. */
  get size(): number {
    return this.pending.size;
  }

  /** Changes that were dropped because too many were waiting. */
  get dropped(): number {
    return this.droppedChanges;
  }

  /** Whether a change of this ID is not written yet. */
  has(id: string): boolean {
    return this.pending.has(id);
  }

  /** @param row null deletes the row of this ID. A newer change of an ID replaces an older one */
  add(id: string, row: OwnedObject | null): void {
    this.pending.delete(id);
    this.pending.set(id, { row, number: ++this.lastNumber });
    if (this.pending.size > PENDING_MAX) this.dropOldest();
    void this.start();
  }

  /** Resolves when all changes so far are committed or could not be written, at most 1.5 s later. Never rejects. */
  settled(): Promise<void> {
    if (this.pending.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, WAIT_MS).unref();
      const release = () => {
        clearTimeout(timer);
        resolve();
      };
      this.waiters.push({ number: this.lastNumber, resolve: release });
      void this.start();
    });
  }

  /** Retries for at most 3 s. Returns the number of changes that could not be written. */
  async stop(): Promise<number> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    const late = new AbortController();
    const timeout = pause(LAST_WRITES_MS, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.writeLast(late.signal), timeout]);
    late.abort();
    return this.pending.size;
  }

  private async writeLast(signal: AbortSignal): Promise<void> {
    while (this.pending.size > 0 && !signal.aborted) {
      await this.start();
      if (this.pending.size > 0) await pause(LAST_RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private start(): Promise<void> {
    // Waits for the end of the event-loop turn, so that its changes share a statement.
    this.writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.writeAll());
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.pending.size > 0 && (await this.writeNextBatch()));
    // Must run synchronously after the check, so that no change is added in between.
    this.writing = null;
  }

  /** Returns whether the next batch can follow immediately. After a second failure in a row, the waiters are released. */
  private async writeNextBatch(): Promise<boolean> {
    try {
      this.release(await this.writeBatch());
    } catch (error) {
      this.failures += 1;
      // The first failure is retried immediately, because a single connection might be broken.
      if (this.failures === 1) return true;
      if (this.failures === 2) this.listener.failed(error as Error);
      this.release(this.lastNumber);
      this.retryLater();
      return false;
    }
    if (this.failures > 1) this.listener.recovered();
    this.failures = 0;
    return true;
  }

  /** Returns the number of the last change that was written. */
  private async writeBatch(): Promise<number> {
    const batch = this.oldest();
    const rows = batch.flatMap(([, { row }]) => row ?? []);
    const deleted = batch.flatMap(([id, { row }]) => (row === null ? id : []));
    if (rows.length > 0) this.listener.kept(await this.store.write(rows));
    if (deleted.length > 0) await this.store.delete(deleted);
    // Keeps the change of an ID that was changed again during the write.
    for (const [id, change] of batch) if (this.pending.get(id) === change) this.pending.delete(id);
    return batch.at(-1)![1].number;
  }

  private oldest(): [string, Change][] {
    const batch: [string, Change][] = [];
    for (const entry of this.pending) {
      batch.push(entry);
      if (batch.length === ROWS_PER_STATEMENT) break;
    }
    return batch;
  }

  /** Resolves the waiters for changes up to this number. */
  private release(number: number): void {
    const [released, left]: [Waiter[], Waiter[]] = [[], []];
    for (const waiter of this.waiters) (waiter.number <= number ? released : left).push(waiter);
    this.waiters = left;
    for (const { resolve } of released) resolve();
  }

  private retryLater(): void {
    if (this.stopped) return;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.start();
    }, RETRY_MS).unref();
  }

  private dropOldest(): void {
    const [oldest] = this.pending.keys();
    this.pending.delete(oldest!);
    this.droppedChanges += 1;
  }
}
