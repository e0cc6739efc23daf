-- The costs of usage by day, and of the given keys and models. The values of keys and models are read from sums of closed months,
-- sums of other closed days, and single rows. The lateral joins look up each month and day in the index. `offset 0` keeps the planner from
-- turning them into plain joins.
--
-- $1 first day, $2 last day, $3 keys, $4 models
with span as (
  select greatest($1::date, oldest) as first, least($2::date, newest) as last
    from (select min(day) as oldest, max(day) as newest from cost_daily) kept
   where oldest is not null
), months as materialized (
  select month
    from cost_months
   where month >= $1::date and (month + interval '1 month')::date <= $2::date + 1
), wanted as materialized (
  select day, exists (select from cost_days c where c.day = d.day) as closed,
         exists (select from months where month = date_trunc('month', day)) as in_month
    from (select first + n as day from span cross join lateral generate_series(0, last - first) n) d
), open as materialized (
  select c.day, key_id::text as key, model, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
    from wanted
   cross join lateral (select * from cost_daily where day = wanted.day offset 0) c
   where not closed
)
select case when day is null then 'total' else 'day' end as kind, coalesce(to_char(day, 'YYYY-MM-DD'), '') as value,
       sum(requests)::float8 as requests, sum(unpriced_requests)::float8 as unpriced, sum(cost_nanos)::text as nanos,
       sum(cached_input + cached_audio_input)::float8 as reads, sum(cache_write_5m + cache_write_1h)::float8 as writes
  from (
    select s.day, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
      from wanted
     cross join lateral (select * from cost_day_sums s where s.day = wanted.day and dimension = 'all' offset 0) s
     where closed
     union all
    select day, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
      from open) rows
 group by grouping sets ((day), ())
having count(*) > 0
 union all
select 'key', value,
       sum(requests)::float8 as requests, sum(unpriced_requests)::float8 as unpriced, sum(cost_nanos)::text as nanos,
       sum(cached_input + cached_audio_input)::float8 as reads, sum(cache_write_5m + cache_write_1h)::float8 as writes
  from (
    select other as value, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
      from months
     cross join lateral (
       select *
         from cost_month_sums s
        where s.month = months.month and filtered = 'all' and value = '' and grouped = 'key' and other = any($3::text[])
       offset 0) s
     union all
    select s.value, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
      from wanted
     cross join lateral (
       select *
         from cost_day_sums s
        where s.day = wanted.day and dimension = 'key' and value = any($3::text[])
       offset 0) s
     where closed and not in_month
     union all
    select key, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
      from open
     where key = any($3::text[])) rows
 group by value
 union all
select 'model', value,
       sum(requests)::float8 as requests, sum(unpriced_requests)::float8 as unpriced, sum(cost_nanos)::text as nanos,
       sum(cached_input + cached_audio_input)::float8 as reads, sum(cache_write_5m + cache_write_1h)::float8 as writes
  from (
    select other as value, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
      from months
     cross join lateral (
       select *
         from cost_month_sums s
        where s.month = months.month and filtered = 'all' and value = '' and grouped = 'model' and other = any($4::text[])
       offset 0) s
     union all
    select s.value, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
      from wanted
     cross join lateral (
       select *
         from cost_day_sums s
        where s.day = wanted.day and dimension = 'model' and value = any($4::text[])
       offset 0) s
     where closed and not in_month
     union all
    select model, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
      from open
     where model = any($4::text[])) rows
 group by value
