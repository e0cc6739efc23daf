import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { Config } from '../../config/config.js';
import { StallTolerantTimer } from '../../database/stall-tolerant-timeout.js';
import { DedicatedConnection } from '../../database/dedicated-connection.js';
import type { AdmitResult, AdmitEntry, KeyCounts, StoredCounts } from '../quota-counts.js';
import type { LimitCharge } from '../limit-claims.js';
import { readCounts } from './key-admission.sql.js';
import type { SeenLimit } from './limit-admission-call.sql.js';
import { LOCK_MS_MAX, LockedRows, readLockedKeys } from './locked-rows.js';
import { wasRolledBack } from './prepared-statement.js';
import { QuotaWriter } from './quota-writer.js';
import { ReservationHeartbeat } from './reservation-heartbeat.js';
import type { LimitLine } from './unreconciled-limits.js';

/** The timeout includes waits for locks, and exceeds the database's own timeouts. After it, the connection is dropped. */
const CALL_MS_MAX = 1350;
const STATEMENT_MS_MAX = 1250;
const HEARTBEAT_MS = 1000;
/** Settlements within this time share a statement. */
const SETTLE_AFTER_MS = 20;
const CALLS_AT_SHUTDOWN_MAX = 100;

type Results = Map<string, AdmitResult>;

