import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { Config } from '../../config/config.js';
import { DedicatedConnection } from '../../database/dedicated-connection.js';
import { ADMIT } from './admit.sql.js';
import { answerOf, columnsOf, countedBy, countsOf } from './answer-rows.js';
import { isLockTimeout, wasRolledBack } from './known-outcome.js';
import { LOOK } from './look.sql.js';
import type { KeyCounts } from './owed-counts.js';
import { QuotaStore, type AdmitAnswer, type AdmitEntry, type StoredCounts } from './quota-store.js';
import { QuotaWriter } from './quota-writer.js';
import { run } from './statement.js';
import { StuckRows } from './stuck-rows.js';

/** A call in all, locks waited for included; past it the connection is dropped. */
export const CALL_TIMEOUT_MS = 1400;
/** A row that nobody lets go of is waited for once more only before this. */
const LAST_WAIT_BEGINS_MS = 800;

/** Counters in PostgreSQL, over one connection that does nothing else. Exact across processes: rows are the truth. */
@Injectable()
export class SqlQuotaStore extends QuotaStore implements OnModuleInit, OnApplicationShutdown {
  private readonly writer = new QuotaWriter();
  private readonly stuck = new StuckRows();
  private readonly connection: DedicatedConnection;
  private looking: Promise<unknown> | null = null;

  constructor({ databaseUrl, quotaDurability }: Config) {
    super();
    if (databaseUrl === null) throw new Error('The quota store needs the address of a database');
    this.connection = new DedicatedConnection(databaseUrl, {
      name: 'gateway admission',
      session: {
        // Planning costs twice what running does, and statistics of a young table invite scans.
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

  /** A key whose row is held by somebody for longer than the lock time limit is not in the answer; it was not counted. */
  async admit(entries: readonly AdmitEntry[]): Promise<ReadonlyMap<string, AdmitAnswer>> {
    const answers = new Map<string, AdmitAnswer>();
    const beganAtMs = performance.now();
    const timer = setTimeout(() => this.dropConnection(), CALL_TIMEOUT_MS);
    try {
      let rest = this.stuck.size === 0 ? entries : await this.withoutStuck(entries, beganAtMs);
      while (rest.length > 0 && !(await this.askedAll(rest, answers))) {
        rest = await this.askUnlocked(rest, answers);
        if (performance.now() - beganAtMs < LAST_WAIT_BEGINS_MS) continue;
        this.stuck.add(rest, performance.now());
        break;
      }
    } finally {
      clearTimeout(timer);
    }
    return answers;
  }

  async look(keyIds: readonly string[]): Promise<ReadonlyMap<string, StoredCounts>> {
    const client = this.usableClient();
    const timer = setTimeout(() => this.dropConnection(), CALL_TIMEOUT_MS);
    try {
      const rows = run(client, LOOK, [`{${keyIds.join(',')}}`]);
      this.looking = rows.catch(() => undefined);
      return new Map((await rows).map((row) => [String(row[0]), countsOf(row)]));
    } finally {
      clearTimeout(timer);
    }
  }

  /** False: one of the rows could not be locked in time, and nothing was counted. */
  private async askedAll(entries: readonly AdmitEntry[], answers: Map<string, AdmitAnswer>): Promise<boolean> {
    try {
      await this.ask(entries, answers);
      return true;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await this.looking;
      return false;
    }
  }

  /** Asks for the rows that nobody holds. @returns the others */
  private async askUnlocked(
    entries: readonly AdmitEntry[],
    answers: Map<string, AdmitAnswer>,
  ): Promise<readonly AdmitEntry[]> {
    const unlocked = await this.stuck.unlockedOf(this.usableClient(), entries);
    const free = entries.filter((entry) => unlocked.has(entry.keyId));
    if (free.length === 0 || !(await this.askedAll(free, answers))) return entries;
    return entries.filter((entry) => !unlocked.has(entry.keyId));
  }

  private async withoutStuck(entries: readonly AdmitEntry[], nowMs: number): Promise<readonly AdmitEntry[]> {
    const suspects = this.stuck.among(entries, nowMs);
    if (suspects.length === 0) return entries;
    const unlocked = await this.stuck.unlockedOf(this.usableClient(), suspects);
    return entries.filter((entry) => unlocked.has(entry.keyId) || !suspects.includes(entry));
  }

  private async ask(entries: readonly AdmitEntry[], answers: Map<string, AdmitAnswer>): Promise<void> {
    const client = this.usableClient();
    const { id, journal } = this.writer;
    const number = journal.begin(entries);
    try {
      const rows = await run(client, ADMIT, [id, String(number), ...columnsOf(entries)]);
      if (rows.length === 0) {
        // The row of an idle process is deleted after a day: nothing was counted, and it is made anew.
        journal.rolledBack();
        await this.looking;
        await this.writer.takeOver(client);
        return await this.ask(entries, answers);
      }
      const counted: KeyCounts[] = [];
      for (const row of rows) {
        const keyId = row[0];
        if (keyId == null) continue;
        const answer = answerOf(row);
        answers.set(keyId, answer);
        const counts = countedBy(keyId, answer);
        if (counts !== null) counted.push(counts);
      }
      for (const { keyId } of entries) if (!answers.has(keyId)) answers.set(keyId, { kind: 'unknown' });
      journal.answered(counted, performance.now());
    } catch (error) {
      if (wasRolledBack(error)) journal.rolledBack();
      else this.connection.destroy(error as Error);
      throw error;
    }
  }

  private usableClient(): Client {
    const { client, lastError } = this.connection;
    if (client === null) throw new Error('There is no connection to the database', { cause: lastError });
    return client;
  }

  private dropConnection(): void {
    this.connection.destroy(new Error(`The database did not answer within ${CALL_TIMEOUT_MS} ms`));
  }
}
