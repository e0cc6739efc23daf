-- Records the first forecast of each limit in its period, and returns the IDs of these limits. In a rolling period, a forecast is the first
-- one if there was none for a little more than seven days. $1 forecasts as JSON
insert into limit_alerts (limit_id, period, threshold, at, used, amount)
select g.limit_id, case when g.rolling then (date_part('epoch', t.now) * 1e6)::bigint else g.period end, 0, t.now, g.used, g.amount
  from jsonb_to_recordset($1::jsonb) as g(limit_id bigint, rolling boolean, period bigint, used bigint, amount bigint)
 cross join (select clock_timestamp() as now offset 0) t
 where not g.rolling
    or not exists (
      select from limit_alerts a where a.limit_id = g.limit_id and a.threshold = 0 and a.at > t.now - interval '7 days 2 hours')
on conflict do nothing
returning limit_id
