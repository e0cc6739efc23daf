-- The costs of a key on days and in months. Closed days and months are read from their sums.
--
-- $1 key, $2 days, $3 first days of months
with months as materialized (
  select month, exists (select from cost_months c where c.month = m.month) as closed
    from unnest($3::date[]) as m(month)
), wanted as materialized (
  select kind, month, day, exists (select from cost_days c where c.day = d.day) as closed
    from (
      select 'day' as kind, null::date as month, day
        from unnest($2::date[]) as u(day)
       union all
      select 'month', month, month + n
        from months
       cross join lateral generate_series(0, (month + interval '1 month')::date - month - 1) n
       where not closed) d
), rows as (
  select 'month' as kind, months.month, null::date as day, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
    from months
   cross join lateral (
     select *
       from cost_month_sums s
      where s.month = months.month and filtered = 'all' and value = '' and grouped = 'key' and other = $1::uuid::text
     offset 0) s
   where closed
   union all
  select kind, month, s.day, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
    from wanted
   cross join lateral (
     select * from cost_day_sums where day = wanted.day and dimension = 'key' and value = $1::uuid::text offset 0) s
   where closed
   union all
  select kind, month, r.day, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
    from wanted
   cross join lateral (select * from cost_daily where day = wanted.day and key_id = $1::uuid offset 0) r
   where not closed
)
select kind, case kind when 'day' then to_char(day, 'YYYY-MM-DD') else to_char(month, 'YYYY-MM') end as value,
       sum(requests)::float8 as requests, sum(unpriced_requests)::float8 as unpriced, sum(cost_nanos)::text as nanos,
       sum(cached_input + cached_audio_input)::float8 as reads, sum(cache_write_5m + cache_write_1h)::float8 as writes
  from rows
 group by 1, 2
