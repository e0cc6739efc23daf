-- Stores the sums of a day by key and by model. $1 day
with closed as (
  insert into usage_days (day) values ($1::date) on conflict do nothing returning day
), sums as materialized (
  select key_id, model, sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(estimated_tokens) as estimated_tokens
    from usage_daily
   where day = (select day from closed)
   group by grouping sets ((key_id), (model))
), by_key as (
  insert into usage_day_keys (day, key_id, requests, errors, input_tokens, output_tokens, estimated_tokens)
  select $1::date, key_id, requests, errors, input_tokens, output_tokens, estimated_tokens
    from sums
   where key_id is not null
   order by key_id
)
insert into usage_day_models (day, model, requests, errors, input_tokens, output_tokens, estimated_tokens)
select $1::date, model, requests, errors, input_tokens, output_tokens, estimated_tokens
  from sums
 where model is not null
 order by model
