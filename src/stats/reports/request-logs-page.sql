-- A page of request logs, the newest first. The planner knows the parameter values, so absent conditions cost nothing and the
-- others use their index. The page is selected from the primary key alone, so rows that the offset skips are not read.
--
-- $1 key, $2 model, $3 endpoint, $4 status, $5 since, $6 until, $7 page. Null in $1 to $6: no condition
with counted as (
  select count(*)::int as found
    from (
      select
        from request_logs
       where ($1::uuid is null or key_id = $1) and ($2::text is null or model = $2) and ($3::text is null or endpoint = $3)
         and ($4::smallint is null or status = $4)
         and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at <= $6)
       limit ($7::jsonb ->> 'countedMax')::int + 1) matching
), page as materialized (
  select created_at, id
    from request_logs
   where ($1::uuid is null or key_id = $1) and ($2::text is null or model = $2) and ($3::text is null or endpoint = $3)
     and ($4::smallint is null or status = $4)
     and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at <= $6)
   order by created_at desc, id desc
   limit ($7 ->> 'limit')::int offset ($7 ->> 'offset')::int
)
select counted.found, r.id, r.created_at as "createdAt", r.key_id as "keyId", k.name as "keyName", r.method, r.endpoint, r.model, r.status,
       r.error_code as "errorCode", r.error_message as "errorMessage", r.stream, r.latency_ms as "latencyMs",
       r.upstream_latency_ms as "upstreamLatencyMs", r.input_tokens as "inputTokens", r.output_tokens as "outputTokens", r.upstream,
       r.attempts, r.usage_source as "usageSource", r.cost_nanos as "costNanos", r.cost
  from counted
  left join (page join request_logs r using (created_at, id)) on true
  left join api_keys k on k.id = r.key_id
 order by r.created_at desc, r.id desc
