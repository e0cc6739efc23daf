import { LATEST_MS } from '../../platform/validation/timestamp.js';
import type { Cover } from './rollup-selection.rules.js';
import type { Dimension, StatisticsQuery } from './statistics-query.js';

export interface RankingSource extends Cover {
  readonly dimension: Dimension;
  /** null for rollups of the dimension, otherwise for rollups of one key or model that are split by the dimension */
  readonly splitOf: 'key' | 'model' | null;
}

type Statement = [sql: string, values: unknown[]];

/**
 * Builds the statement of a ranking with percentiles. It is tuned for speed:
 *
 * - All sorts except p95 rank the totals first, so that only histograms of the listed rows are merged.
 * - The open hour can have 100,000 rows. They are read once and grouped by the column itself.
 * - Rollups are summed before they are combined with rows. For both together the planner expects so many rows that it sorts.
 * - `cell` is materialized, because otherwise the planner sorts its input instead of its result.
 */
export function rankingStatement(source: RankingSource, query: StatisticsQuery): Statement {
  return [
    `${rankedRows(source)}
select ${ROW} from ranked order by ${ORDER}`,
    valuesOf(source, query),
  ];
}

/** Adds the ten most used models of each key, in `models` and `modelCounts`. */
export function keyRankingStatement(source: RankingSource, query: StatisticsQuery): Statement {
  return [
    `${rankedRows(source)}, used as (
  select value, model, sum(n)::float8 as n, row_number() over (partition by value order by sum(n) desc, model) as rank
    from (select value, unnest(models) collate "C" as model, unnest(model_counts) as n
            from ranked join (${rollupsOf('key', 'r.value = any(array(select value from ranked))')}) rollup using (value)
           union all
          select value, model collate "C", count(*)::int
            from ranked join open on key_id = value::uuid
           where model is not null
           group by value, model) part
   group by value, model
), top as (
  select value, array_agg(model order by rank) as models, array_agg(n order by rank) as model_counts
    from used
   where rank <= 10
   group by value
)
select ${ROW}, models, model_counts as "modelCounts" from ranked left join top using (value) order by ${ORDER}`,
    valuesOf(source, query),
  ];
}

const valuesOf = ({ rollups, rows }: Cover, query: StatisticsQuery): unknown[] => [
  rollups.map(({ hours }) => hours), // $1
  rollups.map(({ startMs }) => timeText(startMs)), // $2
  rows.map(({ fromMs, untilMs }) => `[${timeText(fromMs)},${timeText(untilMs)})`), // $3
  keyIdOf(query), // $4, null: all keys
  query.model, // $5, null: all models
  query.sortDir === 'asc' ? 1 : -1, // $6
  query.limit, // $7
  query.sortBy, // $8
];

function rankedRows({ dimension, splitOf, rollups }: RankingSource): string {
  const { column, type, isWanted } = DIMENSIONS[dimension];
  const rollupsWhere = (condition: string): string =>
    splitOf === null ? rollupsOf(dimension, condition) : splitsOf(splitOf, dimension);
  // Rows have exact latencies, and rollups have histograms.
  const exact = rollups.length === 0;
  const latencyMs = (latency: string): string =>
    `least(${exact ? latency : `stats_bucket_ms(${latency})`}, latency_max)`;
  return `
with open as materialized (
  select ${column}, ${dimension === 'key' ? 'model, ' : ''}status, latency_ms, input_tokens, output_tokens, cost_nanos, ${IS_UNPRICED} as unpriced
    from (select request.* from unnest($3::tstzrange[]) as span
            cross join lateral (
              select * from request_logs l
               where l.created_at >= lower(span) and l.created_at < upper(span)
                 and ($4::text is null or l.key_id = $4::text::uuid) and ($5::text is null or l.model = $5) offset 0) request
         ) request where ${column} is not null
), total as (
  select value, ${SUMS}
    from (select value, ${SUMS} from (${rollupsWhere(isWanted)}) rollup group by value
           union all
          select ${column}::text collate "C", requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens,
                 cost_nanos, unpriced
            from (select ${column}, ${SUMS_OF_ROWS} from open group by ${column}) counted) part
   group by value
), first as materialized (
  select *, row_number() over (order by $6::int * ${SORTED_TOTAL}, value) as place
    from total
   order by place
   limit case when $8 <> 'p95_latency_ms' then $7::int end
), cell as materialized (
  select place, latency, sum(n)::int as n
    from (select place, unnest(buckets) as latency, unnest(counts) as n
            from first join (${rollupsWhere(`${isWanted} and ${IS_FIRST}`)}) rollup using (value)
           union all
          select place, ${exact ? 'latency_ms' : 'stats_bucket(latency_ms)'}, 1
            from first join open on ${column} = value::${type}) part
   group by place, latency
), ranked as materialized (
  select first.*, ${latencyMs('p50')} as p50, ${latencyMs('p95')} as p95 from first join (${NEAREST_RANK}) walked using (place)
   order by ${ORDER}
   limit $7
)`;
}

