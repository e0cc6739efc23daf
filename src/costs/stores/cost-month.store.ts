import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import type { ClosablePeriods } from '../../platform/database/period-closer.js';
import { TaskConnection } from '../../platform/database/task-connection.js';
import { sqlFile } from '../../platform/database/sql-file.js';

const FIND_OPEN = sqlFile(import.meta.url, './find-open-cost-months.sql');
const CLOSE = sqlFile(import.meta.url, './close-cost-month.sql');

/** A month has about 30 times as many rows as a day, and more sums. */
const STATEMENT_TIMEOUT_MS = 60_000;
const SESSION = { lock_timeout: '5000', idle_in_transaction_session_timeout: '10000', jit: 'off', work_mem: '32MB' };

/** The sums of closed months by one or two of key, model, endpoint and provider. A month is identified by its first day. */
@Injectable()
export class CostMonthStore implements ClosablePeriods {
  constructor(
    private readonly source: DataSource,
    private readonly config: Config,
  ) {}

  /** Returns months that ended at least two minutes ago and whose days with rows are all closed, newest first. */
  async findOpen(count: number): Promise<string[]> {
    const months = await this.source.query<{ month: string }[]>(FIND_OPEN, [count]);
    return months.map(({ month }) => month);
  }

  /** On a separate connection, because closing a busy month takes longer than the statement timeout of the pool. */
  close(month: string, signal = new AbortController().signal): Promise<boolean> {
    const terms = { name: 'gateway-cost-months', statementMsMax: STATEMENT_TIMEOUT_MS, session: SESSION };
    return TaskConnection.during(this.config.databaseUrl ?? '', terms, signal, async (connection) => {
      await connection.query('begin');
      // A separate statement: the snapshot of the sums must begin after the lock is held.
      const [lock] = await connection.query<{ taken: boolean }>(
        `select pg_try_advisory_xact_lock(hashtextextended('cost-month:' || ($1::date - date '1970-01-01'), 0)) as taken`,
        [month],
      );
      if (lock?.taken === true) await connection.query(CLOSE, [month]);
      await connection.query('commit');
      return lock?.taken === true;
    });
  }
}
