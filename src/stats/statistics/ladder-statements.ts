import {
  COUNTED,
  NEAREST_RANK,
  RANKING,
  SUMS,
  type Statements,
  type StatementsByDimension,
} from './statement-parts.js';
import type { Dimension } from './statistics-query.js';

/**
 * Reads the blocks of the ladder, and rows of the sample where it has none. $1: the one value looked for, or null; $2 and $3:
 * hours and starts of the blocks; $4: spans of rows. A latency is the number of its bucket until the last step.
 */
export const LADDER: StatementsByDimension = {
  key: statementsOf('key', 'key_id::text', 'l.key_id = $1::text::uuid'),
  model: statementsOf('model', 'model', 'l.model = $1'),
  endpoint: statementsOf('endpoint', 'endpoint', 'l.endpoint = $1'),
};

/** The ten models that each key in $5 used most. */
export const LADDER_TOP_MODELS = `
select value, model, n as count
  from (select value, model, sum(n)::float8 as n, row_number() over (partition by value order by sum(n) desc, model) as place
          from (select value, used.model collate "C" as model, used.n
                  from (${blocksOf('key', 'r.value = any($5::text[])')}) block
                       cross join lateral unnest(models, model_counts) as used(model, n)
                 union all
                select key_id::text, model collate "C", count(*)::int
                  from (${requestsOf('l.key_id = $1::text::uuid')}) request
                 where key_id = any($5::text[]::uuid[]) and model is not null
                 group by 1, 2) part
         group by value, model) counted
 where place <= 10
 order by value, place`;

function statementsOf(dimension: Dimension, value: string, isWanted: string): Statements {
  const blocks = blocksOf(dimension, '($1::text is null or r.value = $1)');
  const requests = `
select ${value} collate "C" as value, status, latency_ms, input_tokens, output_tokens from (${requestsOf(isWanted)}) request
 where ${value} is not null`;
  return {
    totals: `
select * from (${totalsOf(`(${blocks}) block`, `(${requests}) request`)}) total
${RANKING}`,

    percentiles: `
with cell as (${cellsOf(`(${blocksOf(dimension, 'r.value = any($5::text[])')}) block`, `(${requests}) request where value = any($5::text[])`)})
select value, stats_bucket_ms(p50) as p50, stats_bucket_ms(p95) as p95 from (${NEAREST_RANK}) walked`,

    byP95: `
with block as materialized (${blocks}), request as materialized (${requests}),
total as (${totalsOf('block', 'request')}), cell as (${cellsOf('block', 'request')})
select * from (
  select total.*, stats_bucket_ms(p50) as p50, least(stats_bucket_ms(p95), latency_max) as p95
    from total join (${NEAREST_RANK}) walked using (value)) ranked
 order by $5::int * p95, value
 limit $6`,
  };
}

function totalsOf(blocks: string, requests: string): string {
  return `
select value, ${SUMS}
  from (select value, requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens from ${blocks}
         union all
        select value, ${COUNTED} from ${requests} group by value) part
 group by value`;
}

function cellsOf(blocks: string, requests: string): string {
  return `
select value, latency, sum(n)::int as n
  from (select value, histogram.latency, histogram.n
          from ${blocks} cross join lateral unnest(buckets, counts) as histogram(latency, n)
         union all
        select value, stats_bucket(latency_ms), 1 from ${requests}) part
 group by value, latency`;
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
     where l.created_at >= lower(span) and l.created_at < upper(span) and ($1::text is null or ${isWanted}) offset 0) request`;
}
