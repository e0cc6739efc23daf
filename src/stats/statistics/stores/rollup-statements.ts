/** $1: start of the block, $2: its hours. Sums up rows of the sample. */
export const BLOCK_OF_ROWS = `
insert into stats_rollup (dimension, hours, start, value, requests, client_errors, server_errors, latency_sum, latency_max,
                          input_tokens, output_tokens, buckets, counts, models, model_counts)
with request as materialized (
  select key_id::text as key, model, endpoint, status, latency_ms, input_tokens, output_tokens, stats_bucket(latency_ms) as bucket
    from request_logs
   where created_at >= $1::timestamptz and created_at < $1::timestamptz + $2::smallint * interval '1 hour'
), cell as (
  select dimension, value, bucket, count(*)::int as requests,
         (count(*) filter (where status between 400 and 499))::int as client_errors,
         (count(*) filter (where status >= 500))::int as server_errors,
         sum(latency_ms) as latency_sum, max(latency_ms) as latency_max,
         sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens
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
       input_tokens, output_tokens, buckets, counts, models, model_counts
  from (select dimension, value, sum(requests) as requests, sum(client_errors) as client_errors, sum(server_errors) as server_errors,
               sum(latency_sum) as latency_sum, max(latency_max) as latency_max,
               sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
               array_agg(bucket) as buckets, array_agg(requests) as counts
          from cell group by dimension, value) total
       left join used on dimension = 'key' and key = value`;

/** $1: start of the block, $2: its hours. Sums up the four blocks that it is made of. */
export const BLOCK_OF_BLOCKS = `
insert into stats_rollup (dimension, hours, start, value, requests, client_errors, server_errors, latency_sum, latency_max,
                          input_tokens, output_tokens, buckets, counts, models, model_counts)
with part as materialized (
  select * from stats_rollup
   where hours = $2::smallint / 4
     and start = any(array(select $1::timestamptz + n * $2::smallint / 4 * interval '1 hour' from generate_series(0, 3) n))
), total as (
  select dimension, value, sum(requests) as requests, sum(client_errors) as client_errors, sum(server_errors) as server_errors,
         sum(latency_sum) as latency_sum, max(latency_max) as latency_max,
         sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens
    from part group by dimension, value
), histogram as (
  select dimension, value, array_agg(bucket) as buckets, array_agg(n) as counts
    from (select dimension, value, bucket, sum(n)::int as n
            from part cross join lateral unnest(buckets, counts) as cell(bucket, n)
           group by dimension, value, bucket) cell
   group by dimension, value
), used as (
  select value, array_agg(model) as models, array_agg(n) as model_counts
    from (select value, model, sum(n)::int as n
            from part cross join lateral unnest(models, model_counts) as counted(model, n)
           where dimension = 'key'
           group by value, model) counted
   group by value
)
select dimension, $2::smallint, $1::timestamptz, total.value, requests, client_errors, server_errors, latency_sum, latency_max,
       input_tokens, output_tokens, buckets, counts, models, model_counts
  from total join histogram using (dimension, value)
       left join used on dimension = 'key' and used.value = total.value`;
