-- Inserts rollups from the next shorter rollups, four for each. $1 start, $2 hours
insert into stats_rollup (
  dimension, hours, start, value, requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens,
  cost_nanos, unpriced, buckets, counts, models, model_counts)
with part as materialized (
  select * from stats_rollup
   where hours = $2::smallint / 4
     and start = any(array(select $1::timestamptz + n * $2::smallint / 4 * interval '1 hour' from generate_series(0, 3) n))
), total as (
  select dimension, value, sum(requests) as requests, sum(client_errors) as client_errors, sum(server_errors) as server_errors,
         sum(latency_sum) as latency_sum, max(latency_max) as latency_max,
         sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
         case when count(cost_nanos) = count(*) then bounded_sum(sum(cost_nanos)) end as cost_nanos,
         sum(case when unpriced >= 0 then unpriced else requests end) as unpriced
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
       input_tokens, output_tokens, cost_nanos, unpriced, buckets, counts, models, model_counts
  from total join histogram using (dimension, value)
       left join used on dimension = 'key' and used.value = total.value
