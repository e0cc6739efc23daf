import {
  COUNTED,
  COUNTS,
  NEAREST_RANK,
  RANKING,
  SUMS,
  type Statements,
  type StatementsByDimension,
} from './statement-parts.js';
import type { Dimension } from './statistics-query.js';

/** The values in $5, by their place in it: numbers are sorted faster than names. $1 holds for all of them. */
const WANTED = `
(select value, place from unnest($5::text[]) with ordinality as given(value, place)
  where $1::text is null or value = $1) wanted`;

/**
 * Reads the blocks of the ladder, and rows of the sample where it has none. $1: the one value looked for, or null; $2 and $3:
 * hours and starts of the blocks; $4: spans of rows. A latency is the number of its bucket until the last step.
 *
 * The open hour may have a hundred thousand rows. So they are grouped by the column itself and named afterwards, and those of
 * the keys wanted are found by their index.
 */
export const LADDER: StatementsByDimension = {
  key: statementsOf('key', 'key_id', 'uuid'),
  model: statementsOf('model', 'model', 'text'),
  endpoint: statementsOf('endpoint', 'endpoint', 'text'),
};

/** The ten models that each key in $5 used most. */
export const LADDER_TOP_MODELS = `
select ($5::text[])[place] as value, model, n as count
  from (select place, model, sum(n)::float8 as n, row_number() over (partition by place order by sum(n) desc, model) as rank
          from (select place, used.model collate "C" as model, used.n
                  from ${WANTED} cross join lateral (${blocksOf('key', 'r.value = wanted.value')}) block
                       cross join lateral unnest(models, model_counts) as used(model, n)
                 union all
                select place, model collate "C", count(*)::int
                  from ${WANTED} cross join lateral (${requestsOf('l.key_id = wanted.value::uuid')}) request
                 where model is not null
                 group by place, model) part
         group by place, model) counted
 where rank <= 10
 order by place, rank`;

function statementsOf(dimension: Dimension, column: string, type: string): Statements {
  const blocks = blocksOf(dimension, '($1::text is null or r.value = $1)');
  const requests = requestsOf(`($1::text is null or l.${column} = $1::text::${type})`);
  return {
    totals: `
select * from (${totalsOf(
      `(${blocks}) block`,
      `(select ${column}::text collate "C" as value, ${COUNTED} from (${requests}) request
 where ${column} is not null
 group by ${column}) request`,
    )}) total
${RANKING}`,

    percentiles: `
with cell as (
  select place as value, latency, sum(n)::int as n
    from (select place, histogram.latency, histogram.n
            from ${WANTED} cross join lateral (${blocksOf(dimension, 'r.value = wanted.value')}) block
                 cross join lateral unnest(buckets, counts) as histogram(latency, n)
           union all
          select place, stats_bucket(latency_ms), 1
            from (${requestsOf(`l.${column} = any($5::text[]::${type}[])`)}) request
                 join ${WANTED} on wanted.value::${type} = ${column}) part
   group by place, latency
)
select ($5::text[])[value] as value, stats_bucket_ms(p50) as p50, stats_bucket_ms(p95) as p95
  from (${NEAREST_RANK}) walked`,

    byP95: `
with block as materialized (${blocks}), request as materialized (
  select ${column}::text collate "C" as value, stats_bucket(latency_ms) as latency, ${COUNTED} from (${requests}) request
   where ${column} is not null
   group by ${column}, latency
), total as materialized (
  select *, row_number() over () as place from (${totalsOf('block', 'request')}) total
), cell as (
  select place as value, latency, sum(n)::int as n
    from (select place, histogram.latency, histogram.n
            from total join block using (value) cross join lateral unnest(buckets, counts) as histogram(latency, n)
           union all
          select place, latency, request.requests from total join request using (value)) part
   group by place, latency
)
select * from (
  select total.*, stats_bucket_ms(p50) as p50, least(stats_bucket_ms(p95), latency_max) as p95
    from total join (${NEAREST_RANK}) walked on walked.value = place) ranked
 order by $5::int * p95, value
 limit $6`,
  };
}

function totalsOf(blocks: string, requests: string): string {
  return `
select value, ${SUMS} from (select value, ${COUNTS} from ${blocks} union all select value, ${COUNTS} from ${requests}) part
 group by value`;
}

// OFFSET 0 keeps each block and each span a look-up of its own: without it the planner has joined whole tables.
function blocksOf(dimension: Dimension, isWanted: string): string {
  return `
select block.* from unnest($2::smallint[], $3::timestamptz[]) as ladder(hours, start)
  cross join lateral (
    select * from stats_rollup r
     where r.start = ladder.start and r.hours = ladder.hours and r.dimension = '${dimension}' and ${isWanted} offset 0) block`;
}

function requestsOf(isWanted: string): string {
  return `
select request.* from unnest($4::tstzrange[]) as span
  cross join lateral (
    select * from request_logs l
     where l.created_at >= lower(span) and l.created_at < upper(span) and ${isWanted} offset 0) request`;
}
