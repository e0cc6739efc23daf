-- Reads the counts of keys without locking them. The first columns are those of admit-keys.sql. $1 keys
select q.key_id, q.version as current_version, date_part('epoch', t.now) * 1000 as now_ms,
       c.minute, case when q.minute - c.minute in (0, 1) then q.minute_count else 0 end as minute_used,
       c.day, case when q.day - c.day in (0, 1) then q.day_count else 0 end as day_used,
       c.month, case when q.month - c.month in (0, 1) then q.month_count else 0 end as month_used,
       coalesce(u.input_tokens + u.output_tokens, 0) as tokens,
       coalesce(u.additional_tokens, 0) as additional_tokens
  from (select clock_timestamp() as now) t
 cross join lateral (
   select floor(date_part('epoch', t.now) / 60)::int as minute,
          floor(date_part('epoch', t.now) / 86400)::int as day,
          (date_part('year', t.now at time zone 'UTC') * 12 + date_part('month', t.now at time zone 'UTC') - 1)::int as month) c
 cross join key_quota q
  left join usage_monthly u on u.key_id = q.key_id and u.month = c.month
 where q.key_id = any($1::uuid[])
