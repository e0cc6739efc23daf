-- The next kept requests: those of the sample, and those outside it. Each part is read in its own order, so the other part costs at
-- most one page. The planner knows the parameter values, so absent conditions and unused orders cost nothing.
--
-- An error code implies the status, but the planner treats them as independent. It would expect too few rows, and read all rows of the
-- code instead of the newest. `case` hides the status from it.
--
-- $1 keys, $2 since, $3 until, $4 time of the last request before, $5 filter, $6 page. Null in $1 to $4: no condition
with kept as (
  (select true as sampled, id, created_at, key_id, method, endpoint, model, status, error_code, error_message, stream, latency_ms,
          upstream_latency_ms, input_tokens, output_tokens, upstream, attempts, usage_source, cost_nanos, cost
     from request_logs
    where ($1::uuid[] is null or key_id = any($1)) and ($5::jsonb ->> 'keyId' is null or key_id = ($5 ->> 'keyId')::uuid)
      and ($2::timestamptz is null or created_at >= $2) and ($3::timestamptz is null or created_at <= $3)
      and ($5 ->> 'idFrom' is null or id >= ($5 ->> 'idFrom')::uuid)
      and ($5 ->> 'idTo' is null or id <= ($5 ->> 'idTo')::uuid)
      and ($5 ->> 'model' is null or model = $5 ->> 'model')
      and ($5 ->> 'endpoint' is null or endpoint = $5 ->> 'endpoint')
      and ($5 ->> 'upstream' is null or upstream = $5 ->> 'upstream')
      and ($5 ->> 'errorCode' is null or error_code = $5 ->> 'errorCode')
      and ($5 ->> 'statusFrom' is null or $5 ->> 'errorCode' is not null
           or status between ($5 ->> 'statusFrom')::smallint and ($5 ->> 'statusTo')::smallint)
      and ($5 ->> 'statusFrom' is null or $5 ->> 'errorCode' is null
           or case when status between ($5 ->> 'statusFrom')::smallint and ($5 ->> 'statusTo')::smallint then true else false end)
      and ($5 ->> 'latencyMsMin' is null or latency_ms >= ($5 ->> 'latencyMsMin')::int)
      and ($5 ->> 'costNanosMin' is null or cost_nanos >= ($5 ->> 'costNanosMin')::bigint)
      and ($6::jsonb ->> 'sort' <> 'cost' or cost_nanos is not null)
      and ($6 ->> 'sort' <> 'time' or $4::timestamptz is null or (created_at, id) < ($4, ($6 ->> 'id')::uuid))
      and ($6 ->> 'sort' <> 'latency' or $4 is null
           or (latency_ms, created_at, id) < (($6 ->> 'value')::int, $4, ($6 ->> 'id')::uuid))
      and ($6 ->> 'sort' <> 'cost' or $4 is null
           or (cost_nanos, created_at, id) < (($6 ->> 'value')::bigint, $4, ($6 ->> 'id')::uuid))
    order by case when $6 ->> 'sort' = 'latency' then latency_ms end desc,
             case when $6 ->> 'sort' = 'cost' then cost_nanos end desc, created_at desc, id desc
    limit ($6 ->> 'limit')::int)
   union all
  (select false, id, created_at, key_id, method, endpoint, model, status, error_code, error_message, stream, latency_ms,
          upstream_latency_ms, input_tokens, output_tokens, upstream, attempts, usage_source, cost_nanos, cost
     from request_refusals
    where ($1::uuid[] is null or key_id = any($1)) and ($5 ->> 'keyId' is null or key_id = ($5 ->> 'keyId')::uuid)
      and ($2::timestamptz is null or created_at >= $2) and ($3::timestamptz is null or created_at <= $3)
      and ($5 ->> 'idFrom' is null or id >= ($5 ->> 'idFrom')::uuid)
      and ($5 ->> 'idTo' is null or id <= ($5 ->> 'idTo')::uuid)
      and ($5 ->> 'model' is null or model = $5 ->> 'model')
      and ($5 ->> 'endpoint' is null or endpoint = $5 ->> 'endpoint')
      and ($5 ->> 'upstream' is null or upstream = $5 ->> 'upstream')
      and ($5 ->> 'errorCode' is null or error_code = $5 ->> 'errorCode')
      and ($5 ->> 'statusFrom' is null or $5 ->> 'errorCode' is not null
           or status between ($5 ->> 'statusFrom')::smallint and ($5 ->> 'statusTo')::smallint)
      and ($5 ->> 'statusFrom' is null or $5 ->> 'errorCode' is null
           or case when status between ($5 ->> 'statusFrom')::smallint and ($5 ->> 'statusTo')::smallint then true else false end)
      and ($5 ->> 'latencyMsMin' is null or latency_ms >= ($5 ->> 'latencyMsMin')::int)
      and ($5 ->> 'costNanosMin' is null or cost_nanos >= ($5 ->> 'costNanosMin')::bigint)
      and ($6 ->> 'sort' <> 'cost' or cost_nanos is not null)
      and ($6 ->> 'sort' <> 'time' or $4 is null or (created_at, id) < ($4, ($6 ->> 'id')::uuid))
      and ($6 ->> 'sort' <> 'latency' or $4 is null
           or (latency_ms, created_at, id) < (($6 ->> 'value')::int, $4, ($6 ->> 'id')::uuid))
      and ($6 ->> 'sort' <> 'cost' or $4 is null
           or (cost_nanos, created_at, id) < (($6 ->> 'value')::bigint, $4, ($6 ->> 'id')::uuid))
    order by case when $6 ->> 'sort' = 'latency' then latency_ms end desc,
             case when $6 ->> 'sort' = 'cost' then cost_nanos end desc, created_at desc, id desc
    limit ($6 ->> 'limit')::int)
)
select r.sampled, r.id, r.created_at as "createdAt", r.key_id as "keyId", k.name as "keyName", t.id as "teamId", t.name as "teamName",
       r.method, r.endpoint, r.model, r.status, r.error_code as "errorCode", r.error_message as "errorMessage", r.stream,
       r.latency_ms as "latencyMs", r.upstream_latency_ms as "upstreamLatencyMs", r.input_tokens as "inputTokens",
       r.output_tokens as "outputTokens", r.upstream, r.attempts, r.usage_source as "usageSource", r.cost_nanos as "costNanos", r.cost
  from kept r
  left join api_keys k on k.id = r.key_id
  left join teams t on t.id = k.team_id
 order by case when $6 ->> 'sort' = 'latency' then r.latency_ms end desc,
          case when $6 ->> 'sort' = 'cost' then r.cost_nanos end desc, r.created_at desc, r.id desc
 limit ($6 ->> 'limit')::int
