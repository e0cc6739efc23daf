import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { Config } from '../../config/config.js';
import { AwakeTimer } from '../../database/awake-timer.js';
import { DedicatedConnection } from '../../database/dedicated-connection.js';
import type { StoredCounts } from '../stored-counts.js';
import { ADMIT } from './admit.sql.js';
import { answersOf, columnsOf, countedIn, countsOf, listOf } from './answer-rows.js';
import { synchronousCommit } from './durability.rules.js';
import { HELD } from './held.sql.js';
import { isLockTimeout, wasRolledBack } from './known-outcome.js';
import { LOOK } from './look.sql.js';
import { QuotaStore, QuotaStoreAway, type AdmitAnswer, type AdmitEntry, type KeyCounts } from './quota-store.js';
import { QuotaWriter } from './quota-writer.js';
import { run, type TextRow } from './statement.js';
import { StuckRows } from './stuck-rows.js';

/** A call in all, locks waited for included. Longer than the server's own limits: past it the connection is given up. */
const CALL_MS_MAX = 1350;
const STATEMENT_MS_MAX = 1250;
const LOCK_MS_MAX = 500;
const PROBES = 5;
const PROBE_PAUSE_MS = 2;
/** So that one more wait for a lock fits in. */
const LAST_PROBE_MS = 800;
const HEARTBEAT_MS = 1000;

type Answers = Map<string, AdmitAnswer>;

