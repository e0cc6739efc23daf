-- Costs of each day. Closed days are read from their sums, if these have the dimension of the filter. Other days are summed from
-- `cost_daily`. The lateral joins look up each day in the index, because plain joins would read all days.
--
-- The planner knows the parameter values, so conditions on parameters alone, such as an absent filter, cost nothing.
--
-- $1 keys or null, $2 filter, $3 first days and $4 last days of ranges that do not overlap, $5 dimension of the sums, or null
with span as (
  select min(day) as first, max(day) as last
    from cost_daily
), wanted as materialized (
  select range.first + n as day, exists (select from cost_days c where c.day = range.first + n) as closed
    from span
   cross join lateral (
     select greatest(g.first, span.first) as first, least(g.last, span.last) as last
       from unnest($3::date[], $4::date[]) as g(first, last)) range
   cross join lateral generate_series(0, range.last - range.first) n
   where $5::text is not null and span.first is not null
)
select day::text,
       sum(requests) as requests, sum(unpriced_requests) as unpriced_requests, sum(estimated_requests) as estimated_requests,
       sum(backfilled_requests) as backfilled_requests, sum(cost_nanos) as cost_nanos, sum(input) as input,
       sum(cached_input) as cached_input, sum(cache_write_5m) as cache_write_5m, sum(cache_write_1h) as cache_write_1h,
       sum(output) as output, sum(reasoning) as reasoning, sum(audio_input) as audio_input,
       sum(cached_audio_input) as cached_audio_input, sum(audio_output) as audio_output, sum(image_input) as image_input,
       sum(image_output) as image_output, sum(web_searches) as web_searches, sum(file_searches) as file_searches,
       sum(code_executions) as code_executions, sum(images) as images, sum(audio_seconds) as audio_seconds,
       sum(characters) as characters
  from (
    select wanted.day, requests, unpriced_requests, estimated_requests, backfilled_requests, cost_nanos,
           input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
           image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters
      from wanted
     cross join lateral (
       select *
         from cost_day_sums s
        where s.day = wanted.day
          and dimension = $5
          and ($1::uuid[] is null or value = any($1::text[]))
          and ($2::jsonb ->> $5 is null or value = $2 ->> $5)
       offset 0) s
     where closed
     union all
    select wanted.day, requests, unpriced_requests, estimated_requests, case when backfilled then requests else 0 end, cost_nanos,
           input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
           image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters
      from wanted
     cross join lateral (
       select *
         from cost_daily r
        where r.day = wanted.day
          and ($1 is null or key_id = any($1))
          and ($2 ->> 'model' is null or model = $2 ->> 'model')
          and ($2 ->> 'endpoint' is null or endpoint = $2 ->> 'endpoint')
          and ($2 ->> 'provider' is null or provider = $2 ->> 'provider')
       offset 0) r
     where not closed
     union all
    select day, requests, unpriced_requests, estimated_requests, case when backfilled then requests else 0 end, cost_nanos,
           input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
           image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters
      from cost_daily
     where $5 is null
       and (day between ($3)[1] and ($4)[1] or day between ($3)[2] and ($4)[2])
       and ($1 is null or key_id = any($1))
       and ($2 ->> 'model' is null or model = $2 ->> 'model')
       and ($2 ->> 'endpoint' is null or endpoint = $2 ->> 'endpoint')
       and ($2 ->> 'provider' is null or provider = $2 ->> 'provider')) rows
 group by day
 order by day
