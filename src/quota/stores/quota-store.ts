import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { Config } from '../../config/config.js';
import { StallTolerantTimer } from '../../database/stall-tolerant-timeout.js';
import { DedicatedConnection } from '../../database/dedicated-connection.js';
import { requestsIn, type AdmitAnswer, type AdmitEntry, type KeyCounts, type StoredCounts } from '../quota-counts.js';
import { admitBatch, readCounts } from './key-quota.sql.js';
import { LockedRows, readLockedKeys } from './locked-rows.js';
import { isLockTimeout, wasRolledBack } from './prepared-statement.js';
import { QuotaWriter } from './quota-writer.js';

/** A call in total, including waits for locks. Longer than the server's own limits: then the connection is given up. */
const CALL_MS_MAX = 1350;
const STATEMENT_MS_MAX = 1250;
const LOCK_MS_MAX = 500;
const PROBES = 5;
const PROBE_PAUSE_MS = 2;
/** Leaves time for one more wait for a lock. */
const LAST_PROBE_MS = 800;
const HEARTBEAT_MS = 1000;

type Answers = Map<string, AdmitAnswer>;

/** The store cannot be asked or has not answered in time: nobody knows what it holds. */
export class QuotaStoreUnavailable extends Error {}

/**
 * The counters of all processes, in PostgreSQL, over one connection that does nothing else. Exact across processes.
 * `admit` and `readCounts` throw `QuotaStoreUnavailable` if the store cannot be asked or does not answer within `withinMs`
 * milliseconds in which this process was awake (1350 at most and by default). Any other error is a timeout of the server's
 * own, and no outage. However `admit` fails, none of its requests stays counted: the next connection subtracts them.
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
  private heart: NodeJS.Timeout | undefined;
  private calls = 0;

  constructor({ databaseUrl, quotaDurability }: Config) {
    if (databaseUrl === null) throw new Error('The quota store needs the address of a database');
    this.connection = new DedicatedConnection(databaseUrl, {
      name: 'gateway admission',
      session: {
        // Planning would cost twice as much as execution, and the statistics of a young table invite scans.
        plan_cache_mode: 'force_generic_plan',
        enable_seqscan: 'off',
        jit: 'off',
        statement_timeout: String(STATEMENT_MS_MAX),
        lock_timeout: String(LOCK_MS_MAX),
        // D13: `relaxed` can lose the last moments if server and gateway crash together.
        synchronous_commit: quotaDurability === 'strict' ? 'on' : 'off',
      },
      onConnect: (client) => this.writer.takeOver(client),
    });
  }

  onModuleInit(): void {
    this.connection.start();
    this.heart = setInterval(() => void this.beat(), HEARTBEAT_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.heart);
    // Each call stores the counts of some of the keys only.
    for (let left = Infinity; this.unreconciled > 0 && this.unreconciled < left && this.connection.client !== null;) {
      left = this.unreconciled;
      await this.reconcile().catch(() => undefined);
    }
    await this.connection.stop();
    const lost = this.unreconciled;
    if (lost > 0) this.logger.error(`Not stored at the stop: ${lost} requests served without the database`);
  }

  /**
   * Since when the store is known to be unavailable, by `performance.now()`. Null: it can be asked. A server that hangs is
   * detected within some seconds even without requests.
   */
  get awaySinceMs(): number | null {
    return this.connection.awaySinceMs;
  }

  /** Requests passed to `addServed` that are not stored yet. */
  get unreconciled(): number {
    return this.writer.journal.unreconciled.requests;
  }

  hasUnreconciled(keyId: string): boolean {
    return this.writer.journal.unreconciled.has(keyId);
  }

  /**
   * Takes requests that were served without the store, at once and without fail. They are stored exactly once, as soon as the
   * store can be asked again. A window that is over by then is left out.
   */
  addServed(served: KeyCounts): void {
    this.writer.journal.unreconciled.add(served);
  }

  /**
   * Counts and decides, all windows of a key in one atomic step. At most 200 keys, each once. One call at a time. A key whose
   * row another session locks for longer than the lock timeout is missing in the result: nothing was counted for it.
   */
  admit(entries: readonly AdmitEntry[], withinMs = CALL_MS_MAX): Promise<ReadonlyMap<string, AdmitAnswer>> {
    const answers: Answers = new Map();
    // Read once, not in each run of the call: a reconciliation that begins later waits for this call, and neither must wait
    // for both.
    const before = this.reconciling;
    const admitting = this.inTime(withinMs, async () => {
      if (before !== null) await before;
      const beganAtMs = performance.now();
      // After a lost connection, keys that were answered before are counted and stay so.
      const asked = answers.size === 0 ? entries : entries.filter(({ keyId }) => !answers.has(keyId));
      const [usual, suspects] = this.locked.split(asked, beganAtMs);
      let left = usual.length === 0 || (await this.asked(usual, answers)) ? suspects : asked;
      if (left.length === 0) return answers;
      for (let probe = 0; left.length > 0 && probe < PROBES; probe++) {
        if (performance.now() - beganAtMs > Math.min(LAST_PROBE_MS, withinMs - LOCK_MS_MAX)) break;
        // A row that many sessions share is free within moments: it only seems to be locked the first time or two.
        if (probe > 0) await pause(PROBE_PAUSE_MS);
        left = await this.askForFree(left, answers);
      }
      this.locked.add(left, performance.now());
      return answers;
    });
    this.admitting = admitting;
    return admitting;
  }

  /** Reads without counting or locking. A key without a row is missing in the result. */
  readCounts(keyIds: readonly string[], withinMs?: number): Promise<ReadonlyMap<string, StoredCounts>> {
    return this.inTime(withinMs, async () => {
      const counts = readCounts(this.usableClient(), keyIds);
      this.reading = counts.catch(() => undefined);
      return await counts;
    });
  }

  /** @returns those of the entries whose rows are locked */
  private async askForFree(entries: readonly AdmitEntry[], answers: Answers): Promise<readonly AdmitEntry[]> {
    const keyIds = entries.map(({ keyId }) => keyId);
    const locked = await readLockedKeys(this.usableClient(), keyIds);
    const free = entries.filter(({ keyId }) => !locked.has(keyId));
    if (free.length > 0 && !(await this.asked(free, answers))) return entries;
    return entries.filter(({ keyId }) => locked.has(keyId));
  }

  /** @returns false: one of the rows could not be locked in time, and nothing was counted */
  private async asked(entries: readonly AdmitEntry[], answers: Answers): Promise<boolean> {
    try {
      await this.ask(entries, answers);
      return true;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await this.reading; // it is in pg's queue, where nothing else should be
      return false;
    }
  }

  private async ask(entries: readonly AdmitEntry[], answers: Answers): Promise<void> {
    let answered = await this.send(entries);
    if (answered === null) {
      // Fenced: the row of an idle process is deleted after a week. Nothing was counted; the row is inserted again.
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
      // Otherwise its outcome is unknown: the next connection finds out.
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

  /** Stores unreconciled counts and detects a server that hangs, even without requests. */
  private async beat(): Promise<void> {
    if (this.connection.client === null || this.reconciling !== null) return;
    try {
      if (this.writer.journal.unreconciled.size > 0) await this.reconcile();
      // A call under way detects it by itself, and its time is not to be spent on this.
      else if (this.calls === 0) await this.readCounts([]);
    } catch {
      // The connection reports it to the next caller.
    }
  }

  private reconcile(): Promise<void> {
    // As in `admit`.
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
    const over = reconciling.catch(() => undefined).then(() => (this.reconciling = null));
    this.reconciling = over;
    return reconciling;
  }

  private usableClient(): Client {
    const { client, lastError } = this.connection;
    if (client === null)
      throw new QuotaStoreUnavailable('There is no connection to the database', { cause: lastError });
    return client;
  }

  /** For a connection that broke during the call while the server was not silent: nothing of the call stays counted. */
  private async onceMore<T>(error: unknown, call: () => Promise<T>): Promise<T> {
    if (wasRolledBack(error) || error instanceof QuotaStoreUnavailable || this.awaySinceMs !== null) throw error;
    // Reported by the server before the connection has ended.
    this.connection.destroy(error as Error);
    await this.connection.settled;
    return call();
  }

  /** pg's own timeout would leave the statement running and the connection in use. */
  private async inTime<T>(withinMs = CALL_MS_MAX, call: () => Promise<T>): Promise<T> {
    const ms = Math.min(withinMs, CALL_MS_MAX);
    const timer = new StallTolerantTimer(ms, () => {
      this.connection.giveUp(new QuotaStoreUnavailable(`The database did not answer within ${ms} ms`));
    });
    this.calls += 1;
    try {
      // A lost connection is back in a moment, or known to be unavailable: exact decisions wait for that.
      if (this.connection.client === null && this.awaySinceMs === null) await this.connection.settled;
      return await call().catch((error: unknown) => this.onceMore(error, call));
    } catch (error) {
      throw wasRolledBack(error) ? error : awayBy(error);
    } finally {
      this.calls -= 1;
      timer.stop();
    }
  }
}

/** What a batch has counted, for the journal. */
function countedIn(answers: ReadonlyMap<string, AdmitAnswer>): KeyCounts[] {
  const counted: KeyCounts[] = [];
  for (const [keyId, answer] of answers) {
    if (answer.kind === 'decided' && answer.granted > 0) {
      counted.push(requestsIn(answer.counts, keyId, answer.granted));
    }
  }
  return counted;
}

const awayBy = (error: unknown): QuotaStoreUnavailable =>
  error instanceof QuotaStoreUnavailable
    ? error
    : new QuotaStoreUnavailable('The connection was lost', { cause: error });
