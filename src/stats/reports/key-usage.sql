-- Usage of a key by day and model, in the form of `usage.sql`. $1 first day, $2 last day, $3 key
with used as materialized (
  select key_id, day, model, requests, errors, input_tokens, output_tokens, estimated_tokens
    from usage_daily
   where key_id = $3 and day between $1 and $2
), by_day as (
  select day, sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(estimated_tokens) as estimated_tokens
    from used
   group by grouping sets ((day), ())
), by_key as (
  select key_id, sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(estimated_tokens) as estimated_tokens
    from used
   group by key_id
), by_model as (
  select model, sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(estimated_tokens) as estimated_tokens
    from used
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
