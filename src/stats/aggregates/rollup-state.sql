-- The extent of the rollups, and the late hours of a span. Configures the planner for the rest of the transaction: `work_mem` keeps sorts
-- and histograms of a million rows in memory. Each histogram is unnested once, so memoizing is useless.
--
-- $1 start, $2 end
select date_part('epoch', rolled_from) * 1000 as rolled_from, date_part('epoch', rolled_until) * 1000 as rolled_until,
       date_part('epoch', coalesce(fine_from, rolled_from)) * 1000 as fine_from,
       array(
         select distinct date_part('epoch', hour) * 1000
           from stats_late_hours
          where not cost_only and hour > $1::timestamptz - interval '1 hour' and hour < least($2::timestamptz, rolled_until)
          order by 1) as late,
       set_config('work_mem', '16MB', true), set_config('enable_memoize', 'off', true)
  from stats_rollup_state
 where rolled_until is not null
