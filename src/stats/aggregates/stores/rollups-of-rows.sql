-- Inserts the rollups of rows. $1 start, $2 hours
insert into stats_rollup (
  dimension, hours, start, value, requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens,
  cost_nanos, unpriced, buckets, counts, models, model_counts)
with request as materialized (
  select key_id::text as key, model, endpoint, status, latency_ms, input_tokens, output_tokens, stats_bucket(latency_ms) as bucket,
         cost_nanos, coalesce(cost -> 'unpriced' <> '[]', upstream_latency_ms is not null) as unpriced
    from request_logs
   where created_at >= $1::timestamptz and created_at < $1::timestamptz + $2::smallint * interval '1 hour'
), cell as (
  select dimension, value, bucket, count(*)::int as requests,
         (count(*) filter (where status between 400 and 499))::int as client_errors,
         (count(*) filter (where status >= 500))::int as server_errors, sum(latency_ms) as latency_sum, max(latency_ms) as latency_max,
         sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, coalesce(sum(cost_nanos), 0) as cost_nanos,
         (count(*) filter (where unpriced))::int as unpriced
    from request
   cross join lateral (values ('key', key), ('model', model), ('endpoint', endpoint)) as part(dimension, value)
   where value is not null
   group by dimension, value, bucket
), used as (
  select key, array_agg(model) as models, array_agg(n) as model_counts
    from (select key, model, count(*)::int as n from request where model is not null group by key, model) counted
   group by key
)
select dimension, $2::smallint, $1::timestamptz, value, requests, client_errors, server_errors, latency_sum, latency_max,
       input_tokens, output_tokens, cost_nanos, unpriced, buckets, counts, models, model_counts
  from (
    select dimension, value, sum(requests) as requests, sum(client_errors) as client_errors, sum(server_errors) as server_errors,
           sum(latency_sum) as latency_sum, max(latency_max) as latency_max, sum(input_tokens) as input_tokens,
           sum(output_tokens) as output_tokens, bounded_sum(sum(cost_nanos)) as cost_nanos,
           sum(unpriced) as unpriced, array_agg(bucket) as buckets, array_agg(requests) as counts
      from cell
     group by dimension, value) total
  left join used on dimension = 'key' and key = value
