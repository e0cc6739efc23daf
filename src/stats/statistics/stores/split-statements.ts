/** A block with less is not split: as many rows are read as fast. The index `stats_rollup_busy` is made for this number. */
const BUSY = `requests >= 1000 and dimension <> 'endpoint'`;

const UNSPLIT = `
from stats_rollup r
 where ${BUSY} and not exists (
   select from stats_rollup_splits s
    where s.start = r.start and s.hours = r.hours and s.dimension = r.dimension and s.value = r.value)`;

/** Whether a block is to be split. */
export const SPLITS_DUE = `exists (select ${UNSPLIT})`;

/** The youngest time and length of which blocks are to be split: nobody asks for older ones alone. */
export const NEXT_UNSPLIT = `select start, hours ${UNSPLIT} order by start desc, hours limit 1`;

/**
 * $1: start of the blocks, $2: their hours. Splits those of busy keys and models, from rows of the sample. Where rows are gone
 * for their age, or nothing is named, a split is empty, and not looked for again.
 */
export const SPLIT = `
insert into stats_rollup_splits (start, hours, dimension, value, split_by, parts)
with busy as materialized (
  select dimension, value, row_number() over () as place ${UNSPLIT} and start = $1 and hours = $2
), request as materialized (
  select key_id, model, endpoint, status, latency_ms, input_tokens, output_tokens, stats_bucket(latency_ms) as bucket
    from request_logs
   where created_at >= $1::timestamptz and created_at < $1::timestamptz + $2::smallint * interval '1 hour'
), cell as (
  select place, split_by, value, bucket, count(*)::int as requests,
         (count(*) filter (where status between 400 and 499))::int as client_errors,
         (count(*) filter (where status >= 500))::int as server_errors,
         sum(latency_ms) as latency_sum, max(latency_ms) as latency_max,
         sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens
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
             sum(input_tokens), sum(output_tokens), array_agg(bucket), array_agg(requests))::stats_part as part
    from cell group by place, split_by, value
)
select $1::timestamptz, $2::smallint, dimension, value, split_by, coalesce(array_agg(part) filter (where part is not null), '{}')
  from busy join (values ('key'), ('model'), ('endpoint')) as other(split_by) on split_by <> dimension
       left join part using (place, split_by)
 group by place, dimension, value, split_by`;
