-- Estimates the rows of a range of days. The planner's statistics contain the total number of rows, and all days have about the
-- same number of rows.
--
-- $1 first day, $2 last day
select (greatest(c.reltuples, 0) * greatest(0, least($2::date, span.last) - greatest($1::date, span.first) + 1)
         / (span.last - span.first + 1))::float8 as rows
  from pg_class c
 cross join (select min(day) as first, max(day) as last from cost_daily) span
 where c.oid = 'cost_daily'::regclass
