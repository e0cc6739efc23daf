import type { DataSource } from 'typeorm';
import type { ClosablePeriods } from './period-closer.js';

interface DayStatements {
  /** The name of the lock that writers of the day's rows hold shared: `usage-day`. */
  readonly lock: string;
  /** Returns up to `$1` UTC days that ended at least two minutes ago, have rows and are not closed, newest first. */
  readonly findOpen: string;
  /** Closes the day `$1` and writes its sums. */
  readonly close: string;
}

const LOCK = `select pg_try_advisory_xact_lock(hashtextextended($1 || ':' || ($2::date - date '1970-01-01'), 0)) as taken`;

/** Sums of whole days, from which reads of many days are fast. A later write reopens its day. */
export abstract class ClosedDayStore implements ClosablePeriods {
  constructor(
    private readonly source: DataSource,
    private readonly statements: DayStatements,
  ) {}

  async findOpen(count: number): Promise<string[]> {
    const days = await this.source.query<{ day: string }[]>(this.statements.findOpen, [count]);
    return days.map(({ day }) => day);
  }

  /** Returns false, without any effect, if another process is writing to or closing the day. */
  close(day: string): Promise<boolean> {
    return this.source.transaction(async (transaction) => {
      // A separate statement: the snapshot of the sums must begin after the lock is held.
      const [lock] = await transaction.query<{ taken: boolean }[]>(LOCK, [this.statements.lock, day]);
      if (lock?.taken !== true) return false;
      await transaction.query(this.statements.close, [day]);
      return true;
    });
  }
}
