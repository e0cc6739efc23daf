-- The start of the current period of each calendar and of the eight next ones. $1 periods, $2 time zones
select g.per, g.zone, s.starts
  from unnest($1::text[], $2::text[]) as g(per, zone)
 cross join lateral (
   with recursive periods as (
     select 1 as n, limit_period_start(g.per, g.zone, clock_timestamp()) as start
      union all
     select n + 1, limit_period_end(g.per, g.zone, to_timestamp(start / 1e6)) from periods where n < 9)
   select array_agg(start order by n) as starts from periods) s
