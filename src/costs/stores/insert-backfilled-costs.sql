-- Stores the costs of a day from before costs were recorded. Only input and output tokens are known. $1 day, $2 costs
insert into cost_daily (
  day, key_id, model, endpoint, provider, backfilled, requests, unpriced_requests, estimated_requests, cost_nanos, input, output,
  cached_input, cache_write_5m, cache_write_1h, reasoning, audio_input, cached_audio_input, audio_output, image_input, image_output,
  web_searches, file_searches, code_executions, images, audio_seconds, characters)
select $1::date, "keyId", model, '', '', true, requests, "unpricedRequests", 0, bounded_sum(nanos), "inputTokens", "outputTokens",
       0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  from jsonb_to_recordset($2::jsonb) as g(
         "keyId" uuid, model text, requests bigint, "unpricedRequests" bigint, nanos numeric, "inputTokens" bigint,
         "outputTokens" bigint)
on conflict do nothing
