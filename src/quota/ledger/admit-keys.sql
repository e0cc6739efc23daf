-- Admits a batch of requests whose keys have no further limits.
--
-- $1 writer, $2 number of the batch, $3 version of the set of limits in which no request has a limit, $4 keys
with fence as materialized (
  select from quota_writer where writer_id = $1 and batch = $2::bigint - 1 for no key update
), locked as materialized (
  -- In key order, which prevents deadlocks. `q` is the newest row, not that of the snapshot.
  select r.key_id, r.version, r.requests, r.rpm_limit, r.rpd_limit, r.monthly_limit, r.monthly_token_limit, r.counts_all_tokens,
         q.version as current_version, q.minute, q.minute_count, q.day, q.day_count, q.month, q.month_count
    from unnest($4::admission_key[]) r
    join key_quota q using (key_id)
   where exists (select from fence)
   order by r.key_id
     for no key update of q
), clock as materialized (
  -- Read once, after the last lock, because the writer's row stores one instant for the batch.
  select clock_timestamp() as now from (select count(*) from locked) l
), timed as materialized (
  select l.*, c.now,
         floor(date_part('epoch', c.now) / 60)::int as current_minute,
         floor(date_part('epoch', c.now) / 86400)::int as current_day,
         (date_part('year', c.now at time zone 'UTC') * 12 + date_part('month', c.now at time zone 'UTC') - 1)::int as current_month
    from locked l
   cross join clock c
), used as materialized (
  -- A window is kept if it is the current one, or the next one after the clock was set back.
  select t.key_id, t.version, t.current_version, t.requests, t.now,
         t.rpm_limit, t.rpd_limit, t.monthly_limit, t.monthly_token_limit, t.counts_all_tokens,
         case when t.minute - t.current_minute in (0, 1) then t.minute else t.current_minute end as minute,
         case when t.minute - t.current_minute in (0, 1) then t.minute_count else 0 end as minute_used,
         case when t.day - t.current_day in (0, 1) then t.day else t.current_day end as day,
         case when t.day - t.current_day in (0, 1) then t.day_count else 0 end as day_used,
         case when t.month - t.current_month in (0, 1) then t.month else t.current_month end as month,
         case when t.month - t.current_month in (0, 1) then t.month_count else 0 end as month_used,
         coalesce(u.input_tokens + u.output_tokens, 0) as tokens,
         coalesce(u.additional_tokens, 0) as additional_tokens
    from timed t
    left join usage_monthly u on u.key_id = t.key_id and u.month = t.current_month
), decided as materialized (
  -- least() ignores null, which means no limit. `granted` is null for a stale version.
  select *,
         case when version = current_version and (select version from limit_set) = $3::bigint then
           greatest(0, least(
             requests,
             rpm_limit - minute_used,
             rpd_limit - day_used,
             monthly_limit - month_used,
             case when tokens + case when counts_all_tokens then additional_tokens else 0 end >= monthly_token_limit then 0 end))
         end::int as granted
    from used
), counted as (
  update key_quota q
     set minute = d.minute, minute_count = d.minute_used + d.granted,
         day = d.day, day_count = d.day_used + d.granted,
         month = d.month, month_count = d.month_used + d.granted
    from decided d
   where q.key_id = d.key_id and d.granted > 0
), marked as (
  update quota_writer w
     set batch = $2::bigint, short_keys = s.keys, short_granted = s.granted, at = c.now
    from (
      select array_agg(key_id) as keys, array_agg(coalesce(granted, 0)) as granted
        from decided where coalesce(granted, 0) < requests) s,
         clock c
   where w.writer_id = $1 and w.batch = $2::bigint - 1
)
select d.key_id, d.current_version, date_part('epoch', d.now) * 1000 as now_ms,
       d.minute, d.minute_used, d.day, d.day_used, d.month, d.month_used,
       d.tokens, d.additional_tokens, d.granted, d.version
  from fence
  left join decided d on true
