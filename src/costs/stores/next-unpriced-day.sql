-- The next day with backfilled usage that is not completely priced. The sums of closed days show which days have such usage, so that the
-- rows of other days are not read.
--
-- $1 model, $2 first day, $3 last day, $4 the previous result. Null for no condition
with span as (
  select greatest(min(day), $2::date, $4::date + 1) as first, least((select until from cost_backfill) - 1, $3::date) as last
    from cost_daily
)
select day::text
  from (select first + n as day from span cross join lateral generate_series(0, last - first) n) d
 where case when exists (select from cost_days c where c.day = d.day)
            then exists (
              select from cost_day_sums s
               where s.day = d.day and dimension = case when $1::text is null then 'all' else 'model' end and value = coalesce($1, '')
                 and backfilled_requests > 0 and unpriced_requests > 0)
            else exists (
              select from cost_daily r
               where r.day = d.day and backfilled and unpriced_requests > 0 and ($1::text is null or r.model = $1)) end
 order by day
 limit 1
