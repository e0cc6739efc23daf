import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { Config } from '../../config/config.js';
import { StallTolerantTimer } from '../../database/stall-tolerant-timeout.js';
import { DedicatedConnection } from '../../database/dedicated-connection.js';
import { requestsIn, type AdmitResult, type AdmitEntry, type KeyCounts, type StoredCounts } from '../quota-counts.js';
import { admitBatch, readCounts } from './key-quota.sql.js';
import { LockedRows, readLockedKeys } from './locked-rows.js';
import { isLockTimeout, wasRolledBack } from './prepared-statement.js';
import { QuotaWriter } from './quota-writer.js';

/** The limit includes waits for locks, and exceeds the database's own timeouts. After it, the connection is dropped. */
const CALL_MS_MAX = 1350;
const STATEMENT_MS_MAX = 1250;
const LOCK_MS_MAX = 500;
const PROBES_MAX = 5;
const PROBE_PAUSE_MS = 2;
/** Leaves time for one more wait for a lock. */
const LAST_PROBE_MS = 800;
const HEARTBEAT_MS = 1000;

type Answers = Map<string, AdmitResult>;

/** The store's content is unknown. */
export class QuotaStoreUnavailable extends Error {}

/**
 * The exact counters of all processes, in PostgreSQL. The store throws `QuotaStoreUnavailable` if it does not respond in time:
 * at most 1350 ms, excluding stalls of this process. Any other error was reported by the database and is not an outage.
 */
