-- Models whose backfilled usage has no complete price, the most used first. $1 limit
select value as model, sum(unpriced_requests)::float8 as requests, min(s.day)::text as "firstDay", max(s.day)::text as "lastDay",
       sum(input)::float8 as "inputTokens", sum(output)::float8 as "outputTokens"
  from cost_backfill b
  join cost_day_sums s on s.day < b.until
 where dimension = 'model' and backfilled_requests > 0 and unpriced_requests > 0
 group by value
 order by requests desc, value
 limit $1