/** Counters in PostgreSQL, over one connection that does nothing else. Exact across processes: the rows are the truth. */
@Injectable()
export class SqlQuotaStore extends QuotaStore implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Quota');
  private readonly writer = new QuotaWriter();
  private readonly stuck = new StuckRows();
  private readonly connection: DedicatedConnection;
  private looking: Promise<unknown> | null = null;
  private admitting: Promise<unknown> | null = null;
  private settling: Promise<unknown> | null = null;
  private heart: NodeJS.Timeout | undefined;
  private calls = 0;

  constructor({ databaseUrl, quotaDurability }: Config) {
    super();
    if (databaseUrl === null) throw new Error('The quota store needs the address of a database');
    this.connection = new DedicatedConnection(databaseUrl, {
      name: 'gateway admission',
      session: {
        // Planning would cost twice what running does, and the statistics of a young table invite scans.
        plan_cache_mode: 'force_generic_plan',
        enable_seqscan: 'off',
        jit: 'off',
        statement_timeout: String(STATEMENT_MS_MAX),
        lock_timeout: String(LOCK_MS_MAX),
        synchronous_commit: synchronousCommit(quotaDurability),
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
    // Of many keys only some are written at a time.
    for (let left = Infinity; this.owed > 0 && this.owed < left && this.connection.client !== null;) {
      left = this.owed;
      await this.settle().catch(() => undefined);
    }
    await this.connection.stop();
    if (this.owed > 0) this.logger.error(`Not stored at the stop: ${this.owed} requests served without the database`);
  }

  get awaySinceMs(): number | null {
    return this.connection.awaySinceMs;
  }

  get owed(): number {
    return this.writer.journal.owed.requests;
  }

  owes(keyId: string): boolean {
    return this.writer.journal.owed.has(keyId);
  }

  owe(served: KeyCounts): void {
    this.writer.journal.owed.add(served);
  }

  /** A key whose row somebody holds for longer than the lock time limit is not in the answer: nothing of it was counted. */
  admit(entries: readonly AdmitEntry[], withinMs = CALL_MS_MAX): Promise<ReadonlyMap<string, AdmitAnswer>> {
    const answers: Answers = new Map();
    // Once, not with each run of the call: one that begins later waits for this one, and neither must wait for both.
    const before = this.settling;
    const admitting = this.inTime(withinMs, async () => {
      if (before !== null) await before;
      const beganAtMs = performance.now();
      // After a lost connection: what was answered before is counted and stands.
      const asked = answers.size === 0 ? entries : entries.filter(({ keyId }) => !answers.has(keyId));
      const [usual, suspects] = this.stuck.split(asked, beganAtMs);
      let left = usual.length === 0 || (await this.asked(usual, answers)) ? suspects : asked;
      if (left.length === 0) return answers;
      for (let probe = 0; left.length > 0 && probe < PROBES; probe++) {
        if (performance.now() - beganAtMs > Math.min(LAST_PROBE_MS, withinMs - LOCK_MS_MAX)) break;
        // A row that many share is free within moments: it only looks held the first time or two.
        if (probe > 0) await pause(PROBE_PAUSE_MS);
        left = await this.askForFree(left, answers);
      }
      this.stuck.add(left, performance.now());
      return answers;
    });
    this.admitting = admitting;
    return admitting;
  }

  look(keyIds: readonly string[], withinMs?: number): Promise<ReadonlyMap<string, StoredCounts>> {
    return this.inTime(withinMs, async () => {
      const rows = run(this.usableClient(), LOOK, [listOf(keyIds)]);
      this.looking = rows.catch(() => undefined);
      return new Map((await rows).map((row) => [String(row[0]), countsOf(row)]));
    });
  }

  /** @returns those of the entries whose rows are held */
  private async askForFree(entries: readonly AdmitEntry[], answers: Answers): Promise<readonly AdmitEntry[]> {
    const rows = await run(this.usableClient(), HELD, [listOf(entries.map(({ keyId }) => keyId))]);
    const held = new Set(rows.map((row) => row[0]));
    const free = entries.filter(({ keyId }) => !held.has(keyId));
    if (free.length > 0 && !(await this.asked(free, answers))) return entries;
    return entries.filter(({ keyId }) => held.has(keyId));
  }

  /** @returns false: one of the rows could not be locked in time, and nothing was counted */
  private async asked(entries: readonly AdmitEntry[], answers: Answers): Promise<boolean> {
    try {
      await this.ask(entries, answers);
      return true;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await this.looking; // it stands in pg's queue, where nothing else should
      return false;
    }
  }

  private async ask(entries: readonly AdmitEntry[], answers: Answers): Promise<void> {
    let rows = await this.send(entries);
    if (rows.length === 0) {
      // Fenced: the row of an idle process is deleted after a week without use. Nothing was counted; the row is made anew.
      await this.renewWriter();
      rows = await this.send(entries);
      if (rows.length === 0) throw new Error('The batch was fenced twice');
    }
    answersOf(entries, rows, answers);
  }

  private async send(entries: readonly AdmitEntry[]): Promise<TextRow[]> {
    const client = this.usableClient();
    const { id, journal } = this.writer;
    const number = journal.begin(entries);
    try {
      const rows = await run(client, ADMIT, [id, String(number), ...columnsOf(entries)]);
      if (rows.length === 0) journal.rolledBack();
      else journal.answered(countedIn(rows), performance.now());
      return rows;
    } catch (error) {
      // What became of it is not known otherwise: the next connection finds out.
      if (wasRolledBack(error)) journal.rolledBack();
      else this.connection.destroy(error as Error);
      throw error;
    }
  }

  private async renewWriter(): Promise<void> {
    const client = this.usableClient();
    await this.looking;
    try {
      await this.writer.takeOver(client);
    } catch (error) {
      this.connection.destroy(error as Error);
      throw error;
    }
  }

  /** What is owed is written, and a server that hangs is found out, though nobody asks for anything. */
  private async beat(): Promise<void> {
    if (this.connection.client === null || this.settling !== null) return;
    try {
      if (this.writer.journal.owed.size > 0) await this.settle();
      // A call under way finds out by itself, and its time is not to be spent on this.
      else if (this.calls === 0) await this.look([]);
    } catch {
      // The connection tells whoever asks next.
    }
  }

  private settle(): Promise<void> {
    // As in `admit`.
    const before = this.admitting?.catch(() => undefined);
    const settling = this.inTime(CALL_MS_MAX, async () => {
      await before;
      const client = this.usableClient();
      await this.looking;
      try {
        await this.writer.settle(client);
      } catch (error) {
        if (wasRolledBack(error)) this.writer.journal.rolledBack();
        else this.connection.destroy(error as Error);
        throw error;
      }
    });
    const over = settling.catch(() => undefined).then(() => (this.settling = null));
    this.settling = over;
    return settling;
  }

  private usableClient(): Client {
    const { client, lastError } = this.connection;
    if (client === null) throw new QuotaStoreAway('There is no connection to the database', { cause: lastError });
    return client;
  }

  /** Where the connection broke under the call, and the server was not silent: nothing of it stays counted. */
  private async onceMore<T>(error: unknown, call: () => Promise<T>): Promise<T> {
    if (wasRolledBack(error) || error instanceof QuotaStoreAway || this.awaySinceMs !== null) throw error;
    // Told by the server before the connection has ended.
    this.connection.destroy(error as Error);
    await this.connection.settled;
    return call();
  }

  /** pg's own time limit would leave the statement running and the connection in use. */
  private async inTime<T>(withinMs = CALL_MS_MAX, call: () => Promise<T>): Promise<T> {
    const ms = Math.min(withinMs, CALL_MS_MAX);
    const timer = new AwakeTimer(ms, () => {
      this.connection.giveUp(new QuotaStoreAway(`The database did not answer within ${ms} ms`));
    });
    this.calls += 1;
    try {
      // A connection that was lost is back in a moment, or known to be away: what can be decided exactly waits for that.
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

const awayBy = (error: unknown): QuotaStoreAway =>
  error instanceof QuotaStoreAway ? error : new QuotaStoreAway('The connection was lost', { cause: error });
