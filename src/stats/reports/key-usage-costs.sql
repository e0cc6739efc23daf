-- The costs of a key by day and model. $1 first day, $2 last day, $3 key
with used as materialized (
  select day, model, requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h
    from cost_daily
   where key_id = $3 and day between $1::date and $2::date
)
select case when day is not null then 'day' when model is not null then 'model' else 'total' end as kind,
       coalesce(to_char(day, 'YYYY-MM-DD'), model, '') as value,
       sum(requests)::float8 as requests, sum(unpriced_requests)::float8 as unpriced, sum(cost_nanos)::text as nanos,
       sum(cached_input + cached_audio_input)::float8 as reads, sum(cache_write_5m + cache_write_1h)::float8 as writes
  from used
 group by grouping sets ((day), (model), ())
having count(*) > 0
 union all
select 'key', $3::text,
       sum(requests)::float8 as requests, sum(unpriced_requests)::float8 as unpriced, sum(cost_nanos)::text as nanos,
       sum(cached_input + cached_audio_input)::float8 as reads, sum(cache_write_5m + cache_write_1h)::float8 as writes
  from used
having count(*) > 0