const DIMENSIONS: Readonly<Record<Dimension, { column: string; type: string; isWanted: string }>> = {
  key: { column: 'key_id', type: 'uuid', isWanted: '($4::text is null or r.value = $4)' },
  model: { column: 'model', type: 'text', isWanted: '($5::text is null or r.value = $5)' },
  endpoint: { column: 'endpoint', type: 'text', isWanted: 'true' },
};

// OFFSET 0 makes each rollup and each span a separate lookup. Without it the planner joined whole tables.
const rollupsOf = (dimension: Dimension, isWanted: string): string => `
select rollup.* from unnest($1::smallint[], $2::timestamptz[]) as wanted(hours, start)
  cross join lateral (
    select * from stats_rollup r
     where r.start = wanted.start and r.hours = wanted.hours and r.dimension = '${dimension}' and ${isWanted} offset 0) rollup`;

const splitsOf = (splitOf: 'key' | 'model', dimension: Dimension): string => `
select part.* from unnest($1::smallint[], $2::timestamptz[]) as wanted(hours, start)
  cross join lateral (
    select parts, costs, unpriced from stats_rollup_splits s
     where s.start = wanted.start and s.hours = wanted.hours
       and s.dimension = '${splitOf}' and s.value = ${splitOf === 'key' ? '$4' : '$5'}
       and s.split_by = '${dimension}' offset 0) split
  cross join lateral rows from (unnest(parts), unnest(costs), unnest(unpriced))
       as part(${PART_COLUMNS}, cost_nanos, unpriced)`;

const PART_COLUMNS =
  'value, requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens, buckets, counts';

/** A condition on a row of the sample. Rows of releases without costs have no `cost`. They are unpriced if a provider was asked. */
export const IS_UNPRICED = `coalesce(cost -> 'unpriced' <> '[]', upstream_latency_ms is not null)`;

/** The sums over rows of the sample, in the columns of a rollup. */
export const SUMS_OF_ROWS = `
count(*)::int as requests, (count(*) filter (where status between 400 and 499))::int as client_errors,
(count(*) filter (where status >= 500))::int as server_errors, sum(latency_ms) as latency_sum, max(latency_ms) as latency_max,
sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
coalesce(sum(cost_nanos), 0) as cost_nanos, (count(*) filter (where unpriced))::int as unpriced`;

/**
 * Floats are exact for integers up to 2^53, and faster to add than numerics. Rollups of releases without costs have no `cost_nanos`, and
 * no or a negative `unpriced`.
 */
const SUMS = `
sum(requests)::float8 as requests, sum(client_errors)::float8 as client_errors, sum(server_errors)::float8 as server_errors,
sum(latency_sum::float8) as latency_sum, max(latency_max)::float8 as latency_max,
sum(input_tokens::float8) as input_tokens, sum(output_tokens::float8) as output_tokens,
coalesce(sum(cost_nanos::float8), 0) as cost_nanos, sum(case when unpriced >= 0 then unpriced else requests end)::float8 as unpriced`;

/** The columns of `StatisticsRow`. */
const ROW = `value, requests, client_errors as "clientErrors", server_errors as "serverErrors", input_tokens as "inputTokens",
       output_tokens as "outputTokens", cost_nanos as "costNanos", unpriced as "unpricedRequests", latency_sum as "latencySumMs",
       latency_max as "latencyMaxMs", p50 as "p50LatencyMs", p95 as "p95LatencyMs"`;

/** Null for p95, which depends on the histograms. */
const SORTED_TOTAL = `
case $8::text when 'request_count' then requests
              when 'error_count' then client_errors + server_errors
              when 'total_tokens' then input_tokens + output_tokens
              when 'cost' then cost_nanos
              when 'avg_latency_ms' then latency_sum / requests
              when 'max_latency_ms' then latency_max end`;

const ORDER = "case when $8 = 'p95_latency_ms' then $6 * p95 else place end, value";

/** Looks up the few values of `first`. For p95, which needs all values, it reads them at once. */
const IS_FIRST = `($8 = 'p95_latency_ms' or r.value = any(array(select value from first)))`;

/** Nearest-rank percentiles: the first latency that covers 50% or 95% of the requests, in integer arithmetic. */
const NEAREST_RANK = `
select place, min(latency) filter (where upto * 100 >= requests * 50) as p50,
       min(latency) filter (where upto * 100 >= requests * 95) as p95
  from (select place, latency, sum(n) over (partition by place order by latency rows unbounded preceding) as upto
          from cell) walked
       join first using (place)
 group by place`;

/** In lower case, as in rollups. */
export const keyIdOf = ({ keyId }: StatisticsQuery): string | null => keyId?.toLowerCase() ?? null;

export const timeText = (ms: number): string => (ms > LATEST_MS ? 'infinity' : new Date(ms).toISOString());
