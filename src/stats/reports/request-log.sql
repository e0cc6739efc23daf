-- A sampled request or a refusal by its ID, if it matches the conditions. First requests of a key are in the same table as refusals, but
-- only the request list shows those that succeeded or that the client abandoned (499).
--
-- $1 key, $2 model, $3 endpoint, $4 status, $5 since, $6 until, $7 time in the ID, $8 ID. Null in $1 to $6: no condition
with one as (
  select id, created_at, key_id, method, endpoint, model, status, error_code, error_message, stream, latency_ms, upstream_latency_ms,
         input_tokens, output_tokens, upstream, attempts, usage_source, cost_nanos, cost
    from request_logs
   where created_at = $7::timestamptz and id = $8::uuid
   union all
  select id, created_at, key_id, method, endpoint, model, status, error_code, error_message, stream, latency_ms, upstream_latency_ms,
         input_tokens, output_tokens, upstream, attempts, usage_source, cost_nanos, cost
    from request_refusals
   where created_at = $7::timestamptz and id = $8::uuid and (error_code is not null or (status >= 400 and status <> 499))
)
select r.id, r.created_at as "createdAt", r.key_id as "keyId", k.name as "keyName", r.method, r.endpoint, r.model, r.status,
       r.error_code as "errorCode", r.error_message as "errorMessage", r.stream, r.latency_ms as "latencyMs",
       r.upstream_latency_ms as "upstreamLatencyMs", r.input_tokens as "inputTokens", r.output_tokens as "outputTokens", r.upstream,
       r.attempts, r.usage_source as "usageSource", r.cost_nanos as "costNanos", r.cost
  from (
    select *
      from one
     where ($1::uuid is null or key_id = $1) and ($2::text is null or model = $2) and ($3::text is null or endpoint = $3)
       and ($4::smallint is null or status = $4)
       and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at <= $6)
     limit 1) r
  left join api_keys k on k.id = r.key_id
