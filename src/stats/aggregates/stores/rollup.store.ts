import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../../platform/config/config.js';
import { sqlFile } from '../../../platform/database/sql-file.js';
import { TaskConnection } from '../../../platform/database/task-connection.js';
import { COARSE_HOURS, HOUR_MS, ROLLUP_HOURS, startOf, type RollupHours } from '../rollup-selection.rules.js';

const IS_DUE = sqlFile(import.meta.url, './rollup-due.sql');
const ROLLUPS_OF_ROWS = sqlFile(import.meta.url, './rollups-of-rows.sql');
const ROLLUPS_OF_ROLLUPS = sqlFile(import.meta.url, './rollups-of-rollups.sql');
const NEXT_SPLIT = sqlFile(import.meta.url, './next-split.sql');
const SPLIT = sqlFile(import.meta.url, './split-rollups.sql');

export type Query = <R extends object>(sql: string, parameters?: unknown[]) => Promise<R[]>;

/** Rolling up an hour with 200 rows per second takes some seconds. */
const STATEMENT_TIMEOUT_MS = 120_000;

const SESSION: Readonly<Record<string, string>> = {
  lock_timeout: '5000',
  idle_in_transaction_session_timeout: '10000',
  jit: 'off',
  work_mem: '32MB',
  // A server crash can lose the last steps, but only whole ones. They are repeated.
  synchronous_commit: 'off',
  // Forces hash joins. With the nested loops that the planner preferred, a month took minutes instead of seconds.
  enable_nestloop: 'off',
  enable_mergejoin: 'off',
};

/** Uses a separate connection, because a step can take longer than the statement timeout of the pool. */
@Injectable()
export class RollupStore {
  constructor(
    private readonly config: Config,
    private readonly source: DataSource,
  ) {}

  async isDue(untilMs: number): Promise<boolean> {
    const [row] = await this.source.query<{ due: boolean }[]>(IS_DUE, [new Date(untilMs)]);
    return row?.due === true;
  }

  /** Returns false without running `work` if another process is doing it. If `signal` aborts, uncommitted work is rolled back. */
  async alone(work: (session: RollupSession) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    const terms = { name: 'gateway-rollup', statementMsMax: STATEMENT_TIMEOUT_MS, session: SESSION };
    return TaskConnection.during(this.config.databaseUrl ?? '', terms, signal, async (connection) => {
      // The lock is released with the connection.
      const [lock] = await connection.query<{ taken: boolean }>(
        `select pg_try_advisory_lock(hashtextextended('stats-rollup', 0)) as taken`,
      );
      if (lock?.taken !== true) return false;
      await work(new RollupSession((sql, parameters) => connection.query(sql, parameters)));
      return true;
    });
  }
}

/** Rollups shorter than `COARSE_HOURS` are kept this long. Queries with the default range have their edges within it. */
const FINE_RETENTION_MS = 35 * 24 * HOUR_MS;
const WRITERS_TIMEOUT_MS = 30_000;
const WRITERS_POLL_MS = 50;

interface RollupReach {
  readonly rolledFromMs: number;
  readonly rolledUntilMs: number;
  readonly fineFromMs: number;
}

/**
 * Creates rollups step by step on one connection. Each step is one transaction that can be repeated, and returns false if
 * nothing was left. A failed step is rolled back when the caller closes the connection. Concurrent sessions are safe, because
 * they serialize on the state row.
 */
export class RollupSession {
  constructor(private readonly query: Query) {}

  /**
   * Closes the hours before `untilMs`. Rows that are written later mark their hour as late. Then waits for transactions that
   * started to write earlier, so that a new snapshot contains all rows of the closed hours, except in late hours.
   */
  async close(untilMs: number): Promise<void> {
    // Rolled-up hours stay closed. The server's clock limits `closed_until`, because a process with a wrong clock would close
    // hours that have hardly started.
    await this.query(
      `update stats_rollup_state
          set closed_until = greatest(closed_until, least($1::timestamptz, date_trunc('hour', clock_timestamp(), 'UTC')))`,
      [new Date(untilMs)],
    );
    const startedMs = performance.now();
    let remaining = await this.writers();
    while (remaining.length > 0) {
      if (performance.now() - startedMs > WRITERS_TIMEOUT_MS)
        throw new Error('a transaction has been writing request logs for more than 30 s');
      await pause(WRITERS_POLL_MS);
      const now = new Set(await this.writers());
      remaining = remaining.filter((id) => now.has(id));
    }
  }

  /** Rolls up the oldest closed hours, and every longer rollup that they complete. */
  rollNext(): Promise<boolean> {
    return this.step(async (known, closedUntilMs) => {
      const reach = known ?? (await this.initialReach(closedUntilMs));
      const hours = reach.rolledUntilMs < reach.fineFromMs ? COARSE_HOURS : 1;
      const rolledUntilMs = reach.rolledUntilMs + hours * HOUR_MS;
      if (rolledUntilMs > closedUntilMs) return null;
      await this.rollUp(reach.rolledUntilMs, hours, rolledUntilMs);
      return { ...reach, rolledUntilMs };
    });
  }

