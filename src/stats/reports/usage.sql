-- Usage by day, key and model. Closed days are read from their sums, and the rows of other days, mostly today, are summed. The
-- lateral join looks up each day in the index, because a plain join would read every day. The stored days bound the series,
-- regardless of the range.
--
-- $1 first day, $2 last day
with span as (
  select greatest($1::date, oldest) as first, least($2::date, newest) as last
    from (select min(day) as oldest, max(day) as newest from usage_daily) kept
   where oldest is not null
), open_days as materialized (
  select first + n as day
    from span
   cross join lateral generate_series(0, last - first) n
   where not exists (select from usage_days closed where closed.day = first + n)
), open as materialized (
  select u.day, key_id, model, sum(requests)::bigint as requests, sum(errors)::bigint as errors,
         sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens,
         sum(estimated_tokens)::bigint as estimated_tokens
    from open_days
   cross join lateral (select * from usage_daily where day = open_days.day offset 0) u
   group by grouping sets ((u.day), (key_id), (model))
), by_day as (
  select day, sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(estimated_tokens) as estimated_tokens
    from (
      select day, requests, errors, input_tokens, output_tokens, estimated_tokens
        from usage_day_models
       where day between $1 and $2
       union all
      select day, requests, errors, input_tokens, output_tokens, estimated_tokens
        from open
       where day is not null) rows
   group by grouping sets ((day), ())
), by_key as (
  select key_id, sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(estimated_tokens) as estimated_tokens
    from (
      select key_id, requests, errors, input_tokens, output_tokens, estimated_tokens
        from usage_day_keys
       where day between $1 and $2
       union all
      select key_id, requests, errors, input_tokens, output_tokens, estimated_tokens
        from open
       where key_id is not null) rows
   group by key_id
), by_model as (
  select model, sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(estimated_tokens) as estimated_tokens
    from (
      select model, requests, errors, input_tokens, output_tokens, estimated_tokens
        from usage_day_models
       where day between $1 and $2
       union all
      select model, requests, errors, input_tokens, output_tokens, estimated_tokens
        from open
       where model is not null) rows
   group by model
)
select *
  from (
    select case when day is null then 'total' else 'day' end as kind, to_char(day, 'YYYY-MM-DD') as value, null as name,
           requests::float8, errors::float8, input_tokens::float8, output_tokens::float8, estimated_tokens::float8
      from by_day
     where requests is not null
     union all
    select 'key', key_id::text, k.name, requests::float8, errors::float8, input_tokens::float8, output_tokens::float8, estimated_tokens::float8
      from (select * from by_key order by requests desc, key_id limit 500) most
      left join api_keys k on k.id = key_id
     union all
    select 'model', model, null, requests::float8, errors::float8, input_tokens::float8, output_tokens::float8, estimated_tokens::float8
      from (select * from by_model order by requests desc, model limit 500) most) rows
 order by kind, case kind when 'day' then value end desc, requests desc, value
