import { setTimeout as pause } from 'node:timers/promises';
import { COARSE_HOURS, HOUR_MS, LEVELS, startOf, type Level } from '../ladder.rules.js';
import { BLOCK_OF_BLOCKS, BLOCK_OF_ROWS } from './rollup-statements.js';
import { NEXT_UNSPLIT, SPLIT } from './split-statements.js';

/** How long blocks shorter than `COARSE_HOURS` are kept: what is asked for without a time has its edges among them. */
const FINE_MS = 35 * 24 * HOUR_MS;
const WRITERS_MS_MAX = 30_000;
const LOOK_EACH_MS = 50;

export type Query = <R extends object>(sql: string, parameters?: unknown[]) => Promise<R[]>;

/** How far the ladder reaches: milliseconds since 1970. */
interface Reach {
  readonly rolledFromMs: number;
  readonly rolledUntilMs: number;
  readonly fineFromMs: number;
}

/**
 * Builds the ladder step by step, on one connection. A step is one transaction that can be repeated as a whole; one that fails
 * is undone when its caller ends the connection. Two at once do no harm: the row of the state lets one of them pass.
 */
export class RollupSession {
  constructor(private readonly query: Query) {}

  /**
   * Announces that hours before `untilMs` are being summed up, so that rows which come from now on mark their hour, and waits for
   * whoever began to write without knowing. From then on a snapshot holds all rows of these hours but those with a mark to come.
   */
  async close(untilMs: number): Promise<void> {
    await this.query(CLOSE, [new Date(untilMs)]);
    const begun = performance.now();
    let left = await this.writers();
    while (left.length > 0) {
      if (performance.now() - begun > WRITERS_MS_MAX)
        throw new Error('a batch of the sample is being written for 30 s');
      await pause(LOOK_EACH_MS);
      const now = new Set(await this.writers());
      left = left.filter((id) => now.has(id));
    }
  }

  /** Sums up the oldest closed hours that are not, and every longer block that is whole with them. @returns false: none was left */
  rollNext(): Promise<boolean> {
    return this.step(async (known, closedUntilMs) => {
      const reach = known ?? (await this.beginning(closedUntilMs));
      const hours = reach.rolledUntilMs < reach.fineFromMs ? COARSE_HOURS : 1;
      const rolledUntilMs = reach.rolledUntilMs + hours * HOUR_MS;
      if (rolledUntilMs > closedUntilMs) return null;
      await this.build(reach.rolledUntilMs, hours, rolledUntilMs);
      return { ...reach, rolledUntilMs };
    });
  }

  /** Sums up the oldest hour anew that has got rows since, and every longer block that it is in. @returns false: none was left */
  rollLate(): Promise<boolean> {
    return this.step(async (reach) => {
      if (reach === null) return null;
      const [late] = await this.query<{ hour: Date }>(LATE, [new Date(reach.rolledUntilMs)]);
      if (late === undefined) return null;
      const hours = late.hour.getTime() < reach.fineFromMs ? COARSE_HOURS : 1;
      const startMs = startOf(hours, late.hour.getTime());
      await this.build(startMs, hours, reach.rolledUntilMs);
      return { ...reach, rolledFromMs: Math.min(reach.rolledFromMs, startMs) };
    });
  }

  /** Takes away the short blocks of the oldest hours that have them for too long. @returns false: none was left */
  coarsen(): Promise<boolean> {
    return this.step(async (reach) => {
      if (reach === null) return null;
      const fineFromMs = reach.fineFromMs + COARSE_HOURS * HOUR_MS;
      if (fineFromMs > reach.rolledUntilMs - FINE_MS) return null;
      await this.query(COARSEN, [new Date(reach.fineFromMs), new Date(fineFromMs), COARSE_HOURS]);
      return { ...reach, fineFromMs };
    });
  }

  /** Splits the youngest busy blocks that are not. @returns false: none was left */
  splitNext(): Promise<boolean> {
    return this.step(async (reach) => {
      const [next] = await this.query<{ start: Date; hours: number }>(NEXT_UNSPLIT);
      if (next === undefined) return null;
      await this.query(SPLIT, [next.start, next.hours]);
      return reach;
    });
  }

