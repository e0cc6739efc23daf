import type { Dimension } from './statistics-query.js';

/** What a ranking needs. Each is one statement, of one dimension; the first four parameters say what is read. */
export interface Statements {
  /** The first rows of a ranking, without percentiles. $5: 1 or -1, $6: how many, $7: by what. */
  readonly totals: string;
  /** The first rows by p95, with percentiles: reads the latencies of all. $5 and $6 likewise. */
  readonly byP95: string;
  /** p50 and p95 of the values in $5. */
  readonly percentiles: string;
}

export type StatementsByDimension = Readonly<Record<Dimension, Statements>>;

/** Values that rank alike follow each other by name. */
export const RANKING = `
 order by $5::int * (case $7::text when 'request_count' then requests
                                   when 'error_count' then client_errors + server_errors
                                   when 'total_tokens' then input_tokens + output_tokens
                                   when 'avg_latency_ms' then latency_sum / requests
                                   when 'max_latency_ms' then latency_max end), value
 limit $6`;

/**
 * Nearest-rank: from the relation `cell` (value, latency, n) the first latency at which half, and 95 %, of a value's requests
 * are reached. Whole numbers throughout.
 */
export const NEAREST_RANK = `
select value, min(latency) filter (where upto * 100 >= all_of_it * 50) as p50,
       min(latency) filter (where upto * 100 >= all_of_it * 95) as p95
  from (select value, latency, sum(n) over (partition by value order by latency rows unbounded preceding) as upto,
               sum(n) over (partition by value) as all_of_it
          from cell) walked
 group by value`;

export const COUNTS = 'requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens';

/** Of requests, one by one. */
export const COUNTED = `
count(*)::int as requests, (count(*) filter (where status between 400 and 499))::int as client_errors,
(count(*) filter (where status >= 500))::int as server_errors, sum(latency_ms) as latency_sum, max(latency_ms) as latency_max,
sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens`;

/** Of what has been counted. As floats, which hold whole numbers up to 2^53 and are faster to add than numerics. */
export const SUMS = `
sum(requests)::float8 as requests, sum(client_errors)::float8 as client_errors, sum(server_errors)::float8 as server_errors,
sum(latency_sum::float8) as latency_sum, max(latency_max)::float8 as latency_max,
sum(input_tokens::float8) as input_tokens, sum(output_tokens::float8) as output_tokens`;

/** What has been counted, as it is. */
export const FLOATS = `
requests::float8, client_errors::float8, server_errors::float8, latency_sum::float8, latency_max::float8,
input_tokens::float8, output_tokens::float8`;
