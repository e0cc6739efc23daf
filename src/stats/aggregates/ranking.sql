-- Ranks keys, models or endpoints. The order of its steps makes it fast:
--
-- - All orders except p95 rank the totals first, so that only histograms of the listed values are merged.
-- - The open hour can have 100,000 rows. They are read once, and are grouped by the columns themselves.
-- - Rollups are summed before they are combined with rows. For both together, the planner expects so many rows that it sorts.
-- - `cell` is materialized, because otherwise the planner sorts its input instead of its result.
-- - `offset 0` makes each rollup and each span a separate lookup. Without it, the planner joined whole tables.
--
-- The planner knows the parameter values, so conditions on parameters alone cost nothing. Floats are exact for integers up to 2^53, and
-- faster to add than numerics. Rollups of releases without costs have no `cost_nanos`, and their `unpriced` is missing or negative.
--
-- $1 hours and $2 starts of rollups, $3 spans of rows, $4 key and $5 model of the filter, or null, $6 what to rank, $7 limit
with open as materialized (
  select case $6::jsonb ->> 'dimension' when 'key' then key_id end as key_id,
         case $6 ->> 'dimension' when 'model' then model end as model,
         case $6 ->> 'dimension' when 'endpoint' then endpoint end as endpoint,
         case $6 ->> 'dimension' when 'key' then model end as used_model,
         status, latency_ms, input_tokens, output_tokens, cost_nanos,
         -- Rows of releases without costs have no `cost`. They are unpriced if a provider was asked.
         coalesce(cost -> 'unpriced' <> '[]', upstream_latency_ms is not null) as unpriced
    from unnest($3::tstzrange[]) as span
   cross join lateral (
     select *
       from request_logs l
      where l.created_at >= lower(span) and l.created_at < upper(span)
        and ($4::text is null or l.key_id = $4::uuid)
        and ($5::text is null or l.model = $5)
     offset 0) request
   where $6 ->> 'dimension' <> 'model' or model is not null
), total as (
  select value, sum(requests) as requests, sum(client_errors) as client_errors, sum(server_errors) as server_errors,
         sum(latency_sum) as latency_sum, max(latency_max) as latency_max, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(cost_nanos) as cost_nanos, sum(unpriced) as unpriced
    from (
      select value, sum(requests)::float8 as requests, sum(client_errors)::float8 as client_errors,
             sum(server_errors)::float8 as server_errors, sum(latency_sum::float8) as latency_sum,
             max(latency_max)::float8 as latency_max, sum(input_tokens::float8) as input_tokens,
             sum(output_tokens::float8) as output_tokens, coalesce(sum(cost_nanos::float8), 0) as cost_nanos,
             sum(case when unpriced >= 0 then unpriced else requests end)::float8 as unpriced
        from (
          select value, requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens, cost_nanos,
                 unpriced
            from unnest($1::smallint[], $2::timestamptz[]) as wanted(hours, start)
           cross join lateral (
             select *
               from stats_rollup r
              where r.start = wanted.start and r.hours = wanted.hours and r.dimension = $6 ->> 'dimension'
                and ($6 ->> 'value' is null or r.value = $6 ->> 'value')
             offset 0) rollup
           where $6 ->> 'splitOf' is null
           union all
          select part.value, part.requests, part.client_errors, part.server_errors, part.latency_sum, part.latency_max,
                 part.input_tokens, part.output_tokens, part.cost_nanos, part.unpriced
            from unnest($1, $2) as wanted(hours, start)
           cross join lateral (
             select parts, costs, unpriced
               from stats_rollup_splits s
              where s.start = wanted.start and s.hours = wanted.hours
                and s.dimension = $6 ->> 'splitOf' and s.value = $6 ->> 'value' and s.split_by = $6 ->> 'dimension'
             offset 0) split
           cross join lateral rows from (unnest(parts), unnest(costs), unnest(unpriced)) as part(
             value, requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens, buckets, counts,
             cost_nanos, unpriced)
           where $6 ->> 'splitOf' is not null) rollup
       group by value
       union all
      select coalesce(key_id::text, model, endpoint) collate "C", requests, client_errors, server_errors, latency_sum, latency_max,
             input_tokens, output_tokens, cost_nanos, unpriced
        from (
          select key_id, model, endpoint, count(*)::float8 as requests,
                 (count(*) filter (where status between 400 and 499))::float8 as client_errors,
                 (count(*) filter (where status >= 500))::float8 as server_errors, sum(latency_ms)::float8 as latency_sum,
                 max(latency_ms)::float8 as latency_max, sum(input_tokens)::float8 as input_tokens,
                 sum(output_tokens)::float8 as output_tokens, coalesce(sum(cost_nanos), 0)::float8 as cost_nanos,
                 (count(*) filter (where unpriced))::float8 as unpriced
            from open
           group by key_id, model, endpoint) counted) part
   group by value
), first as materialized (
  -- The order by p95 depends on the histograms of all values.
  select *,
         row_number() over (order by ($6 ->> 'direction')::int * case $6 ->> 'sortBy'
                                       when 'request_count' then requests
                                       when 'error_count' then client_errors + server_errors
                                       when 'total_tokens' then input_tokens + output_tokens
                                       when 'cost' then cost_nanos
                                       when 'avg_latency_ms' then latency_sum / requests
                                       when 'max_latency_ms' then latency_max end,
                                     value) as place
    from total
   order by place
   limit case when $6 ->> 'sortBy' <> 'p95_latency_ms' then $7::int end
), cell as materialized (
  -- Rows have exact latencies. Rollups have histograms, to which rows are added as buckets.
  select place, latency, sum(n)::int as n
    from (
      select place, unnest(buckets)::int as latency, unnest(counts) as n
        from first
        join (
          select rollup.*
            from unnest($1, $2) as wanted(hours, start)
           cross join lateral (
             select value, buckets, counts
               from stats_rollup r
              where r.start = wanted.start and r.hours = wanted.hours and r.dimension = $6 ->> 'dimension'
                and ($6 ->> 'value' is null or r.value = $6 ->> 'value')
                and ($6 ->> 'sortBy' = 'p95_latency_ms' or r.value = any(array(select value from first)))
             offset 0) rollup
           where $6 ->> 'splitOf' is null
           union all
          select part.value, part.buckets, part.counts
            from unnest($1, $2) as wanted(hours, start)
           cross join lateral (
             select parts
               from stats_rollup_splits s
              where s.start = wanted.start and s.hours = wanted.hours
                and s.dimension = $6 ->> 'splitOf' and s.value = $6 ->> 'value' and s.split_by = $6 ->> 'dimension'
             offset 0) split
           cross join lateral unnest(parts) as part
           where $6 ->> 'splitOf' is not null) rollup using (value)
       union all
      select place, case when cardinality($1) = 0 then latency_ms else stats_bucket(latency_ms) end, 1
        from first
        join open
          on case $6 ->> 'dimension' when 'key' then open.key_id = first.value::uuid
                                     when 'model' then open.model = first.value
                                     else open.endpoint = first.value end) part
   group by place, latency
), ranked as materialized (
  select first.*,
         least(case when cardinality($1) = 0 then p50 else stats_bucket_ms(p50::smallint) end, latency_max) as p50,
         least(case when cardinality($1) = 0 then p95 else stats_bucket_ms(p95::smallint) end, latency_max) as p95
    from first
    join (
      -- Nearest rank: the first latency that covers 50% or 95% of the requests, in integer arithmetic.
      select place, min(latency) filter (where upto * 100 >= requests * 50) as p50,
             min(latency) filter (where upto * 100 >= requests * 95) as p95
        from (
          select place, latency, sum(n) over (partition by place order by latency rows unbounded preceding) as upto
            from cell) walked
        join first using (place)
       group by place) percentile using (place)
   order by case when $6 ->> 'sortBy' = 'p95_latency_ms' then ($6 ->> 'direction')::int * p95 else place end, value
   limit $7
), used as (
  select value, model, sum(n)::float8 as n, row_number() over (partition by value order by sum(n) desc, model) as rank
    from (
      select value, unnest(models) collate "C" as model, unnest(model_counts) as n
        from ranked
        join (
          select rollup.*
            from unnest($1, $2) as wanted(hours, start)
           cross join lateral (
             select value, models, model_counts
               from stats_rollup r
              where r.start = wanted.start and r.hours = wanted.hours and r.dimension = 'key'
                and r.value = any(array(select value from ranked))
             offset 0) rollup) rollup using (value)
       where $6 ->> 'dimension' = 'key' and $5 is null
       union all
      select value, used_model collate "C", count(*)::int
        from ranked
        join open on open.key_id = value::uuid
       where $6 ->> 'dimension' = 'key' and $5 is null and used_model is not null
       group by value, used_model) part
   group by value, model
), top as (
  select value, array_agg(model order by rank) as models, array_agg(n order by rank) as model_counts
    from used
   where rank <= 10
   group by value
)
select value, requests, client_errors as "clientErrors", server_errors as "serverErrors", input_tokens as "inputTokens",
       output_tokens as "outputTokens", cost_nanos as "costNanos", unpriced as "unpricedRequests", latency_sum as "latencySumMs",
       latency_max as "latencyMaxMs", p50 as "p50LatencyMs", p95 as "p95LatencyMs", models, model_counts as "modelCounts"
  from ranked
  left join top using (value)
 order by case when $6 ->> 'sortBy' = 'p95_latency_ms' then ($6 ->> 'direction')::int * p95 else place end, value
