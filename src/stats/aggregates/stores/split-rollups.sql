-- Splits the busy rollups of one time from rows, if those still exist. $1 start, $2 hours
insert into stats_rollup_splits (start, hours, dimension, value, split_by, parts, costs, unpriced)
with busy as materialized (
  select dimension, value, row_number() over () as place
    from stats_rollup r
   where start = $1 and hours = $2 and requests >= 1000 and dimension <> 'endpoint'
     and not exists (
       select from stats_rollup_splits s
        where s.start = r.start and s.hours = r.hours and s.dimension = r.dimension and s.value = r.value)
), request as materialized (
  select key_id, model, endpoint, status, latency_ms, input_tokens, output_tokens, stats_bucket(latency_ms) as bucket,
         cost_nanos, coalesce(cost -> 'unpriced' <> '[]', upstream_latency_ms is not null) as unpriced
    from request_logs
   where created_at >= $1::timestamptz and created_at < $1::timestamptz + $2::smallint * interval '1 hour'
), cell as (
  select place, split_by, value, bucket, count(*)::int as requests,
         (count(*) filter (where status between 400 and 499))::int as client_errors,
         (count(*) filter (where status >= 500))::int as server_errors, sum(latency_ms) as latency_sum, max(latency_ms) as latency_max,
         sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, coalesce(sum(cost_nanos), 0) as cost_nanos,
         (count(*) filter (where unpriced))::int as unpriced
    from (select place, split_by, part.value, request.*
            from (select place, value::uuid as key_id from busy where dimension = 'key') of_key
                 join request using (key_id)
                 cross join lateral (values ('model', model), ('endpoint', endpoint)) as part(split_by, value)
           union all
          select place, split_by, part.value, request.*
            from (select place, value as model from busy where dimension = 'model') of_model
                 join request using (model)
                 cross join lateral (values ('key', key_id::text), ('endpoint', endpoint)) as part(split_by, value)) counted
   where value is not null
   group by place, split_by, value, bucket
), part as (
  select place, split_by,
         row(value, sum(requests), sum(client_errors), sum(server_errors), sum(latency_sum), max(latency_max),
             sum(input_tokens), sum(output_tokens), array_agg(bucket), array_agg(requests))::stats_part as part,
         bounded_sum(sum(cost_nanos)) as cost_nanos, sum(unpriced)::int as unpriced
    from cell group by place, split_by, value
)
select $1::timestamptz, $2::smallint, dimension, value, split_by, coalesce(array_agg(part) filter (where part is not null), '{}'),
       coalesce(array_agg(cost_nanos) filter (where part is not null), '{}'),
       coalesce(array_agg(part.unpriced) filter (where part is not null), '{}')
  from busy join (values ('key'), ('model'), ('endpoint')) as other(split_by) on split_by <> dimension
       left join part using (place, split_by)
 group by place, dimension, value, split_by
