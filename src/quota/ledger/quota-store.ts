import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { Config } from '../../platform/config/config.js';
import type { AdmitEntry, AdmitResult, StoredCounts } from '../verdict.rules.js';
import type { KeyCounts } from '../utc-windows.rules.js';
import type { LimitCharge } from '../limit-claims.js';
import { readCounts } from './key-admission.js';
import { readLimits, readPeriodStarts } from './limit-figures-read.js';
import { AdmissionCall, LockedRows, readLockedKeys } from './locked-rows.js';
import { wasRolledBack } from './prepared-statement.js';
import { CALL_MS_MAX, QuotaConnection } from './quota-connection.js';
import { QuotaWriter, type LimitsListener } from './quota-writer.js';
import { ReservationHeartbeat } from './reservation-heartbeat.js';
import type { LimitLine } from './unreconciled-changes.js';

const HEARTBEAT_MS = 1000;
const SETTLE_AFTER_MS = 20;
const CALLS_AT_SHUTDOWN_MAX = 100;

/**
 * The exact counters of all processes, in PostgreSQL. The store throws `QuotaStoreUnavailable` if it does not respond in time:
 * at most 1350 ms, excluding stalls of this process. Any other error was reported by the database and is not an outage.
 *
 * Its writes take turns: batches of admission, and reconciliations, which store what was served without a batch.
 */
