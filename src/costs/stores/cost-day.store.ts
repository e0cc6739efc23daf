import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ROW_SUMS, SUM_COLUMNS } from './cost-statements.js';

/** The sums of closed days by key, model, endpoint and provider, and of all. */
@Injectable()
export class CostDayStore {
  constructor(private readonly source: DataSource) {}

  /** Returns UTC days that ended at least two minutes ago, have rows and are not closed, newest first. */
  async open(count: number): Promise<string[]> {
    const rows = await this.source.query<{ day: string }[]>(OPEN, [count]);
    return rows.map(({ day }) => day);
  }

  /** A later write reopens the day. Returns false, without any effect, if another process is writing to or closing it. */
  close(day: string): Promise<boolean> {
    return this.source.transaction(async (transaction) => {
      // A separate statement: the snapshot of the sums must begin after the lock is held.
      const [lock] = await transaction.query<{ taken: boolean }[]>(LOCK, [day]);
      if (lock?.taken !== true) return false;
      await transaction.query(CLOSE, [day]);
      return true;
    });
  }
}

// A request is recorded within a second of its end, so after two minutes most days do not have to be closed again.
const OPEN = `
with span as (
  select min(day) as first, ((clock_timestamp() - interval '2 minutes') at time zone 'UTC')::date - 1 as last from cost_daily
)
select (first + n)::text as day from span, generate_series(0, last - first) n
 where not exists (select from cost_days d where d.day = first + n)
   and exists (select from cost_daily c where c.day = first + n)
 order by n desc limit $1`;

/** Writers hold it shared: see the trigger on `cost_daily`. */
const LOCK = `
select pg_try_advisory_xact_lock(hashtextextended('cost-day:' || ($1::date - date '1970-01-01'), 0)) as taken`;

const CLOSE = `
with closed as (
  insert into cost_days (day) values ($1::date) on conflict do nothing returning day
)
insert into cost_day_sums (day, dimension, value, ${SUM_COLUMNS.join(', ')})
select $1::date,
       case when key_id is not null then 'key' when model is not null then 'model' when endpoint is not null then 'endpoint'
            when provider is not null then 'provider' else 'all' end as dimension,
       coalesce(key_id::text, model, endpoint, provider, '') as value, ${ROW_SUMS}
  from cost_daily where day = (select day from closed)
 group by grouping sets ((key_id), (model), (endpoint), (provider), ())
having count(*) > 0
 order by dimension, value`;
