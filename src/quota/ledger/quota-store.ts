import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import type { AdmitResult, AdmitEntry, KeyCounts, StoredCounts } from '../quota-counts.js';
import type { LimitCharge } from '../limit-claims.js';
import { readCounts } from './key-admission.js';
import { readLimits, readPeriodStarts } from './limit-figures-read.js';
import { LockedRows, readLockedKeys } from './locked-rows.js';
import { wasRolledBack } from './prepared-statement.js';
import { CALL_MS_MAX, QuotaConnection } from './quota-connection.js';
import { QuotaWriter, type LimitsListener } from './quota-writer.js';
import { ReservationHeartbeat } from './reservation-heartbeat.js';
import type { LimitLine } from './unreconciled-limits.js';

const HEARTBEAT_MS = 1000;
const SETTLE_AFTER_MS = 20;
const CALLS_AT_SHUTDOWN_MAX = 100;

type Results = Map<string, AdmitResult>;

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
  private readonly connection: QuotaConnection;
  private admitting: Promise<unknown> | null = null;
  private reconciling: Promise<unknown> | null = null;
  private heartbeat: NodeJS.Timeout | undefined;
  private settleTimer: NodeJS.Timeout | null = null;

  constructor({ databaseUrl, quotaDurability }: Config) {
    if (databaseUrl === null) throw new Error('DATABASE_URL is not set, but the quota store requires it');
    this.connection = new QuotaConnection(databaseUrl, quotaDurability === 'strict', async (client) => {
      await this.writer.beginEpoch(client);
      this.reservations.connected();
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
    for (let calls = 0; calls < CALLS_AT_SHUTDOWN_MAX && this.connection.isConnected; calls++) {
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
    return this.connection.isBehindUnsafePooler;
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

  isSettling(limitId: number): boolean {
    return this.writer.journal.isSettling(limitId);
  }

  /** The settlement of a limit that is not stored yet, or null. */
  unstoredOf(limitId: number): LimitLine | null {
    return this.writer.journal.unstoredOf(limitId);
  }

  /** Resolves when the changes of earlier `addToLimits` calls are stored, or cannot be stored now. */
  async settled(): Promise<void> {
    while (this.reconciling !== null) await this.reconciling;
    if (!this.writer.journal.limits.isEmpty) await this.reconcile().catch(() => undefined);
  }

  onLimitsSeen(listener: LimitsListener): void {
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
    const admitting = this.connection
      .inTime(withinMs, async () => {
        if (before !== null) await before;
        // In a second run, keys that got a result in the first run stay counted.
        const asked = results.size === 0 ? entries : entries.filter(({ keyId }) => !results.has(keyId));
        await this.locked.sendAround(asked, withinMs, {
          send: (some) => this.ask(some, results, setVersion),
          lockedAmong: (some) => readLockedKeys(this.connection.client, some),
          settled: () => this.connection.whenRead,
        });
        return results;
      })
      .catch((error: unknown) => {
        // Keys with a result stay counted, so their requests must not be rejected.
        if (results.size > 0) return results;
        throw error;
      });
    this.admitting = admitting;
    return admitting;
  }

  readCounts(keyIds: readonly string[], withinMs?: number): Promise<ReadonlyMap<string, StoredCounts>> {
    return this.connection.read((client) => readCounts(client, keyIds), withinMs);
  }

  readLimits(limitIds: readonly number[]): ReturnType<typeof readLimits> {
    return this.connection.read((client) => readLimits(client, limitIds));
  }

  readPeriodStarts(calendars: Parameters<typeof readPeriodStarts>[1]): ReturnType<typeof readPeriodStarts> {
    return this.connection.read((client) => readPeriodStarts(client, calendars));
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
    const { client } = this.connection;
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
    const { client } = this.connection;
    await this.connection.whenRead;
    try {
      await this.writer.beginEpoch(client);
    } catch (error) {
      this.connection.destroy(error as Error);
      throw error;
    }
  }

  private settleNow(): void {
    this.settleTimer = null;
    // Without a connection, the next connection settles. A running reconciliation also settles, but might have taken its lines already.
    if (!this.connection.isConnected) return;
    if (this.reconciling === null) return void this.reconcile().catch(() => undefined);
    this.settleTimer = setTimeout(() => this.settleNow(), SETTLE_AFTER_MS);
  }

  /** Also detects a database that hangs without requests. */
  private async beat(): Promise<void> {
    if (!this.connection.isConnected || this.reconciling !== null) return;
    const { unreconciled, limits } = this.writer.journal;
    try {
      if (unreconciled.size > 0 || !limits.isEmpty || this.reservations.isDue) await this.reconcile();
      // A running call detects it anyway, and must not lose time to this read.
      else if (this.connection.isIdle) await this.connection.read((client) => this.reservations.look(client));
    } catch {
      // The next caller gets the error.
    }
  }

  private reconcile(): Promise<void> {
    // Read once, as in `admit`.
    const before = this.admitting?.catch(() => undefined);
    const reconciling = this.connection.inTime(CALL_MS_MAX, async () => {
      await before;
      const { client } = this.connection;
      await this.connection.whenRead;
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
}
