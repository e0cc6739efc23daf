/**
 * $1 writer, $2 number, then one array a column of `granted`: one row a key, what Redis granted since the last time, by the
 * newest windows. What was granted before a window's reset is not in it any more. `held` 0: nothing was added; `was` tells
 * whether it had been before. In key order, as admission: no deadlock.
 */
export const ADD_GRANTED = `
with fence as materialized (
  select from quota_writer where writer_id = $1 and batch = $2::bigint - 1 for no key update
), granted as (
  select * from unnest($3::uuid[], $4::bigint[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::int[])
             as g(key_id, at_version, m, mn, d, dn, mo, mon)
), locked as materialized (
  select g.*, q.minute, q.minute_count, q.day, q.day_count, q.month, q.month_count, q.minute_reset, q.day_reset, q.month_reset
    from granted g join key_quota q using (key_id)
   where exists (select from fence)
   order by g.key_id for no key update of q
), added as (
  update key_quota q set
         minute = greatest(l.minute, l.m), minute_count = case when l.m > l.minute then 0 else l.minute_count end + case when l.m >= l.minute and l.at_version >= l.minute_reset then mn else 0 end,
         day    = greatest(l.day, l.d),    day_count    = case when l.d > l.day then 0 else l.day_count end + case when l.d >= l.day and l.at_version >= l.day_reset then dn else 0 end,
         month  = greatest(l.month, l.mo), month_count  = case when l.mo > l.month then 0 else l.month_count end + case when l.mo >= l.month and l.at_version >= l.month_reset then mon else 0 end
    from locked l where q.key_id = l.key_id
), marked as (
  update quota_writer set batch = $2, at = clock_timestamp() where writer_id = $1 and batch = $2::bigint - 1
)
select (select count(*)::int from fence) as held, (select batch::float8 from quota_writer where writer_id = $1) as was`;

/** $1 writer. */
export const INSERT_RECORD_WRITER = 'insert into quota_writer (writer_id, batch) values ($1, 0) on conflict do nothing';

/** $1 keys. The rows as they are, windows gone by or not; tokens of the month of this moment. */
export const READ_ROWS = `
select q.key_id as "keyId", q.version::float8 as version, q.minute, q.minute_count as "minuteUsed", q.day, q.day_count as "dayUsed",
       q.month, q.month_count::float8 as "monthUsed", t.month as "tokensMonth",
       coalesce(u.input_tokens + u.output_tokens, 0)::float8 as tokens, q.minute_reset::float8 as "minuteResetAt",
       q.day_reset::float8 as "dayResetAt", q.month_reset::float8 as "monthResetAt"
  from (select (date_part('year', now at time zone 'UTC') * 12 + date_part('month', now at time zone 'UTC') - 1)::int as month
          from (select clock_timestamp() as now) c) t
 cross join key_quota q left join usage_monthly u on u.key_id = q.key_id and u.month = t.month
 where q.key_id = any($1::uuid[])`;

export const RAISE_EPOCH = `
with raised as (update quota_epoch set epoch = epoch + 1 returning epoch) select epoch::float8 as epoch from raised`;
