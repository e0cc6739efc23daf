import type { Dimension } from './statistics-query.js';

/** What blocks are read: those of the dimension itself, or those of a key or a model, split by the dimension. */
export type Filter = 'key' | 'model';

export interface Reading {
  readonly dimension: Dimension;
  /** Null: the blocks of the dimension, of which the filter may name one. */
  readonly splitOf: Filter | null;
  /** Latencies as they are, which only rows know. */
  readonly exact: boolean;
}

const COLUMNS: Readonly<Record<Dimension, { column: string; type: string }>> = {
  key: { column: 'key_id', type: 'uuid' },
  model: { column: 'model', type: 'text' },
  endpoint: { column: 'endpoint', type: 'text' },
};

const COUNTS = 'requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens';

/** Of requests, one by one. */
const COUNTED = `
count(*)::int as requests, (count(*) filter (where status between 400 and 499))::int as client_errors,
(count(*) filter (where status >= 500))::int as server_errors, sum(latency_ms) as latency_sum, max(latency_ms) as latency_max,
sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens`;

/** Of what has been counted. As floats, which hold whole numbers up to 2^53 and are faster to add than numerics. */
const SUMS = `
sum(requests)::float8 as requests, sum(client_errors)::float8 as client_errors, sum(server_errors)::float8 as server_errors,
sum(latency_sum::float8) as latency_sum, max(latency_max)::float8 as latency_max,
sum(input_tokens::float8) as input_tokens, sum(output_tokens::float8) as output_tokens`;

/** By p95 all are alike as long as only totals are known. */
const METRIC = `
case $8::text when 'request_count' then requests
              when 'error_count' then client_errors + server_errors
              when 'total_tokens' then input_tokens + output_tokens
              when 'avg_latency_ms' then latency_sum / requests
              when 'max_latency_ms' then latency_max end`;

const OF_FILTERS = '($4::text is null or l.key_id = $4::text::uuid) and ($5::text is null or l.model = $5)';

/** Nearest-rank: the first latency at which half, and 95 %, of the requests are reached. Whole numbers throughout. */
const NEAREST_RANK = `
select place, min(latency) filter (where upto * 100 >= requests * 50) as p50,
       min(latency) filter (where upto * 100 >= requests * 95) as p95
  from (select place, latency, sum(n) over (partition by place order by latency rows unbounded preceding) as upto
          from cell) walked
       join first using (place)
 group by place`;

/**
 * A ranking with its percentiles. $1 and $2: hours and starts of the blocks; $3: spans of rows; $4 and $5: the one key and the
 * one model looked at, or null; $6: 1 or -1; $7: how many; $8: by what. All but p95 are ranked by their totals, so that
 * histograms are put together of the first ones only. The open hour may have a hundred thousand rows: they are read once,
 * and grouped by the column itself and named afterwards. Blocks are added up before they meet the rows: of both together the
 * planner expects so much that it sorts. Cells are kept, or it sorts all that go into them instead of what comes out.
 */
export function rankingOf(reading: Reading): string {
  return `${rankedBy(reading)}
select * from ranked order by ${ORDER}`;
}

/** The same of keys, each with the ten models that it used most: `models` and `model_counts`, the most frequent first. */
export function keyRankingOf(reading: Reading): string {
  return `${rankedBy(reading)}, used as (
  select value, model, sum(n)::float8 as n, row_number() over (partition by value order by sum(n) desc, model) as rank
    from (select value, unnest(models) collate "C" as model, unnest(model_counts) as n
            from ranked join (${blocksOf('key', 'r.value = any(array(select value from ranked))')}) block using (value)
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
select ranked.*, models, model_counts from ranked left join top using (value) order by ${ORDER}`;
}

const ORDER = "case when $8 = 'p95_latency_ms' then $6 * p95 else place end, value";

function rankedBy({ dimension, splitOf, exact }: Reading): string {
  const { column, type } = COLUMNS[dimension];
  const blocks = (isWanted: string): string =>
    splitOf === null ? blocksOf(dimension, isWanted) : splitsOf(splitOf, dimension);
  const toMs = (latency: string): string => `least(${exact ? latency : `stats_bucket_ms(${latency})`}, latency_max)`;
  return `
with open as materialized (
  select ${column}, ${dimension === 'key' ? 'model, ' : ''}status, latency_ms, input_tokens, output_tokens
    from (${requestsOf(OF_FILTERS)}) request where ${column} is not null
), total as (
  select value, ${SUMS}
    from (select value, ${SUMS} from (${blocks(OF_FILTER[dimension])}) block group by value
           union all
          select ${column}::text collate "C", ${COUNTS}
            from (select ${column}, ${COUNTED} from open group by ${column}) counted) part
   group by value
), first as materialized (
  select *, row_number() over (order by $6::int * ${METRIC}, value) as place
    from total
   order by place
   limit case when $8 <> 'p95_latency_ms' then $7::int end
), cell as materialized (
  select place, latency, sum(n)::int as n
    from (select place, unnest(buckets) as latency, unnest(counts) as n
            from first join (${blocks(`${OF_FILTER[dimension]} and ${OF_FIRST}`)}) block using (value)
           union all
          select place, ${exact ? 'latency_ms' : 'stats_bucket(latency_ms)'}, 1
            from first join open on ${column} = value::${type}) part
   group by place, latency
), ranked as materialized (
  select first.*, ${toMs('p50')} as p50, ${toMs('p95')} as p95 from first join (${NEAREST_RANK}) walked using (place)
   order by ${ORDER}
   limit $7
)`;
}

/** The filter by the dimension itself. */
const OF_FILTER: Readonly<Record<Dimension, string>> = {
  key: '($4::text is null or r.value = $4)',
  model: '($5::text is null or r.value = $5)',
  endpoint: 'true',
};

/** A few are looked up, all are read. */
const OF_FIRST = `($8 = 'p95_latency_ms' or r.value = any(array(select value from first)))`;

// OFFSET 0 keeps each block and each span a look-up of its own: without it the planner has joined whole tables.
function blocksOf(dimension: Dimension, isWanted: string): string {
  return `
select block.* from unnest($1::smallint[], $2::timestamptz[]) as ladder(hours, start)
  cross join lateral (
    select * from stats_rollup r
     where r.start = ladder.start and r.hours = ladder.hours and r.dimension = '${dimension}' and ${isWanted} offset 0) block`;
}

function splitsOf(filter: Filter, dimension: Dimension): string {
  return `
select part.* from unnest($1::smallint[], $2::timestamptz[]) as ladder(hours, start)
  cross join lateral (
    select parts from stats_rollup_splits s
     where s.start = ladder.start and s.hours = ladder.hours and s.dimension = '${filter}' and s.value = ${filter === 'key' ? '$4' : '$5'}
       and s.split_by = '${dimension}' offset 0) split
  cross join lateral unnest(parts) as part`;
}

function requestsOf(isWanted: string): string {
  return `
select request.* from unnest($3::tstzrange[]) as span
  cross join lateral (
    select * from request_logs l
     where l.created_at >= lower(span) and l.created_at < upper(span) and ${isWanted} offset 0) request`;
}
