import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Config } from '../../../config/config.js';
import { DedicatedConnection } from '../../../database/dedicated-connection.js';
import { RollupSession, type Query } from './rollup-session.js';
import { SPLITS_DUE } from './split-statements.js';

/** An hour with 200 rows a second takes some seconds. */
const STATEMENT_MS_MAX = 120_000;
/** The server's own limit comes first. */
const SILENCE_MS_MAX = STATEMENT_MS_MAX + 5000;
const CONNECT_MS_MAX = 5000;

const SESSION: Readonly<Record<string, string>> = {
  statement_timeout: String(STATEMENT_MS_MAX),
  lock_timeout: '5000',
  idle_in_transaction_session_timeout: '10000',
  TimeZone: 'UTC',
  jit: 'off',
  work_mem: '32MB',
  // What a crash of the server forgets is done again: it forgets a step whole, and none before one that it remembers.
  synchronous_commit: 'off',
  // Blocks are merged by hashing. With the loops that the planner liked better a month took minutes instead of seconds.
  enable_nestloop: 'off',
  enable_mergejoin: 'off',
};

/** The ladder for who builds it: on a connection of its own, since a step may take longer than the pool lets anything take. */
@Injectable()
export class RollupStore {
  constructor(
    private readonly config: Config,
    private readonly source: DataSource,
  ) {}

  /** Whether hours before `untilMs` are not summed up yet, have got rows since, or are not split. */
  async isDue(untilMs: number): Promise<boolean> {
    const [row] = await this.source.query<{ due: boolean }[]>(DUE, [new Date(untilMs)]);
    return row?.due === true;
  }

  /**
   * Does `work` on one process of all; when `signal` aborts it is cut off, and what it had not committed is undone.
   * @returns false: another process is at it
   */
  async alone(work: (session: RollupSession) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    const connection = new DedicatedConnection(this.config.databaseUrl ?? '', {
      name: 'gateway-rollup',
      session: SESSION,
    });
    const cut = () => connection.destroy();
    signal.addEventListener('abort', cut);
    try {
      const query = queryOf(await usable(connection), connection);
      const [lock] = await query<{ taken: boolean }>(TAKE_LOCK);
      if (lock?.taken !== true) return false;
      await work(new RollupSession(query));
      return true;
    } finally {
      signal.removeEventListener('abort', cut);
      // The lock goes with it.
      await connection.stop();
    }
  }
}

async function usable(connection: DedicatedConnection): Promise<Client> {
  connection.start();
  const inTime = new AbortController();
  const late = pause(CONNECT_MS_MAX, undefined, { signal: inTime.signal }).catch(() => undefined);
  await Promise.race([connection.firstUsable, late]);
  inTime.abort();
  if (connection.client === null) throw connection.lastError ?? new Error('no connection in time');
  return connection.client;
}

/** One connection throughout: a new one that has taken its place has neither the lock nor the transaction. */
const queryOf =
  (client: Client, connection: DedicatedConnection): Query =>
  async <R extends object>(sql: string, parameters: unknown[] = []) => {
    const timer = setTimeout(() => connection.destroy(new Error('the database did not answer')), SILENCE_MS_MAX);
    try {
      return (await client.query<R>(sql, parameters)).rows;
    } finally {
      clearTimeout(timer);
    }
  };

const TAKE_LOCK = `select pg_try_advisory_lock(hashtextextended('stats-rollup', 0)) as taken`;

const DUE = `
select coalesce(rolled_until < $1, true) or exists (select from stats_late_hours l where l.hour < s.rolled_until)
       or ${SPLITS_DUE} as due
  from stats_rollup_state s`;
