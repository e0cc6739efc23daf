import {
  COUNTED,
  FLOATS,
  NEAREST_RANK,
  RANKING,
  type Statements,
  type StatementsByDimension,
} from './statement-parts.js';

const LOOKED_AT = `
created_at >= $3::timestamptz and created_at < $4::timestamptz
   and ($1::text is null or key_id = $1::text::uuid) and ($2::text is null or model = $2)`;

/**
 * Reads rows of the sample alone, so that all is exact. $1 and $2: the one key and the one model looked at, or null; $3 and $4:
 * from when on, and before when. A filter by key or model is answered from an index that holds all columns.
 */
export const ROWS: StatementsByDimension = {
  key: statementsOf('key_id', 'uuid'),
  model: statementsOf('model', 'text'),
  endpoint: statementsOf('endpoint', 'text'),
};

/** The ten models that each key in $5 used most. */
export const ROWS_TOP_MODELS = `
select key_id::text as value, model, n as count
  from (select key_id, model, count(*)::float8 as n,
               row_number() over (partition by key_id order by count(*) desc, model collate "C") as place
          from request_logs
         where ${LOOKED_AT} and key_id = any($5::text[]::uuid[]) and model is not null
         group by key_id, model) counted
 where place <= 10
 order by key_id, place`;

/** Grouped by the column itself, not by its text: half the time where it is a UUID. */
function statementsOf(column: string, type: string): Statements {
  return {
    totals: `
select * from (
  select own::text collate "C" as value, ${FLOATS}
    from (select ${column} as own, ${COUNTED} from request_logs
           where ${LOOKED_AT} and ${column} is not null
           group by ${column}) counted) total
${RANKING}`,

    percentiles: `
with cell as (
  select ${column} as value, latency_ms as latency, count(*)::int as n from request_logs
   where ${LOOKED_AT} and ${column} = any($5::text[]::${type}[])
   group by ${column}, latency_ms
)
select value::text, p50::float8, p95::float8 from (${NEAREST_RANK}) walked`,

    byP95: `
with cell as materialized (
  select ${column} as value, latency_ms as latency, count(*)::int as n,
         (count(*) filter (where status between 400 and 499))::int as client_errors,
         (count(*) filter (where status >= 500))::int as server_errors,
         sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens
    from request_logs
   where ${LOOKED_AT} and ${column} is not null
   group by ${column}, latency_ms
), total as (
  select value, sum(n)::float8 as requests, sum(client_errors)::float8 as client_errors,
         sum(server_errors)::float8 as server_errors, sum(latency::float8 * n) as latency_sum, max(latency)::float8 as latency_max,
         sum(input_tokens)::float8 as input_tokens, sum(output_tokens)::float8 as output_tokens
    from cell group by value
)
select * from (
  select value::text collate "C" as value, requests, client_errors, server_errors, latency_sum, latency_max, input_tokens,
         output_tokens, p50::float8 as p50, p95::float8 as p95
    from total join (${NEAREST_RANK}) walked using (value)) ranked
 order by $5::int * p95, value
 limit $6`,
  };
}
