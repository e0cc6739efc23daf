-- Adds a batch of sums. Nothing is added unless the writer's row contains the number of the previous batch. Every process writes
-- the tables in this order and the rows in key order, so that there are no deadlocks.
--
-- `held` is 1 if this statement has added the batch, and otherwise 0. `was` is the number in the writer's row when the statement began, or null
-- without a row. It shows the caller whether the batch was added before, and whether a retry can add it.
--
-- $1 writer, $2 number of the batch, $3 usage, $4 costs, $5 unpriced requests, $6 failed requests. All rows are `json`, which is read
-- faster than `jsonb`.
with fence as materialized (
  select
    from quota_writer
   where writer_id = $1 and batch = $2::bigint - 1
     for no key update
), r as materialized (
  select *
    from json_to_recordset($3::json) as r(
           key_id uuid, day date, month int, model text, requests bigint, errors bigint, input_tokens bigint, output_tokens bigint,
           estimated_tokens bigint, additional_tokens bigint)
   where exists (select from fence)
), by_month as (
  insert into usage_monthly as u (
    key_id, month, requests, errors, input_tokens, output_tokens, estimated_tokens, additional_tokens)
  select key_id, month, sum(requests), sum(errors), sum(input_tokens), sum(output_tokens), sum(estimated_tokens),
         sum(additional_tokens)
    from r
   group by key_id, month
   order by key_id, month
  on conflict (key_id, month) do update set
    requests = u.requests + excluded.requests, errors = u.errors + excluded.errors,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
    estimated_tokens = u.estimated_tokens + excluded.estimated_tokens,
    additional_tokens = u.additional_tokens + excluded.additional_tokens
), by_day as (
  insert into usage_daily as u (key_id, day, model, requests, errors, input_tokens, output_tokens, estimated_tokens)
  select key_id, day, model, requests, errors, input_tokens, output_tokens, estimated_tokens
    from r
   order by key_id, day, model
  on conflict (key_id, day, model) do update set
    requests = u.requests + excluded.requests, errors = u.errors + excluded.errors,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
    estimated_tokens = u.estimated_tokens + excluded.estimated_tokens
), by_cost as (
  insert into cost_daily as u (
    day, key_id, model, endpoint, provider, requests, unpriced_requests, estimated_requests, cost_nanos,
    input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
    image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters)
  select day, key_id, model, endpoint, provider, requests, unpriced_requests, estimated_requests, cost_nanos,
         input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, audio_input, cached_audio_input, audio_output,
         image_input, image_output, web_searches, file_searches, code_executions, images, audio_seconds, characters
    from json_populate_recordset(null::cost_daily, $4::json)
   where exists (select from fence)
   order by day, key_id, model, endpoint, provider
  on conflict (day, key_id, model, endpoint, provider) do update set
    -- Costs are capped at the largest bigint. A provider that reports absurd usage must not prevent the usage of others from being stored.
    cost_nanos = bounded_sum(u.cost_nanos::numeric + excluded.cost_nanos),
    requests = u.requests + excluded.requests, unpriced_requests = u.unpriced_requests + excluded.unpriced_requests,
    estimated_requests = u.estimated_requests + excluded.estimated_requests, input = u.input + excluded.input,
    cached_input = u.cached_input + excluded.cached_input, cache_write_5m = u.cache_write_5m + excluded.cache_write_5m,
    cache_write_1h = u.cache_write_1h + excluded.cache_write_1h, output = u.output + excluded.output,
    reasoning = u.reasoning + excluded.reasoning, audio_input = u.audio_input + excluded.audio_input,
    cached_audio_input = u.cached_audio_input + excluded.cached_audio_input,
    audio_output = u.audio_output + excluded.audio_output, image_input = u.image_input + excluded.image_input,
    image_output = u.image_output + excluded.image_output, web_searches = u.web_searches + excluded.web_searches,
    file_searches = u.file_searches + excluded.file_searches,
    code_executions = u.code_executions + excluded.code_executions, images = u.images + excluded.images,
    audio_seconds = u.audio_seconds + excluded.audio_seconds, characters = u.characters + excluded.characters
), unpriced as (
  insert into unpriced_batches (
    day, key_id, model, answered_model, models, endpoint, provider, base_url, first_at, last_at, requests, units, items, object_id)
  select day, key_id, model, answered_model, models, endpoint, provider, base_url, first_at, last_at, requests, units, items,
         object_id
    from json_populate_recordset(null::unpriced_batches, $5::json)
   where exists (select from fence)
), failed as (
  insert into request_errors_daily as u (day, key_id, code, requests, rejected)
  select day, key_id, code, sum(requests), sum(rejected)
    from json_populate_recordset(null::request_errors_daily, $6::json)
   where exists (select from fence)
   group by day, key_id, code
   order by day, key_id, code
  on conflict (day, key_id, code) do update set
    requests = u.requests + excluded.requests, rejected = u.rejected + excluded.rejected
), marked as (
  update quota_writer
     set batch = $2, at = clock_timestamp()
   where writer_id = $1 and batch = $2::bigint - 1
)
select (select count(*)::int from fence) as held, (select batch from quota_writer where writer_id = $1) as was
