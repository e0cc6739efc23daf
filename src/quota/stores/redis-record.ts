import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { StoredCounts } from '../stored-counts.js';
import { OwedCounts } from './owed-counts.js';
import type { KeyCounts } from './quota-store.js';
import { ADD_GRANTED, INSERT_RECORD_WRITER, RAISE_EPOCH, READ_ROWS } from './redis-record.sql.js';

const KEYS_A_STATEMENT = 1000;
const ASKED_MAX = 4;

/** A key's row, windows as they were last written. */
export interface StoredRow extends Omit<StoredCounts, 'nowMs'> {
  /** That of `tokens`: the current one. */
  readonly tokensMonth: number;
  /** The versions that these windows were last reset at; 0: never. */
  readonly minuteResetAt: number;
  readonly dayResetAt: number;
  readonly monthResetAt: number;
}

/** Requests that Redis granted, and the version of the key at which it did. */
interface Granted extends KeyCounts {
  readonly version: number;
}

/**
 * PostgreSQL as the record of what Redis counts. Each process adds what it was granted itself, each batch exactly once,
 * whatever became of the answer to it, so that the rows hold the sum over all processes and never more. Bounded by the keys
 * that were served and not written yet.
 */
export class RedisRecord {
  private writerId = randomUUID();
  private hasWriter = false;
  /** Of the batch in hand; the last one committed is the one before. */
  private number = 1;
  /** By key and version: an older one's requests may be worth nothing after a reset. */
  private granted = new OwedCounts();
  private readonly batches: (readonly Granted[])[] = [];
  private writing: Promise<void> | null = null;

  constructor(private readonly source: DataSource) {}

  /** At once and without fail; written by the next `flush`. */
  add({ version, ...counts }: Granted): void {
    this.granted.add({ ...counts, keyId: `${counts.keyId} ${version}` });
  }

  /** Resolves when all that was added before is stored. Where it fails the next one goes on with it. */
  async flush(): Promise<void> {
    while (this.writing !== null) await this.writing.catch(() => undefined);
    if (this.granted.size === 0 && this.batches.length === 0) return;
    this.writing = this.writeAll();
    try {
      await this.writing;
    } finally {
      this.writing = null;
    }
  }

  /** Requests of a batch that nobody knows to be stored or not. */
  get inDoubt(): number {
    return this.batches.flat().reduce((sum, { monthCount }) => sum + monthCount, 0);
  }

  /** What no flush has begun to write: it is the caller's from now on. */
  takeUnwritten(): Granted[] {
    return this.taken();
  }

  /** Those of the keys that have a row. */
  async read(keyIds: readonly string[]): Promise<ReadonlyMap<string, StoredRow>> {
    const rows = await this.source.query<(StoredRow & { keyId: string })[]>(READ_ROWS, [keyIds]);
    return new Map(rows.map((row) => [row.keyId, row]));
  }

  /** @returns the new one: hashes of an older one are not believed any more, for a server may have forgotten something */
  async raiseEpoch(): Promise<number> {
    const [row] = await this.source.query<{ epoch: number }[]>(RAISE_EPOCH);
    if (row === undefined) throw new Error('quota_epoch has no row');
    return row.epoch;
  }

  private async writeAll(): Promise<void> {
    const granted = this.taken();
    for (const batch of batchesOf(granted)) this.batches.push(batch);
    for (let batch = this.batches[0]; batch !== undefined; batch = this.batches[0]) {
      await this.write(batch);
      this.batches.shift();
    }
  }

  private taken(): Granted[] {
    const taken = this.granted.list().map((counts) => {
      const [keyId = '', version] = counts.keyId.split(' ');
      return { ...counts, keyId, version: Number(version) };
    });
    this.granted = new OwedCounts();
    return taken;
  }

  /** After a failure nobody knows whether it was stored: it is asked again with the same batch until it is known. */
  private async write(batch: readonly Granted[]): Promise<void> {
    for (let asked = 0; asked < ASKED_MAX; asked++) {
      if (!this.hasWriter) await this.source.query(INSERT_RECORD_WRITER, [this.writerId]);
      this.hasWriter = true;
      const [answer] = await this.source.query<{ held: number; was: number | null }[]>(ADD_GRANTED, [
        ...[this.writerId, this.number],
        ...columnsOf(batch),
      ]);
      const was = answer?.was ?? null;
      if (answer?.held === 1 || was === this.number) {
        this.number += 1;
        return;
      }
      // One before: the first statement committed while this one waited for its lock. Else the row was idle for a week and
      // deleted, or lost in a failover: a new one is begun.
      if (was !== this.number - 1) this.beginWriter();
    }
    throw new Error('What Redis granted was neither stored nor found stored');
  }

  private beginWriter(): void {
    this.writerId = randomUUID();
    this.hasWriter = false;
    this.number = 1;
  }
}

/** Each key once in a batch: of two versions the older comes first. */
function batchesOf(granted: readonly Granted[]): Granted[][] {
  const batches: Granted[][] = [];
  const inBatch: Set<string>[] = [];
  for (const counts of granted) {
    const at = inBatch.findIndex((keys) => !keys.has(counts.keyId) && keys.size < KEYS_A_STATEMENT);
    if (at === -1) {
      batches.push([counts]);
      inBatch.push(new Set([counts.keyId]));
    } else {
      batches[at]!.push(counts);
      inBatch[at]!.add(counts.keyId);
    }
  }
  return batches;
}

function columnsOf(batch: readonly Granted[]): (string | number)[][] {
  return [
    batch.map(({ keyId }) => keyId),
    batch.map(({ version }) => version),
    batch.map(({ minute }) => minute),
    batch.map(({ minuteCount }) => minuteCount),
    batch.map(({ day }) => day),
    batch.map(({ dayCount }) => dayCount),
    batch.map(({ month }) => month),
    batch.map(({ monthCount }) => monthCount),
  ];
}
