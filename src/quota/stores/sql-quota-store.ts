import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { Config } from '../../config/config.js';
import { DedicatedConnection } from '../../database/dedicated-connection.js';
import { ADMIT } from './admit.sql.js';
import { answersOf, columnsOf, countedIn, countsOf, listOf } from './answer-rows.js';
import { HELD } from './held.sql.js';
import { isLockTimeout, wasRolledBack } from './known-outcome.js';
import { LOOK } from './look.sql.js';
import { QuotaStore, type AdmitAnswer, type AdmitEntry, type StoredCounts } from './quota-store.js';
import { QuotaWriter } from './quota-writer.js';
import { run, type TextRow } from './statement.js';
import { StuckRows } from './stuck-rows.js';

/** A call in all, locks waited for included. Longer than the server's own limits: past it the connection is given up. */
const CALL_TIMEOUT_MS = 1600;
const PROBES = 5;
const PROBE_PAUSE_MS = 2;
const LAST_PROBE_MS = 900;

type Answers = Map<string, AdmitAnswer>;

/** Counters in PostgreSQL, over one connection that does nothing else. Exact across processes: the rows are the truth. */
@Injectable()
export class SqlQuotaStore extends QuotaStore implements OnModuleInit, OnApplicationShutdown {
  private readonly writer = new QuotaWriter();
  private readonly stuck = new StuckRows();
  private readonly connection: DedicatedConnection;
  private looking: Promise<unknown> | null = null;
  private begun = false;

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
        statement_timeout: '1500',
        lock_timeout: '500',
        synchronous_commit: quotaDurability === 'strict' ? 'on' : 'off',
      },
      onConnect: (client) => this.writer.takeOver(client),
    });
  }

  onModuleInit(): void {
    this.connection.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.connection.stop();
  }

  /** A key whose row somebody holds for longer than the lock time limit is not in the answer: nothing of it was counted. */
  admit(entries: readonly AdmitEntry[]): Promise<ReadonlyMap<string, AdmitAnswer>> {
    return this.inTime(async () => {
      const beganAtMs = performance.now();
      const answers: Answers = new Map();
      const [usual, suspects] = this.stuck.split(entries, beganAtMs);
      let left = usual.length === 0 || (await this.asked(usual, answers)) ? suspects : entries;
      if (left.length === 0) return answers;
      for (let probe = 0; left.length > 0 && probe < PROBES; probe++) {
        if (performance.now() - beganAtMs > LAST_PROBE_MS) break;
        // A row that many share is free within moments: it only looks held the first time or two.
        if (probe > 0) await pause(PROBE_PAUSE_MS);
        left = await this.askForFree(left, answers);
      }
      this.stuck.add(left, performance.now());
      return answers;
    });
  }

  look(keyIds: readonly string[]): Promise<ReadonlyMap<string, StoredCounts>> {
    return this.inTime(async () => {
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
      // Fenced: the row of an idle process is deleted after a day. Nothing was counted; the row is made anew.
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

  /** The process may be ready a moment before this connection is: its first requests wait instead of failing. */
  private async firstConnection(): Promise<void> {
    const late = pause(CALL_TIMEOUT_MS, false, { ref: false });
    this.begun = await Promise.race([this.connection.firstUsable.then(() => true), late]);
  }

  private usableClient(): Client {
    const { client, lastError } = this.connection;
    if (client === null) throw new Error('There is no connection to the database', { cause: lastError });
    return client;
  }

  /** pg's own time limit would leave the statement running and the connection in use. */
  private async inTime<T>(call: () => Promise<T>): Promise<T> {
    if (!this.begun) await this.firstConnection();
    const timer = setTimeout(() => {
      this.connection.destroy(new Error(`The database did not answer within ${CALL_TIMEOUT_MS} ms`));
    }, CALL_TIMEOUT_MS);
    try {
      return await call();
    } finally {
      clearTimeout(timer);
    }
  }
}
