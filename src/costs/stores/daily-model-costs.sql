-- Costs by day, model and upstream. $1 first day, $2 last day, $3 upstream, or null for all, $4 limit
select day::text as day, model, provider,
       sum(requests) as requests, sum(unpriced_requests) as unpriced_requests,
       sum(estimated_requests) as estimated_requests,
       sum(case when backfilled then requests else 0 end) as backfilled_requests,
       sum(cost_nanos) as cost_nanos, sum(input) as input, sum(cached_input) as cached_input,
       sum(cache_write_5m) as cache_write_5m, sum(cache_write_1h) as cache_write_1h,
       sum(output) as output, sum(reasoning) as reasoning, sum(audio_input) as audio_input,
       sum(cached_audio_input) as cached_audio_input, sum(audio_output) as audio_output,
       sum(image_input) as image_input, sum(image_output) as image_output,
       sum(web_searches) as web_searches, sum(file_searches) as file_searches,
       sum(code_executions) as code_executions, sum(images) as images,
       sum(audio_seconds) as audio_seconds, sum(characters) as characters
  from cost_daily
 where day between $1::date and $2::date
   and ($3::text is null or provider = $3)
 group by 1, 2, 3
 order by 1, 2, 3
 limit $4
