-- The places of rollups that are split by a dimension.
--
-- $1 hours, $2 starts, $3 and $4 key or model of the rollups, $5 dimension
select place::int
  from unnest($1::smallint[], $2::timestamptz[]) with ordinality as wanted(hours, start, place)
 where exists (
   select from stats_rollup_splits s
    where s.start = wanted.start and s.hours = wanted.hours
      and s.dimension = $3 and s.value = $4 and s.split_by = $5 and s.costs is not null)
