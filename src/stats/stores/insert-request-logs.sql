-- Existing rows stay unchanged, so that a repeated batch has no effect. $1 rows
insert into request_logs (
  id, created_at, key_id, status, stream, latency_ms, upstream_latency_ms, input_tokens, output_tokens, method, endpoint, model,
  error_code, error_message, usage_source, upstream, attempts, cost_nanos, cost)
select id, created_at, key_id, status, stream, latency_ms, upstream_latency_ms, input_tokens, output_tokens, method, endpoint, model,
       error_code, error_message, usage_source, upstream, attempts, cost_nanos, cost
  from json_populate_recordset(null::request_logs, $1::json)
on conflict do nothing
