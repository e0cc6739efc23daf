-- The newest busy rollups that are not split, because readers need those most often. Smaller rollups are not split, because reading
-- their rows is as fast. The index `stats_rollup_busy` has the condition on requests and dimension.
select start, hours
  from stats_rollup r
 where requests >= 1000 and dimension <> 'endpoint'
   and not exists (
     select from stats_rollup_splits s
      where s.start = r.start and s.hours = r.hours and s.dimension = r.dimension and s.value = r.value)
 order by start desc, hours
 limit 1
