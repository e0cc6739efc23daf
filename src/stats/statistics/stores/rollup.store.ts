import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../../config/config.js';
import { OwnConnection } from '../../../database/own-connection.js';
import { RollupSession } from './rollup-session.js';
import { SPLITS_DUE } from './split-statements.js';

/** An hour with 200 rows a second takes some seconds. */
const STATEMENT_MS_MAX = 120_000;

const SESSION: Readonly<Record<string, string>> = {
  lock_timeout: '5000',
  idle_in_transaction_session_timeout: '10000',
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
    // The lock goes with the connection.
    const terms = { name: 'gateway-rollup', statementMsMax: STATEMENT_MS_MAX, session: SESSION };
    return OwnConnection.during(this.config.databaseUrl ?? '', terms, signal, async (connection) => {
      const [lock] = await connection.query<{ taken: boolean }>(TAKE_LOCK);
      if (lock?.taken !== true) return false;
      await work(new RollupSession((sql, parameters) => connection.query(sql, parameters)));
      return true;
    });
  }
}

const TAKE_LOCK = `select pg_try_advisory_lock(hashtextextended('stats-rollup', 0)) as taken`;

const DUE = `
select coalesce(rolled_until < $1, true) or exists (select from stats_late_hours l where l.hour < s.rolled_until)
       or ${SPLITS_DUE} as due
  from stats_rollup_state s`;
