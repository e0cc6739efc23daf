-- Whether a step of the rollup job has something to do. A process of the previous release can create rollups or splits that lack
-- costs.
--
-- $1 the time until which hours are closed
select coalesce(rolled_until < $1::timestamptz, true)
       or exists (select from stats_late_hours l where l.hour < s.rolled_until)
       or exists (select from stats_rollup where cost_nanos is null)
       or exists (select from stats_rollup_splits where costs is null)
       or exists (
         select from stats_rollup r
          where requests >= 1000 and dimension <> 'endpoint'
            and not exists (
              select from stats_rollup_splits s
               where s.start = r.start and s.hours = r.hours and s.dimension = r.dimension and s.value = r.value)) as due
  from stats_rollup_state s