  /** @param work returns what the state is to be, null: nothing was done */
  private async step(work: (reach: Reach | null, closedUntilMs: number) => Promise<Reach | null>): Promise<boolean> {
    await this.query('begin isolation level repeatable read');
    const [state] = await this.query<State>(STATE);
    const after = state?.closed_until ? await work(reachOf(state), state.closed_until.getTime()) : null;
    if (after !== null) await this.query(SAVE, [after.rolledFromMs, after.rolledUntilMs, after.fineFromMs].map(dateOf));
    await this.query(after === null ? 'rollback' : 'commit');
    return after !== null;
  }

  /** Before the first step: as far back as there are rows, in blocks that are long from the start. */
  private async beginning(closedUntilMs: number): Promise<Reach> {
    const [first] = await this.query<{ at: Date | null }>(FIRST);
    const firstMs = Math.min(first?.at?.getTime() ?? closedUntilMs, closedUntilMs);
    const fromMs = startOf(COARSE_HOURS, firstMs);
    const fineFromMs = Math.max(fromMs, startOf(COARSE_HOURS, closedUntilMs - FINE_MS));
    return { rolledFromMs: fromMs, rolledUntilMs: fromMs, fineFromMs };
  }

  /** A block from its rows, then each longer one around it that ends before `untilMs`, from its four parts. */
  private async build(startMs: number, hours: Level, untilMs: number): Promise<void> {
    await this.query(FORGET_MARKS, [new Date(startMs), hours]);
    for (const level of LEVELS.filter((longer) => longer >= hours)) {
      const start = startOf(level, startMs);
      if (start + level * HOUR_MS > untilMs) return;
      await this.query(REMOVE, [new Date(start), level]);
      await this.query(level === hours ? BLOCK_OF_ROWS : BLOCK_OF_BLOCKS, [new Date(start), level]);
    }
  }

  private async writers(): Promise<string[]> {
    return (await this.query<{ id: string }>(WRITERS)).map(({ id }) => id);
  }
}

interface State {
  readonly closed_until: Date | null;
  readonly rolled_from: Date | null;
  readonly rolled_until: Date | null;
  readonly fine_from: Date | null;
}

function reachOf({ rolled_from, rolled_until, fine_from }: State): Reach | null {
  if (rolled_from === null || rolled_until === null || fine_from === null) return null;
  return {
    rolledFromMs: rolled_from.getTime(),
    rolledUntilMs: rolled_until.getTime(),
    fineFromMs: fine_from.getTime(),
  };
}

const dateOf = (ms: number): Date => new Date(ms);

// Never backwards: what is summed up stays closed. Never ahead of the server's clock: a process whose own is wrong would close
// hours that have hardly begun.
const CLOSE = `
update stats_rollup_state
   set closed_until = greatest(closed_until, least($1::timestamptz, date_trunc('hour', clock_timestamp(), 'UTC')))`;

// Transactions that are writing to the sample at this moment; "virtualtransaction" names one for as long as it lasts.
const WRITERS = `
select virtualtransaction as id from pg_locks
 where locktype = 'relation' and relation = 'request_logs'::regclass and mode = 'RowExclusiveLock'
   and database = (select oid from pg_database where datname = current_database())`;

const STATE = 'select closed_until, rolled_from, rolled_until, fine_from from stats_rollup_state for update';

const SAVE = 'update stats_rollup_state set rolled_from = $1, rolled_until = $2, fine_from = $3';

const FIRST = 'select min(created_at) as at from request_logs';

const LATE = 'select hour from stats_late_hours where hour < $1 order by hour limit 1';

const FORGET_MARKS = `
delete from stats_late_hours where hour >= $1::timestamptz and hour < $1::timestamptz + $2::smallint * interval '1 hour'`;

const REMOVE = 'delete from stats_rollup where start = $1 and hours = $2';

const COARSEN = 'delete from stats_rollup where start >= $1 and start < $2 and hours < $3';