/** The content of the store is unknown. */
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
  private readonly reservations = new ReservationHeartbeat(this.writer);
  private readonly connection: DedicatedConnection;
  private reading: Promise<unknown> | null = null;
  private admitting: Promise<unknown> | null = null;
  private reconciling: Promise<unknown> | null = null;
  private heartbeat: NodeJS.Timeout | undefined;
  private calls = 0;
  private settleTimer: NodeJS.Timeout | null = null;

  constructor({ databaseUrl, quotaDurability }: Config) {
    if (databaseUrl === null) throw new Error('DATABASE_URL is not set, but the quota store requires it');
    this.connection = new DedicatedConnection(databaseUrl, {
      name: 'gateway admission',
      session: {
        // Planning would cost twice as much as execution, and the statistics of a new table favor sequential scans.
        plan_cache_mode: 'force_generic_plan',
        enable_seqscan: 'off',
        jit: 'off',
        statement_timeout: String(STATEMENT_MS_MAX),
        lock_timeout: String(LOCK_MS_MAX),
        // D13: with `relaxed`, the last counts are lost if database and gateway crash together.
        synchronous_commit: quotaDurability === 'strict' ? 'on' : 'off',
      },
      onConnect: async (client) => {
        await this.writer.takeOver(client);
        await this.reservations.connected(client);
      },
    });
  }

  onModuleInit(): void {
    this.connection.start();
    this.heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.heartbeat);
    if (this.settleTimer !== null) clearTimeout(this.settleTimer);
    // Each call stores at most 2000 keys and 2000 limits.
    const { journal } = this.writer;
    for (let calls = 0; calls < CALLS_AT_SHUTDOWN_MAX && this.connection.client !== null; calls++) {
      // The journal's lists do not contain the changes that a running call stores.
      await this.reconciling;
      if (this.unreconciled === 0 && journal.limits.isEmpty) break;
      await this.reconcile().catch(() => undefined);
    }
    await this.connection.stop();
    if (!journal.limits.isEmpty)
      this.logger.error('Reservations were not settled at shutdown. Other processes count them as used.');
    const lost = this.unreconciled;
    if (lost > 0) this.logger.error(`Counts lost at shutdown: ${lost} requests were served without the database`);
  }

  /** `performance.now()` at the start of a detected outage, or null. A database that hangs is detected within seconds. */
  get unavailableSinceMs(): number | null {
    return this.connection.unavailableSinceMs;
  }

  /** Whether a pooler does not keep sessions (ADR 0036). In that case, counts in memory must not be used either. */
  get isBehindUnsafePooler(): boolean {
    return this.connection.poolerProblem !== null;
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

  /** Stores the changes exactly once, within about 25 ms, or when the store is available again. */
  addToLimits(lines: readonly LimitLine[], charges: readonly LimitCharge[]): void {
    this.writer.journal.limits.addAll({ lines, charges });
    this.settleTimer ??= setTimeout(() => this.settleNow(), SETTLE_AFTER_MS);
  }

  /** Whether changes to the limit are waiting to be stored. */
  isSettling(limitId: number): boolean {
    return this.writer.journal.isSettling(limitId);
  }

  /** Resolves when the changes of earlier `addToLimits` calls are stored, or cannot be stored now. */
  async settled(): Promise<void> {
    while (this.reconciling !== null) await this.reconciling;
    if (!this.writer.journal.limits.isEmpty) await this.reconcile().catch(() => undefined);
  }

  /** Calls `listener` with the figures of limits after each batch. */
  onLimitsSeen(listener: (seen: ReadonlyMap<number, SeenLimit>) => void): void {
    this.writer.onLimitsSeen(listener);
  }

  /**
   * Decides and counts all windows of each key in one atomic step. The caller passes at most 200 keys, each once, and makes
   * one call at a time. The result omits a key whose row is locked for too long; nothing was counted for it.
   * @param setVersion the version of the set of limits from which the claims come
   */
  admit(
    entries: readonly AdmitEntry[],
    withinMs = CALL_MS_MAX,
    setVersion = 0,
  ): Promise<ReadonlyMap<string, AdmitResult>> {
    const results: Results = new Map();
    if (setVersion > 0) this.reservations.start();
    // Read once: a reconciliation that starts later waits for this call, so waiting for it would be a deadlock.
    const before = this.reconciling;
    const admitting = this.inTime(withinMs, async () => {
      if (before !== null) await before;
      // In a second run, keys that got a result in the first run stay counted.
      const asked = results.size === 0 ? entries : entries.filter(({ keyId }) => !results.has(keyId));
      await this.locked.sendAround(asked, withinMs, {
        send: (some) => this.ask(some, results, setVersion),
        lockedAmong: (some) => readLockedKeys(this.usableClient(), some),
        // Waits until pg's queue is empty, before the next statement.
        settled: () => this.reading,
      });
      return results;
    }).catch((error: unknown) => {
      // Keys with a result stay counted, so their requests must not be rejected.
      if (results.size > 0) return results;
      throw error;
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

  private async ask(entries: readonly AdmitEntry[], results: Results, setVersion: number): Promise<void> {
    let decided = await this.send(entries, setVersion);
    if (decided === null) {
      // Fenced, because another process ended the reservations of this one, or its row was deleted after an idle week. Nothing was counted.
      await this.renewWriter();
      decided = await this.send(entries, setVersion);
      if (decided === null) throw new Error('The batch was fenced twice');
    }
    for (const [keyId, result] of decided) results.set(keyId, result);
  }

  private async send(entries: readonly AdmitEntry[], setVersion: number): Promise<Results | null> {
    const client = this.usableClient();
    try {
      return await this.writer.admit(client, entries, setVersion);
    } catch (error) {
      this.failEntry(error);
      throw error;
    }
  }

  /** If the entry was not rolled back, its outcome is unknown until the next connection reads the writer's row. */
  private failEntry(error: unknown): void {
    if (wasRolledBack(error)) this.writer.journal.rolledBack();
    else this.connection.destroy(error as Error);
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

  private settleNow(): void {
    this.settleTimer = null;
    // Without a connection, the next connection settles. A running reconciliation also settles, but might have taken its lines already.
    if (this.connection.client === null) return;
    if (this.reconciling === null) return void this.reconcile().catch(() => undefined);
    this.settleTimer = setTimeout(() => this.settleNow(), SETTLE_AFTER_MS);
  }

  /** Also detects a database that hangs without requests. */
  private async beat(): Promise<void> {
    if (this.connection.client === null || this.reconciling !== null) return;
    const { unreconciled, limits } = this.writer.journal;
    try {
      if (unreconciled.size > 0 || !limits.isEmpty || this.reservations.isDue) await this.reconcile();
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
        if (this.writer.journal.unreconciled.size > 0) await this.writer.reconcile(client);
        await this.writer.settle(client);
        if (this.reservations.isDue) await this.reservations.beat(client);
      } catch (error) {
        this.failEntry(error);
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

  /** Retries once after a broken connection. Nothing is counted twice: the next connection subtracts an unconfirmed batch. */
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

const asUnavailable = (error: unknown): QuotaStoreUnavailable =>
  error instanceof QuotaStoreUnavailable
    ? error
    : new QuotaStoreUnavailable('The connection was lost', { cause: error });
