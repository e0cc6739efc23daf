-- Adds requests that were served without the store, or takes back requests that were counted but not served.
--
-- $1 writer, $2 number of the entry, $3 keys, each with its newest windows
with fence as materialized (
  select from quota_writer where writer_id = $1 and batch = $2::bigint - 1 for no key update
), unreconciled as (
  select * from unnest($3::unreconciled_key[])
), locked as materialized (
  select u.*, q.minute as stored_minute, q.minute_count as stored_minute_count, q.day as stored_day, q.day_count as stored_day_count,
         q.month as stored_month, q.month_count as stored_month_count
    from unreconciled u
    join key_quota q using (key_id)
   where exists (select from fence)
   order by u.key_id
     for no key update of q skip locked
), skipped as (
  select array_agg(u.key_id) as keys
    from unreconciled u
    join key_quota q using (key_id)
   where exists (select from fence) and not exists (select from locked l where l.key_id = u.key_id)
), added as (
  update key_quota q
     set minute = greatest(l.stored_minute, l.minute),
         minute_count = greatest(0, case when l.minute > l.stored_minute then 0 else l.stored_minute_count end
                                    + case when l.minute >= l.stored_minute then l.minute_count else 0 end),
         day = greatest(l.stored_day, l.day),
         day_count = greatest(0, case when l.day > l.stored_day then 0 else l.stored_day_count end
                                 + case when l.day >= l.stored_day then l.day_count else 0 end),
         month = greatest(l.stored_month, l.month),
         month_count = greatest(0, case when l.month > l.stored_month then 0 else l.stored_month_count end
                                   + case when l.month >= l.stored_month then l.month_count else 0 end)
    from locked l
   where q.key_id = l.key_id
), marked as (
  update quota_writer
     set batch = $2::bigint, short_keys = (select keys from skipped), short_granted = null, at = clock_timestamp()
   where writer_id = $1 and batch = $2::bigint - 1
)
select count(*)::int as fences, (select keys::text[] from skipped) as skipped from fence
