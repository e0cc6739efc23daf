import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import type { ClosablePeriods } from '../../platform/database/closed-days.js';
import { TaskConnection } from '../../platform/database/task-connection.js';
import { ROW_SUMS, SUM_COLUMNS } from './cost-statements.js';

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
  async open(count: number): Promise<string[]> {
    const months = await this.source.query<{ month: string }[]>(OPEN, [count]);
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

// The first month is complete only if it has rows of its first day. Retention deletes its days one after the other.
const OPEN = `
with span as (
  select min(day) as first, date_trunc('month', (clock_timestamp() - interval '2 minutes') at time zone 'UTC')::date as until
    from cost_daily
)
select m::date::text as month
  from span cross join lateral generate_series(date_trunc('month', first), until - 1, interval '1 month') m
 where m::date >= first
   and not exists (select from cost_months c where c.month = m::date)
   and exists (select from cost_daily r where r.day between m::date and (m + interval '1 month')::date - 1)
   and not exists (
     select from generate_series(m, m + interval '1 month' - interval '1 day', interval '1 day') d
      where not exists (select from cost_days c where c.day = d::date) and exists (select from cost_daily r where r.day = d::date))
 order by m desc limit $1`;

const CLOSE = `
with closed as (
  insert into cost_months (month) values ($1::date) on conflict do nothing returning month
), sums as (
  select key_id::text as key, model, endpoint, provider, ${ROW_SUMS}
    from cost_daily
   where day >= (select month from closed) and day < ((select month from closed) + interval '1 month')::date
   group by grouping sets ((key_id), (model), (endpoint), (provider), (model, key_id), (endpoint, key_id), (provider, key_id),
                           (model, endpoint), (model, provider), (endpoint, provider))
)
insert into cost_month_sums (month, filtered, value, grouped, other, ${SUM_COLUMNS.join(', ')})
select $1::date, f.name, f.value, g.name, g.value, ${SUM_COLUMNS.join(', ')}
  from sums
 cross join lateral (values ('all', ''), ('model', model), ('endpoint', endpoint), ('provider', provider)) f(name, value)
 cross join lateral (values ('key', key), ('model', model), ('endpoint', endpoint), ('provider', provider)) g(name, value)
 where f.value is not null and g.value is not null and f.name <> g.name
   and (f.name = 'all') = (num_nonnulls(key, model, endpoint, provider) = 1)
 order by 2, 3, 4, 5`;