  /** Marks the hours of rollups without costs as late, and deletes splits without costs. Processes of the previous release create both. */
  findCosts(): Promise<boolean> {
    return this.step(async (reach) => {
      const hours = await this.query(
        `insert into stats_late_hours (hour, cost_only)
         select distinct start, true from stats_rollup where cost_nanos is null
         returning hour`,
      );
      const splits = await this.query('delete from stats_rollup_splits where costs is null returning start');
      return hours.length + splits.length > 0 ? reach : null;
    });
  }

  /** Rolls up the oldest late hour again, and every longer rollup that contains it. Hours that only lack costs are last. */
  rollLate(): Promise<boolean> {
    return this.step(async (reach) => {
      if (reach === null) return null;
      const [late] = await this.query<{ hour: Date }>(
        'select hour from stats_late_hours where hour < $1 order by cost_only, hour limit 1',
        [new Date(reach.rolledUntilMs)],
      );
      if (late === undefined) return null;
      const hours = late.hour.getTime() < reach.fineFromMs ? COARSE_HOURS : 1;
      const startMs = startOf(hours, late.hour.getTime());
      await this.rollUp(startMs, hours, reach.rolledUntilMs);
      return { ...reach, rolledFromMs: Math.min(reach.rolledFromMs, startMs) };
    });
  }

  coarsen(): Promise<boolean> {
    return this.step(async (reach) => {
      if (reach === null) return null;
      const fineFromMs = reach.fineFromMs + COARSE_HOURS * HOUR_MS;
      if (fineFromMs > reach.rolledUntilMs - FINE_RETENTION_MS) return null;
      await this.query('delete from stats_rollup where start >= $1 and start < $2 and hours < $3', [
        new Date(reach.fineFromMs),
        new Date(fineFromMs),
        COARSE_HOURS,
      ]);
      return { ...reach, fineFromMs };
    });
  }

  /** Splits the newest busy rollups that are not split. */
  splitNext(): Promise<boolean> {
    return this.step(async (reach) => {
      const [next] = await this.query<{ start: Date; hours: number }>(NEXT_SPLIT);
      if (next === undefined) return null;
      await this.query(SPLIT, [next.start, next.hours]);
      return reach;
    });
  }

  /** @param work returns the new state, or null if there was nothing to do */
  private async step(
    work: (reach: RollupReach | null, closedUntilMs: number) => Promise<RollupReach | null>,
  ): Promise<boolean> {
    await this.query('begin isolation level repeatable read');
    const [state] = await this.query<State>(
      'select closed_until, rolled_from, rolled_until, fine_from from stats_rollup_state for update',
    );
    const after = state?.closed_until ? await work(reachOf(state), state.closed_until.getTime()) : null;
    if (after !== null) {
      await this.query('update stats_rollup_state set rolled_from = $1, rolled_until = $2, fine_from = $3', [
        new Date(after.rolledFromMs),
        new Date(after.rolledUntilMs),
        new Date(after.fineFromMs),
      ]);
    }
    await this.query(after === null ? 'rollback' : 'commit');
    return after !== null;
  }

  /** The initial state starts at the first row, with only coarse rollups for old hours. */
  private async initialReach(closedUntilMs: number): Promise<RollupReach> {
    const [first] = await this.query<{ at: Date | null }>('select min(created_at) as at from request_logs');
    const firstMs = Math.min(first?.at?.getTime() ?? closedUntilMs, closedUntilMs);
    const fromMs = startOf(COARSE_HOURS, firstMs);
    const fineFromMs = Math.max(fromMs, startOf(COARSE_HOURS, closedUntilMs - FINE_RETENTION_MS));
    return { rolledFromMs: fromMs, rolledUntilMs: fromMs, fineFromMs };
  }

  /** Rolls up rows, and then each longer rollup around them that ends by `untilMs`. */
  private async rollUp(startMs: number, hours: RollupHours, untilMs: number): Promise<void> {
    await this.query(
      `delete from stats_late_hours where hour >= $1::timestamptz and hour < $1::timestamptz + $2::smallint * interval '1 hour'`,
      [new Date(startMs), hours],
    );
    for (const length of ROLLUP_HOURS.filter((longer) => longer >= hours)) {
      const start = new Date(startOf(length, startMs));
      if (start.getTime() + length * HOUR_MS > untilMs) return;
      await this.query('delete from stats_rollup where start = $1 and hours = $2', [start, length]);
      await this.query(length === hours ? ROLLUPS_OF_ROWS : ROLLUPS_OF_ROLLUPS, [start, length]);
    }
  }

  /** `virtualtransaction` identifies a transaction while it lasts. */
  private async writers(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `select virtualtransaction as id from pg_locks
        where locktype = 'relation' and relation = 'request_logs'::regclass and mode = 'RowExclusiveLock'
          and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.map(({ id }) => id);
  }
}

interface State {
  readonly closed_until: Date | null;
  readonly rolled_from: Date | null;
  readonly rolled_until: Date | null;
  readonly fine_from: Date | null;
}

function reachOf({ rolled_from, rolled_until, fine_from }: State): RollupReach | null {
  if (rolled_from === null || rolled_until === null || fine_from === null) return null;
  return {
    rolledFromMs: rolled_from.getTime(),
    rolledUntilMs: rolled_until.getTime(),
    fineFromMs: fine_from.getTime(),
  };
}
