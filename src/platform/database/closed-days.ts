import type { SchedulerRegistry } from '@nestjs/schedule';
import type { DataSource } from 'typeorm';
import type { Database } from './database.service.js';
import { PeriodicService } from './periodic-task.js';

/** Names are constants and are inserted into statements without quoting. */
export interface DayTables {
  /** The rows to sum, with a column `day`. */
  readonly rows: string;
  /** One row for each closed day. */
  readonly closed: string;
  /** The name of the lock that the trigger on `rows` holds shared: `usage-day`. */
  readonly lock: string;
  /** Closes the day `$1` and writes its sums. */
  readonly close: string;
}

/** Days, or longer periods that are identified by their first day. */
export interface ClosablePeriods {
  /** Returns periods that can be closed, newest first. */
  open(count: number): Promise<string[]>;
  /** Returns false, without any effect, if another process is writing to or closing the period. */
  close(period: string, signal: AbortSignal): Promise<boolean>;
}

/** Sums of whole days, from which reads of many days are fast. A later write reopens its day. */
export abstract class ClosedDayStore implements ClosablePeriods {
  constructor(
    private readonly source: DataSource,
    private readonly tables: DayTables,
  ) {}

  /** Returns UTC days that ended at least two minutes ago, have rows and are not closed, newest first. */
  async open(count: number): Promise<string[]> {
    const { rows, closed } = this.tables;
    // A request is recorded within a second of its end, so after two minutes most days do not have to be closed again.
    const days = await this.source.query<{ day: string }[]>(
      `with span as (
         select min(day) as first, ((clock_timestamp() - interval '2 minutes') at time zone 'UTC')::date - 1 as last from ${rows}
       )
       select (first + n)::text as day from span, generate_series(0, last - first) n
        where not exists (select from ${closed} d where d.day = first + n)
          and exists (select from ${rows} r where r.day = first + n)
        order by n desc limit $1`,
      [count],
    );
    return days.map(({ day }) => day);
  }

  /** Returns false, without any effect, if another process is writing to or closing the day. */
  close(day: string): Promise<boolean> {
    return this.source.transaction(async (transaction) => {
      // A separate statement: the snapshot of the sums must begin after the lock is held.
      const [lock] = await transaction.query<{ taken: boolean }[]>(
        `select pg_try_advisory_xact_lock(hashtextextended('${this.tables.lock}:' || ($1::date - date '1970-01-01'), 0)) as taken`,
        [day],
      );
      if (lock?.taken !== true) return false;
      await transaction.query(this.tables.close, [day]);
      return true;
    });
  }
}

interface Closing {
  /** Name of the interval in Nest's registry: `usage days`. */
  readonly name: string;
  readonly logger: string;
  readonly failure: string;
  /** More periods than the retention time contains. */
  readonly periodsPerRun: number;
}

/**
 * Closes days after their end, at startup and every ten minutes. Every process runs it, but only the first one finds work. Reads
 * of a day that is not closed are slower, with the same result.
 */
export abstract class ClosedDays extends PeriodicService {
  constructor(
    private readonly periods: ClosablePeriods,
    database: Database,
    registry: SchedulerRegistry,
    private readonly closing: Closing,
  ) {
    const { name, logger, failure } = closing;
    super(database, registry, logger, { name, failure, everyMs: 600_000, retryMs: 10_000 });
  }

  async run(): Promise<void> {
    for (const period of await this.periods.open(this.closing.periodsPerRun)) {
      if (this.signal.aborted) return;
      await this.periods.close(period, this.signal);
    }
  }
}
