-- Stores the sums of a month by one or two of key, model, endpoint and provider. $1 first day of the month
with closed as (
  insert into cost_months (month) values ($1::date) on conflict do nothing returning month
), sums as (
  select key_id::text as key, model, endpoint, provider,
         bounded_sum(sum(requests)) as requests, bounded_sum(sum(unpriced_requests)) as unpriced_requests,
         bounded_sum(sum(estimated_requests)) as estimated_requests,
         bounded_sum(sum(case when backfilled then requests else 0 end)) as backfilled_requests,
         bounded_sum(sum(cost_nanos)) as cost_nanos, bounded_sum(sum(input)) as input, bounded_sum(sum(cached_input)) as cached_input,
         bounded_sum(sum(cache_write_5m)) as cache_write_5m, bounded_sum(sum(cache_write_1h)) as cache_write_1h,
         bounded_sum(sum(output)) as output, bounded_sum(sum(reasoning)) as reasoning, bounded_sum(sum(audio_input)) as audio_input,
         bounded_sum(sum(cached_audio_input)) as cached_audio_input, bounded_sum(sum(audio_output)) as audio_output,
         bounded_sum(sum(image_input)) as image_input, bounded_sum(sum(image_output)) as image_output,
         bounded_sum(sum(web_searches)) as web_searches, bounded_sum(sum(file_searches)) as file_searches,
         bounded_sum(sum(code_executions)) as code_executions, bounded_sum(sum(images)) as images,
         bounded_sum(sum(audio_seconds)) as audio_seconds, bounded_sum(sum(characters)) as characters
    from cost_daily
   where day >= (select month from closed) and day < ((select month from closed) + interval '1 month')::date
   group by grouping sets (
     (key_id), (model), (endpoint), (provider),
     (model, key_id), (endpoint, key_id), (provider, key_id), (model, endpoint), (model, provider), (endpoint, provider))
)
insert into cost_month_sums (
  month, filtered, value, grouped, other,
  requests, unpriced_requests, estimated_requests, backfilled_requests, cost_nanos,
  input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
  image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters)
select $1::date, f.name, f.value, g.name, g.value,
       requests, unpriced_requests, estimated_requests, backfilled_requests, cost_nanos,
       input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
       image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters
  from sums
 cross join lateral (values ('all', ''), ('model', model), ('endpoint', endpoint), ('provider', provider)) f(name, value)
 cross join lateral (values ('key', key), ('model', model), ('endpoint', endpoint), ('provider', provider)) g(name, value)
 where f.value is not null and g.value is not null and f.name <> g.name
   and (f.name = 'all') = (num_nonnulls(key, model, endpoint, provider) = 1)
 order by 2, 3, 4, 5