@Injectable()
export class QuotaStore implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Quota');
  private readonly writer = new QuotaWriter();
  private readonly locked = new LockedRows();
  private readonly connection: DedicatedConnection;
  private reading: Promise<unknown> | null = null;
  private admitting: Promise<unknown> | null = null;
  private reconciling: Promise<unknown> | null = null;
  private heartbeat: NodeJS.Timeout | undefined;
  private calls = 0;

  constructor({ databaseUrl, quotaDurability }: Config) {
    if (databaseUrl === null) throw new Error('DATABASE_URL is not set, but the quota store requires it');
    this.connection = new DedicatedConnection(databaseUrl, {
      name: 'gateway admission',
      session: {
        // Planning would cost twice as much as execution, and the statistics of a young table invite scans.
        plan_cache_mode: 'force_generic_plan',
        enable_seqscan: 'off',
        jit: 'off',
        statement_timeout: String(STATEMENT_MS_MAX),
        lock_timeout: String(LOCK_MS_MAX),
        // D13: with `relaxed`, the last counts are lost if database and gateway crash together.
        synchronous_commit: quotaDurability === 'strict' ? 'on' : 'off',
      },
      onConnect: (client) => this.writer.takeOver(client),
    });
  }

  onModuleInit(): void {
    this.connection.start();
    this.heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.heartbeat);
    // Each call stores the counts of at most 2000 keys.
    for (let left = Infinity; this.unreconciled > 0 && this.unreconciled < left && this.connection.client !== null;) {
      left = this.unreconciled;
      await this.reconcile().catch(() => undefined);
    }
    await this.connection.stop();
    const lost = this.unreconciled;
    if (lost > 0) this.logger.error(`Counts lost at shutdown: ${lost} requests were served without the database`);
  }

  /** `performance.now()` at the start of a known outage, or null. A database that hangs is detected within seconds. */
  get unavailableSinceMs(): number | null {
    return this.connection.unavailableSinceMs;
  }

  get unreconciled(): number {
    return this.writer.journal.unreconciled.requests;
  }

  hasUnreconciled(keyId: string): boolean {
    return this.writer.journal.unreconciled.has(keyId);
  }

  /** The requests are stored exactly once, when the store is available again. A window that has ended by then is skipped. */
  addServed(served: KeyCounts): void {
    this.writer.journal.unreconciled.add(served);
  }

  /**
   * Decides and counts all windows of each key in one atomic step. The caller passes at most 200 keys, each once, and makes
   * one call at a time. The result omits a key whose row is locked for too long; nothing was counted for it.
   */
  admit(entries: readonly AdmitEntry[], withinMs = CALL_MS_MAX): Promise<ReadonlyMap<string, AdmitResult>> {
    const answers: Answers = new Map();
    // Read once: a reconciliation that starts later waits for this call, so waiting for it would be a deadlock.
    const before = this.reconciling;
    const admitting = this.inTime(withinMs, async () => {
      if (before !== null) await before;
      const beganAtMs = performance.now();
      // In a second run, keys that got a result in the first run stay counted.
      const asked = answers.size === 0 ? entries : entries.filter(({ keyId }) => !answers.has(keyId));
      const [usual, suspects] = this.locked.split(asked, beganAtMs);
      let left = usual.length === 0 || (await this.asked(usual, answers)) ? suspects : asked;
      if (left.length === 0) return answers;
      for (let probe = 0; left.length > 0 && probe < PROBES_MAX; probe++) {
        if (performance.now() - beganAtMs > Math.min(LAST_PROBE_MS, withinMs - LOCK_MS_MAX)) break;
        // A row that many sessions share is free within moments, so it seems locked only in the first probes.
        if (probe > 0) await pause(PROBE_PAUSE_MS);
        left = await this.askUnlocked(left, answers);
      }
      this.locked.add(left, performance.now());
      return answers;
    });
    this.admitting = admitting;
    return admitting;
  }

  readCounts(keyIds: readonly string[], withinMs?: number): Promise<ReadonlyMap<string, StoredCounts>> {
    return this.inTime(withinMs, async () => {
      const counts = readCounts(this.usableClient(), keyIds);
      this.reading = counts.catch(() => undefined);
      return await counts;
    });
  }

  /** @returns the entries whose rows are locked */
  private async askUnlocked(entries: readonly AdmitEntry[], answers: Answers): Promise<readonly AdmitEntry[]> {
    const keyIds = entries.map(({ keyId }) => keyId);
    const locked = await readLockedKeys(this.usableClient(), keyIds);
    const free = entries.filter(({ keyId }) => !locked.has(keyId));
    if (free.length > 0 && !(await this.asked(free, answers))) return entries;
    return entries.filter(({ keyId }) => locked.has(keyId));
  }

  /** @returns false if a row could not be locked in time; nothing was counted */
  private async asked(entries: readonly AdmitEntry[], answers: Answers): Promise<boolean> {
    try {
      await this.ask(entries, answers);
      return true;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await this.reading; // so that pg's queue is empty before the next statement
      return false;
    }
  }

  private async ask(entries: readonly AdmitEntry[], answers: Answers): Promise<void> {
    let answered = await this.send(entries);
    if (answered === null) {
      // Fenced, because the row of an idle process is deleted after a week. Nothing was counted.
      await this.renewWriter();
      answered = await this.send(entries);
      if (answered === null) throw new Error('The batch was fenced twice');
    }
    for (const [keyId, answer] of answered) answers.set(keyId, answer);
  }

  private async send(entries: readonly AdmitEntry[]): Promise<Answers | null> {
    const client = this.usableClient();
    const { id, journal } = this.writer;
    const number = journal.begin(entries);
    try {
      const answers = await admitBatch(client, id, number, entries);
      if (answers === null) journal.rolledBack();
      else journal.answered(countedIn(answers), performance.now());
      return answers;
    } catch (error) {
      // Otherwise the outcome is unknown until the next connection reads the writer's row.
      if (wasRolledBack(error)) journal.rolledBack();
      else this.connection.destroy(error as Error);
      throw error;
    }
  }

  private async renewWriter(): Promise<void> {
    const client = this.usableClient();
    await this.reading;
    try {
      await this.writer.takeOver(client);
    } catch (error) {
      this.connection.destroy(error as Error);
      throw error;
    }
  }

  /** Also detects a database that hangs without requests. */
  private async beat(): Promise<void> {
    if (this.connection.client === null || this.reconciling !== null) return;
    try {
      if (this.writer.journal.unreconciled.size > 0) await this.reconcile();
      // A running call detects it anyway, and must not lose time to this read.
      else if (this.calls === 0) await this.readCounts([]);
    } catch {
      // The next caller gets the error.
    }
  }

  private reconcile(): Promise<void> {
    // Read once, as in `admit`.
    const before = this.admitting?.catch(() => undefined);
    const reconciling = this.inTime(CALL_MS_MAX, async () => {
      await before;
      const client = this.usableClient();
      await this.reading;
      try {
        await this.writer.reconcile(client);
      } catch (error) {
        if (wasRolledBack(error)) this.writer.journal.rolledBack();
        else this.connection.destroy(error as Error);
        throw error;
      }
    });
    const done = reconciling.catch(() => undefined).then(() => (this.reconciling = null));
    this.reconciling = done;
    return reconciling;
  }

  private usableClient(): Client {
    const { client, lastError } = this.connection;
    if (client === null)
      throw new QuotaStoreUnavailable('There is no connection to the database', { cause: lastError });
    return client;
  }

  /** Retries once after a broken connection. Nothing is counted twice: the next connection subtracts an unanswered batch. */
  private async retryOnce<T>(error: unknown, call: () => Promise<T>): Promise<T> {
    if (wasRolledBack(error) || error instanceof QuotaStoreUnavailable || this.unavailableSinceMs !== null) throw error;
    // The database can report the error before the connection ends.
    this.connection.destroy(error as Error);
    await this.connection.settled;
    return call();
  }

  /** pg's own timeout would leave the statement running and the connection in use. */
  private async inTime<T>(withinMs = CALL_MS_MAX, call: () => Promise<T>): Promise<T> {
    const ms = Math.min(withinMs, CALL_MS_MAX);
    const timer = new StallTolerantTimer(ms, () => {
      this.connection.giveUp(new QuotaStoreUnavailable(`The database did not respond within ${ms} ms`));
    });
    this.calls += 1;
    try {
      // A lost connection is soon replaced or known to be unavailable. Waiting for that keeps decisions exact.
      if (this.connection.client === null && this.unavailableSinceMs === null) await this.connection.settled;
      return await call().catch((error: unknown) => this.retryOnce(error, call));
    } catch (error) {
      throw wasRolledBack(error) ? error : asUnavailable(error);
    } finally {
      this.calls -= 1;
      timer.stop();
    }
  }
}

function countedIn(answers: ReadonlyMap<string, AdmitResult>): KeyCounts[] {
  const counted: KeyCounts[] = [];
  for (const [keyId, answer] of answers) {
    if (answer.kind === 'decided' && answer.granted > 0) {
      counted.push(requestsIn(answer.counts, keyId, answer.granted));
    }
  }
  return counted;
}

const asUnavailable = (error: unknown): QuotaStoreUnavailable =>
  error instanceof QuotaStoreUnavailable
    ? error
    : new QuotaStoreUnavailable('The connection was lost', { cause: error });