@Injectable()
export class QuotaStore implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Quota');
  private readonly writer = new QuotaWriter();
  private readonly lockedRows = new LockedRows({
    send: (part, setVersion) => this.sendBatch(part, setVersion),
    lockedAmong: (part) => this.readLocked(part),
  });
  private readonly reservations = new ReservationHeartbeat(this.writer);
  private readonly connection: QuotaConnection;
  private lastTurn: Promise<unknown> = Promise.resolve();
  /** The reconciliation that waits for its turn. It stores everything that is added until then. */
  private nextReconciliation: Promise<void> | null = null;
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
    await this.storeRemaining();
    await this.connection.stop();
    if (!this.writer.journal.limits.isEmpty)
      this.logger.error('Reservations were not settled at shutdown. Other processes count them as used.');
    const lost = this.unreconciled;
    if (lost > 0) this.logger.error(`Counts lost at shutdown: ${lost} requests were served without the database`);
  }

  /** `performance.now()` at the start of a detected outage, or null. A database that hangs is detected within seconds. */
  get unavailableSinceMs(): number | null {
    return this.connection.unavailableSinceMs;
  }

  /** Whether the first connection has been usable. Until then, no request can be admitted. */
  get hasBegun(): boolean {
    return this.connection.hasBegun;
  }

  /** Whether a pooler does not keep sessions (ADR 0036). In that case, counts in memory must not be used either. */
  get isBehindUnsafePooler(): boolean {
    return this.connection.isBehindUnsafePooler;
  }

  /**
   * Decides and counts all windows of each key in one atomic step. The caller passes at most 200 keys, each once, and makes
   * one call at a time. The result omits a key whose row is locked for too long; nothing was counted for it.
   * @param setVersion the version of the set of limits from which the claims come
   */
  async admit(
    entries: readonly AdmitEntry[],
    withinMs = CALL_MS_MAX,
    setVersion = 0,
  ): Promise<ReadonlyMap<string, AdmitResult>> {
    if (setVersion > 0) this.reservations.start();
    const call = new AdmissionCall(entries, withinMs, setVersion);
    try {
      await this.inTurn(withinMs, () => this.lockedRows.sendAround(call));
    } catch (error) {
      // Keys with a result stay counted, so their requests must not be rejected.
      if (call.results.size === 0) throw error;
    }
    return call.results;
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

  onLimitsSeen(listener: LimitsListener): void {
    this.writer.onLimitsSeen(listener);
  }

  /** The requests are stored exactly once, when the store is available again. A window that has ended by then is skipped. */
  addServed(served: KeyCounts): void {
    this.writer.journal.unreconciled.add(served);
  }

  get unreconciled(): number {
    return this.writer.journal.unreconciled.requests;
  }

  hasUnreconciled(keyId: string): boolean {
    return this.writer.journal.unreconciled.has(keyId);
  }

  /** Stores the changes exactly once, within about 25 ms, or when the store is available again. */
  addToLimits(lines: readonly LimitLine[], charges: readonly LimitCharge[]): void {
    this.writer.journal.limits.addAll({ lines, charges });
    this.settleTimer ??= setTimeout(() => {
      this.settleTimer = null;
      // Without a connection, the next connection stores the changes.
      if (this.connection.isConnected) void this.settled();
    }, SETTLE_AFTER_MS);
  }

  /** Resolves when the changes of earlier `addToLimits` calls are stored, or cannot be stored now. */
  async settled(): Promise<void> {
    await this.reconcile().catch(() => undefined);
  }

  isSettling(limitId: number): boolean {
    return this.writer.journal.isSettling(limitId);
  }

  /** The settlement of a limit that is not stored yet, or null. */
  unstoredOf(limitId: number): LimitLine | null {
    return this.writer.journal.unstoredOf(limitId);
  }

  private async sendBatch(entries: readonly AdmitEntry[], setVersion: number): Promise<Map<string, AdmitResult>> {
    const admit = (client: Client) => this.writer.admit(client, entries, setVersion);
    const results = await this.send(admit);
    if (results !== null) return results;
    // The batch was fenced and counted nothing: another process ended the reservations of this one, or its row was deleted after an idle week.
    await this.renewWriter();
    const repeated = await this.send(admit);
    if (repeated === null) throw new Error('The batch was fenced twice');
    return repeated;
  }

  private async readLocked(entries: readonly AdmitEntry[]): Promise<ReadonlySet<string>> {
    await this.connection.whenRead;
    return readLockedKeys(this.connection.client, entries);
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

  /** Calls share the reconciliation that has not begun yet, because it stores the changes of all of them. */
  private reconcile(): Promise<void> {
    return (this.nextReconciliation ??= this.inTurn(CALL_MS_MAX, () => {
      this.nextReconciliation = null;
      return this.send(async (client) => {
        await this.connection.whenRead;
        if (this.writer.journal.unreconciled.size > 0) await this.writer.reconcile(client);
        await this.writer.settle(client);
        if (this.reservations.isDue) await this.reservations.beat(client);
      });
    }));
  }

  /** Also detects a database that hangs without requests. */
  private async beat(): Promise<void> {
    if (!this.connection.isConnected) return;
    const { unreconciled, limits } = this.writer.journal;
    try {
      if (unreconciled.size > 0 || !limits.isEmpty || this.reservations.isDue) await this.reconcile();
      // A running call detects it anyway, and must not lose time to this read.
      else if (this.connection.isIdle) await this.connection.read((client) => this.reservations.look(client));
    } catch {
      // The next caller gets the error.
    }
  }

  private async storeRemaining(): Promise<void> {
    const { unreconciled, limits } = this.writer.journal;
    // Each call stores at most 2000 keys and 2000 limits.
    for (let calls = 0; calls < CALLS_AT_SHUTDOWN_MAX && this.connection.isConnected; calls++) {
      // The journal's lists do not contain the changes that a running call stores.
      await this.lastTurn;
      if (unreconciled.requests === 0 && limits.isEmpty) return;
      await this.settled();
    }
  }

  /** Runs one call at a time, in order. Each one waits only for the call before it, because a later one already waits for this one. */
  private inTurn<T>(withinMs: number, call: () => Promise<T>): Promise<T> {
    const before = this.lastTurn;
    const result = this.connection.inTime(withinMs, () => before.then(call));
    this.lastTurn = result.catch(() => undefined);
    return result;
  }

  /** Sends an entry of the journal. Unless it was rolled back, its outcome is unknown until the next connection reads the writer's row. */
  private async send<T>(entry: (client: Client) => Promise<T>): Promise<T> {
    const { client } = this.connection;
    try {
      return await entry(client);
    } catch (error) {
      if (wasRolledBack(error)) this.writer.journal.rolledBack();
      else this.connection.destroy(error as Error);
      throw error;
    }
  }
}
