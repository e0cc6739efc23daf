-- UTC days that have rows and are not closed, newest first. $1 maximum number of days
--
-- A request is recorded within a second of its end. After two minutes, most days do not have to be closed again.
with span as (
  select min(day) as first, ((clock_timestamp() - interval '2 minutes') at time zone 'UTC')::date - 1 as last from cost_daily
)
select (first + n)::text as day
  from span, generate_series(0, last - first) n
 where not exists (select from cost_days d where d.day = first + n)
   and exists (select from cost_daily r where r.day = first + n)
 order by n desc
 limit $1
