import { IS_UNPRICED, SUMS_OF_ROWS } from '../latency-ranking.js';

export type Query = <R extends object>(sql: string, parameters?: unknown[]) => Promise<R[]>;

/** Splits the newest unsplit busy rollups from rows, if those still exist. Returns false if all busy rollups are split. */
export async function splitNext(query: Query): Promise<boolean> {
  const [next] = await query<{ start: Date; hours: number }>(
    // Most recent first, because readers need those more often.
    `select start, hours ${UNSPLIT} order by start desc, hours limit 1`,
  );
  if (next === undefined) return false;
  await query(SPLITS, [next.start, next.hours]);
  return true;
}

/** Whether a process of the previous release has created rollups or splits, which lack costs. */
export const COSTS_DUE = `
(exists (select from stats_rollup where cost_nanos is null) or exists (select from stats_rollup_splits where costs is null))`;

/** Marks the hours of such rollups as late, and deletes such splits. Returns false if there are none. */
export async function findCosts(query: Query): Promise<boolean> {
  const hours = await query(`
    insert into stats_late_hours (hour, cost_only)
    select distinct start, true from stats_rollup where cost_nanos is null returning hour`);
  const splits = await query('delete from stats_rollup_splits where costs is null returning start');
  return hours.length + splits.length > 0;
}

/** $1: start, $2: hours. */
export const ROLLUPS_OF_ROWS = `
insert into stats_rollup (dimension, hours, start, value, requests, client_errors, server_errors, latency_sum, latency_max,
                          input_tokens, output_tokens, cost_nanos, unpriced, buckets, counts, models, model_counts)
with request as materialized (
  select key_id::text as key, model, endpoint, status, latency_ms, input_tokens, output_tokens, stats_bucket(latency_ms) as bucket,
         cost_nanos, ${IS_UNPRICED} as unpriced
    from request_logs
   where created_at >= $1::timestamptz and created_at < $1::timestamptz + $2::smallint * interval '1 hour'
), cell as (
  select dimension, value, bucket, ${SUMS_OF_ROWS}
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
  from (select dimension, value, sum(requests) as requests, sum(client_errors) as client_errors, sum(server_errors) as server_errors,
               sum(latency_sum) as latency_sum, max(latency_max) as latency_max,
               sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
               sum(cost_nanos) as cost_nanos, sum(unpriced) as unpriced,
               array_agg(bucket) as buckets, array_agg(requests) as counts
          from cell group by dimension, value) total
       left join used on dimension = 'key' and key = value`;

/** Inserts rollups from the next shorter rollups, four for each. $1: start, $2: hours. */
export const ROLLUPS_OF_ROLLUPS = `
insert into stats_rollup (dimension, hours, start, value, requests, client_errors, server_errors, latency_sum, latency_max,
                          input_tokens, output_tokens, cost_nanos, unpriced, buckets, counts, models, model_counts)
with part as materialized (
  select * from stats_rollup
   where hours = $2::smallint / 4
     and start = any(array(select $1::timestamptz + n * $2::smallint / 4 * interval '1 hour' from generate_series(0, 3) n))
), total as (
  select dimension, value, sum(requests) as requests, sum(client_errors) as client_errors, sum(server_errors) as server_errors,
         sum(latency_sum) as latency_sum, max(latency_max) as latency_max,
         sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
         case when count(cost_nanos) = count(*) then sum(cost_nanos) end as cost_nanos,
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
       left join used on dimension = 'key' and used.value = total.value`;

/** Smaller rollups are not split, because reading their rows is as fast. The index `stats_rollup_busy` has this condition. */
const BUSY = `requests >= 1000 and dimension <> 'endpoint'`;

const UNSPLIT = `
from stats_rollup r
 where ${BUSY} and not exists (
   select from stats_rollup_splits s
    where s.start = r.start and s.hours = r.hours and s.dimension = r.dimension and s.value = r.value)`;

export const SPLITS_DUE = `exists (select ${UNSPLIT})`;

/** $1: start, $2: hours. */
const SPLITS = `
insert into stats_rollup_splits (start, hours, dimension, value, split_by, parts, costs, unpriced)
with busy as materialized (
  select dimension, value, row_number() over () as place ${UNSPLIT} and start = $1 and hours = $2
), request as materialized (
  select key_id, model, endpoint, status, latency_ms, input_tokens, output_tokens, stats_bucket(latency_ms) as bucket,
         cost_nanos, ${IS_UNPRICED} as unpriced
    from request_logs
   where created_at >= $1::timestamptz and created_at < $1::timestamptz + $2::smallint * interval '1 hour'
), cell as (
  select place, split_by, value, bucket, ${SUMS_OF_ROWS}
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
         sum(cost_nanos)::bigint as cost_nanos, sum(unpriced)::int as unpriced
    from cell group by place, split_by, value
)
select $1::timestamptz, $2::smallint, dimension, value, split_by, coalesce(array_agg(part) filter (where part is not null), '{}'),
       coalesce(array_agg(cost_nanos) filter (where part is not null), '{}'),
       coalesce(array_agg(part.unpriced) filter (where part is not null), '{}')
  from busy join (values ('key'), ('model'), ('endpoint')) as other(split_by) on split_by <> dimension
       left join part using (place, split_by)
 group by place, dimension, value, split_by`;
