import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The sums of closed days by key and by model. For thirty days, they have a twentieth of the rows. */
@Injectable()
export class UsageDayStore {
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
  select min(day) as first, ((clock_timestamp() - interval '2 minutes') at time zone 'UTC')::date - 1 as last from usage_daily
)
select (first + n)::text as day from span, generate_series(0, last - first) n
 where not exists (select from usage_days d where d.day = first + n)
   and exists (select from usage_daily u where u.day = first + n)
 order by n desc limit $1`;

/** Writers hold it shared: see the trigger on `usage_daily`. */
const LOCK = `
select pg_try_advisory_xact_lock(hashtextextended('usage-day:' || ($1::date - date '1970-01-01'), 0)) as taken`;

const CLOSE = `
with closed as (
  insert into usage_days (day) values ($1::date) on conflict do nothing returning day
), sums as materialized (
  select key_id, model, sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(estimated_tokens) as estimated_tokens
    from usage_daily where day = (select day from closed) group by grouping sets ((key_id), (model))
), by_key as (
  insert into usage_day_keys (day, key_id, requests, errors, input_tokens, output_tokens, estimated_tokens)
  select $1::date, key_id, requests, errors, input_tokens, output_tokens, estimated_tokens from sums where key_id is not null order by key_id
)
insert into usage_day_models (day, model, requests, errors, input_tokens, output_tokens, estimated_tokens)
select $1::date, model, requests, errors, input_tokens, output_tokens, estimated_tokens from sums where model is not null order by model`;
