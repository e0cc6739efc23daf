import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { BatchJournal } from './batch-journal.js';
import type { AdmitEntry, AdmitResult } from '../verdict.rules.js';
import { requestsIn, type KeyCounts } from '../utc-windows.rules.js';
import { admitKeys, type Batch } from './key-admission.js';
import { admitLimited } from './limit-admission.js';
import { showAlive, storeSettlement } from './limit-settlement.js';
import { isLockTimeout, wasRolledBack } from './prepared-statement.js';
import type { SeenLimit } from '../seen-limit.rules.js';
import { beginEpoch, readPeriods, storeUnreconciled } from './writer-epoch.js';

/** The number of an entry has 40 bits, which last for decades. The epoch is above them. */
const EPOCH_BITS = 40n;
const SKIP_LOCKED_MS = 1000;
const STALE_LIMITS: AdmitResult = { kind: 'stale-limits' };

/** Gets the figures of limits after each batch, and the instant of the batch in microseconds since 1970. */
export type LimitsListener = (seen: ReadonlyMap<number, SeenLimit>, atUs: number) => void;

/**
 * This process's row in `quota_writer`, and the journal of the entries that it sent. A statement can still commit after its connection
 * is lost. Every new connection therefore begins an epoch, which fences entries that have not begun, and reads the outcome of the last
 * entry from the row.
 */
export class QuotaWriter {
  readonly id = randomUUID();
  readonly journal = new BatchJournal();
  private readonly logger = new Logger('Quota');
  private epoch = 0n;
  private skipLockedUntilMs = 0;
  private readonly listeners: LimitsListener[] = [];

  onLimitsSeen(listener: LimitsListener): void {
    this.listeners.push(listener);
  }

  /** @returns null if the batch was fenced. After an error of the database, the caller must call `journal.rolledBack` */
  async admit(
    client: Client,
    entries: readonly AdmitEntry[],
    setVersion: number,
  ): Promise<Map<string, AdmitResult> | null> {
    const batch = { writerId: this.id, number: this.numberOf(this.journal.begin(entries)), setVersion, entries };
    if (entries.some(({ requests }) => requests !== undefined)) return this.admitLimited(client, batch);
    const results = await admitKeys(client, batch);
    if (results === null) this.journal.rolledBack();
    else this.journal.confirmed(countedIn(results), performance.now());
    return results;
  }

  private async admitLimited(client: Client, batch: Batch): Promise<Map<string, AdmitResult> | null> {
    const results = await admitLimited(client, batch);
    if (results === null || results === 'stale') {
      // The batch has not taken its number.
      this.journal.rolledBack();
      return results === null ? null : new Map(batch.entries.map(({ keyId }) => [keyId, STALE_LIMITS]));
    }
    const { keys, limits, lines, atUs } = results;
    this.journal.confirmed(countedIn(keys), performance.now(), { lines, charges: [] });
    for (const listener of this.listeners) listener(limits, atUs);
    return keys;
  }

  private numberOf(entry: number): string {
    return String((this.epoch << EPOCH_BITS) + BigInt(entry));
  }

  async beginEpoch(client: Client): Promise<void> {
    const begun = await beginEpoch(client, this.id);
    this.epoch = BigInt(begun?.epoch ?? 0);
    const inDoubt = begun === null ? [] : this.journal.limitsInDoubt(begun.batch);
    const periods = inDoubt.length === 0 ? new Map() : await readPeriods(client, this.id, inDoubt, begun!.atMs);
    const lost = this.journal.reconcile(begun === null ? null : { ...begun, periods }, performance.now());
    if (lost > 0) this.logger.warn(`The database has lost ${lost} batches of counts. They are stored again`);
    // A long outage leaves counts of many keys. The loop ends when a pass stores nothing, for example because rows are locked.
    const { unreconciled } = this.journal;
    for (let left = Infinity; unreconciled.size > 0 && unreconciled.size < left;) {
      left = unreconciled.size;
      await this.reconcile(client);
    }
    // Limits whose rows are locked are settled later.
    await this.settle(client).catch((error: unknown) => {
      if (!wasRolledBack(error)) throw error;
      this.journal.rolledBack();
    });
  }

  /** Stores the unreconciled counts of at most 2000 keys, after `beginEpoch`. They are as durable as a batch. */
  async reconcile(client: Client): Promise<void> {
    const { number, counts } = this.journal.beginReconciliation();
    const skipped = await storeUnreconciled(client, this.id, this.numberOf(number), counts);
    if (skipped !== null) return this.journal.reconciled(performance.now(), skipped);
    await this.renew(client);
  }

  /** Stores the settlements of at most 2000 limits, like `reconcile`. After a lock timeout, it skips locked rows for a second. */
  async settle(client: Client): Promise<void> {
    if (this.journal.limits.isEmpty) return;
    const { number, limits } = this.journal.beginSettlement();
    const skipsLocked = performance.now() < this.skipLockedUntilMs;
    const sent = { writerId: this.id, number: this.numberOf(number), changes: limits, skipsLocked };
    const skipped = await storeSettlement(client, sent).catch((error: unknown) => {
      if (isLockTimeout(error)) this.skipLockedUntilMs = performance.now() + SKIP_LOCKED_MS;
      throw error;
    });
    if (skipped !== null) return this.journal.settled(performance.now(), skipped);
    await this.renew(client);
  }

  /** Shows other processes that this one is alive, so that they do not end its reservations. */
  async beat(client: Client): Promise<void> {
    if (!(await showAlive(client, this.id))) await this.beginEpoch(client);
  }

  /** Runs after an entry was fenced: another process ended the reservations of this one, or its row was deleted after an idle week. */
  private async renew(client: Client): Promise<void> {
    this.journal.rolledBack();
    await this.beginEpoch(client);
  }
}

function countedIn(results: ReadonlyMap<string, AdmitResult>): KeyCounts[] {
  const counted: KeyCounts[] = [];
  for (const [keyId, result] of results) {
    if (result.kind === 'decided' && result.granted > 0) {
      counted.push(requestsIn(result.counts, keyId, result.granted));
    }
  }
  return counted;
}
