-- Costs of these keys, teams, models, endpoints or providers, or of each of their days. With the ranking in one statement, the
-- planner would not know the number of values, and would compute all sums again for each value.
--
-- Closed months are read from their sums if these have the dimensions of the filter and the groups, and if groups have no day. Other
-- closed days are read from their sums in the same way. All other rows are read from `cost_daily`. The lateral joins look up each day
-- in the index, because plain joins would read all days.
--
-- Costs are stored by key, so the costs of a team are those of its current keys. The planner knows the parameter values, so
-- conditions on parameters alone, such as an absent filter, cost nothing.
--
-- $1 keys or null, $2 filter, $3 first day, $4 last day, $5 what to read, $6 values, $7 limit
with span as (
  select min(day) as first, max(day) as last
    from cost_daily
), months as materialized (
  select month
    from cost_months
   where $5::jsonb ->> 'monthSums' is not null
     and month >= $3::date
     and (month + interval '1 month')::date <= $4::date + 1
), wanted as materialized (
  select day, exists (select from cost_days c where c.day = d.day) and $5 ->> 'daySums' is not null as closed
    from (select first + n as day from span cross join lateral generate_series(0, last - first) n) d
   where day between $3 and $4
     and not exists (select from months where month = date_trunc('month', day))
     and coalesce($5 ->> 'daySums', $5 ->> 'monthSums') is not null
), stored as (
  select null::date as day, other as value,
         requests, unpriced_requests, estimated_requests, backfilled_requests, cost_nanos,
         input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
         image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters
    from months
   cross join lateral (
     select *
       from cost_month_sums s
      where s.month = months.month
        and filtered = $5 ->> 'monthSums'
        and value = coalesce($2::jsonb ->> ($5 ->> 'monthSums'), '')
        and grouped = $5 ->> 'stored'
        and ($5 ->> 'dimension' = 'team' or other = any($6::text[]))
        and ($1::uuid[] is null or other = any($1::text[]))
        and ($2 ->> ($5 ->> 'stored') is null or other = $2 ->> ($5 ->> 'stored'))
     offset 0) s
   union all
  select wanted.day, value,
         requests, unpriced_requests, estimated_requests, backfilled_requests, cost_nanos,
         input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
         image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters
    from wanted
   cross join lateral (
     select *
       from cost_day_sums s
      where s.day = wanted.day
        and dimension = $5 ->> 'daySums'
        and ($5 ->> 'dimension' = 'team' or value = any($6))
        and ($1 is null or value = any($1::text[]))
        and ($2 ->> ($5 ->> 'daySums') is null or value = $2 ->> ($5 ->> 'daySums'))
     offset 0) s
   where closed
   union all
  select wanted.day,
         case $5 ->> 'stored' when 'key' then key_id::text when 'model' then model
                              when 'endpoint' then endpoint else provider end,
         requests, unpriced_requests, estimated_requests, case when backfilled then requests else 0 end, cost_nanos,
         input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
         image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters
    from wanted
   cross join lateral (
     select *
       from cost_daily r
      where r.day = wanted.day
        and case $5 ->> 'dimension' when 'key' then key_id = any($6::uuid[]) when 'model' then model = any($6)
                                    when 'endpoint' then endpoint = any($6) when 'provider' then provider = any($6)
                                    else true end
        and ($1 is null or key_id = any($1))
        and ($2 ->> 'model' is null or model = $2 ->> 'model')
        and ($2 ->> 'endpoint' is null or endpoint = $2 ->> 'endpoint')
        and ($2 ->> 'provider' is null or provider = $2 ->> 'provider')
     offset 0) r
   where not closed
   union all
  select day,
         case $5 ->> 'stored' when 'key' then key_id::text when 'model' then model
                              when 'endpoint' then endpoint else provider end,
         requests, unpriced_requests, estimated_requests, case when backfilled then requests else 0 end, cost_nanos,
         input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
         image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters
    from cost_daily
   where coalesce($5 ->> 'daySums', $5 ->> 'monthSums') is null
     and day between $3 and $4
     and case $5 ->> 'dimension' when 'key' then key_id = any($6::uuid[]) when 'model' then model = any($6)
                                 when 'endpoint' then endpoint = any($6) when 'provider' then provider = any($6)
                                 else true end
     and ($1 is null or key_id = any($1))
     and ($2 ->> 'model' is null or model = $2 ->> 'model')
     and ($2 ->> 'endpoint' is null or endpoint = $2 ->> 'endpoint')
     and ($2 ->> 'provider' is null or provider = $2 ->> 'provider')
)
select case when ($5 ->> 'byDay')::boolean then day::text end as day,
       case $5 ->> 'dimension' when 'team' then coalesce(k.team_id::text, '') else stored.value end as value,
       sum(requests) as requests, sum(unpriced_requests) as unpriced_requests, sum(estimated_requests) as estimated_requests,
       sum(backfilled_requests) as backfilled_requests, sum(cost_nanos) as cost_nanos, sum(input) as input,
       sum(cached_input) as cached_input, sum(cache_write_5m) as cache_write_5m, sum(cache_write_1h) as cache_write_1h,
       sum(output) as output, sum(reasoning) as reasoning, sum(audio_input) as audio_input,
       sum(cached_audio_input) as cached_audio_input, sum(audio_output) as audio_output, sum(image_input) as image_input,
       sum(image_output) as image_output, sum(web_searches) as web_searches, sum(file_searches) as file_searches,
       sum(code_executions) as code_executions, sum(images) as images, sum(audio_seconds) as audio_seconds,
       sum(characters) as characters
  from stored
  left join api_keys k on $5 ->> 'dimension' = 'team' and k.id = stored.value::uuid
 where $5 ->> 'dimension' <> 'team' or coalesce(k.team_id::text, '') = any($6)
 group by 1, 2
 order by 1, 2
 limit $7
