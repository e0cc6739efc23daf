import type { StatementText } from './statement.js';

/**
 * $1 writer, $2 number of the batch, then one array a column of `req`. Answers one row a key; a row of nulls: none of
 * the keys has a row; no row at all: fenced, the number is not the next one and nothing was counted.
 */
export const ADMIT: StatementText = {
  name: 'quota-admit',
  text: `
with fence as materialized (
  select from quota_writer where writer_id = $1 and batch = $2::bigint - 1 for no key update
), req as (
  select * from unnest($3::uuid[], $4::bigint[], $5::int[], $6::int[], $7::int[], $8::int[], $9::bigint[])
             as r(key_id, version, n, rpm, rpd, rpmonth, tokens_max)
), locked as materialized (                      -- in key order: no deadlock; q is the newest row, not the snapshot's
  select r.*, q.version as current, q.minute, q.minute_count, q.day, q.day_count, q.month, q.month_count
    from req r join key_quota q using (key_id)
   where exists (select from fence)
   order by r.key_id for no key update of q
), clock as materialized (                       -- read after the last lock, once: the writer's row tells the instant of all
  select clock_timestamp() as now from (select count(*) from locked) l
), timed as materialized (
  select l.*, c.now, floor(date_part('epoch', c.now) / 60)::int as m, floor(date_part('epoch', c.now) / 86400)::int as d,
         (date_part('year', c.now at time zone 'UTC') * 12 + date_part('month', c.now at time zone 'UTC') - 1)::int as mo
    from locked l cross join clock c
), used as materialized (                        -- a window is kept if it is this one or the next (a clock put back), else it starts anew
  select t.key_id, t.version, t.current, t.n, t.now, t.rpm, t.rpd, t.rpmonth, t.tokens_max,
         case when t.minute - t.m in (0, 1) then t.minute else t.m end as m, case when t.minute - t.m in (0, 1) then t.minute_count else 0 end as mu,
         case when t.day - t.d in (0, 1) then t.day else t.d end as d, case when t.day - t.d in (0, 1) then t.day_count else 0 end as du,
         case when t.month - t.mo in (0, 1) then t.month else t.mo end as mo, case when t.month - t.mo in (0, 1) then t.month_count else 0 end as mou,
         coalesce(u.input_tokens + u.output_tokens, 0) as tokens
    from timed t left join usage_monthly u on u.key_id = t.key_id and u.month = t.mo
), decided as materialized (                     -- least() skips null: no limit. null: stale
  select *, case when version = current then
         greatest(0, least(n, rpm - mu, rpd - du, rpmonth - mou, case when tokens >= tokens_max then 0 end)) end::int as granted
    from used
), counted as (
  update key_quota q set minute = e.m, minute_count = e.mu + e.granted, day = e.d, day_count = e.du + e.granted,
                         month = e.mo, month_count = e.mou + e.granted
    from decided e where q.key_id = e.key_id and e.granted > 0
), marked as (
  update quota_writer w set batch = $2, short_keys = s.keys, short_granted = s.granted, at = c.now
    from (select array_agg(key_id) as keys, array_agg(coalesce(granted, 0)) as granted from decided where coalesce(granted, 0) < n) s, clock c
   where w.writer_id = $1 and w.batch = $2::bigint - 1
)
select e.key_id, e.current, date_part('epoch', e.now) * 1000 as now, e.m, e.mu, e.d, e.du, e.mo, e.mou, e.tokens, e.granted
  from fence left join decided e on true`,
};
