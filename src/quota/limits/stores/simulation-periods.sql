-- The periods of a limit that need not exist, and the usage with which it would start now.
--
-- $1 limit as JSON, $2 first and $3 last day
with recursive l as (
  select * from jsonb_populate_record(null::limits, $1::jsonb)
), n as (
  select clock_timestamp() as now
), d as (
  select $2::date::timestamp at time zone 'UTC' as from_at, least(n.now, ($3::date + 1)::timestamp at time zone 'UTC') as to_at from n
), p as (
  -- The first period can begin before the first day.
  select limit_period_start(l.period, l.zone, d.from_at) as s, limit_period_end(l.period, l.zone, d.from_at) as e
    from l, d
   where l.period in ('day', 'week', 'month')
   union all
  select p.e, limit_period_end(l.period, l.zone, to_timestamp(p.e / 1e6)) from p, l, d where p.e < date_part('epoch', d.to_at) * 1e6
)
select case when l.period = 'total'
            then json_build_array(json_build_object('start', date_part('epoch', d.from_at) * 1000, 'end', date_part('epoch', d.to_at) * 1000))
            else coalesce((select json_agg(json_build_object('start', s / 1000.0, 'end', e / 1000.0) order by s) from p), '[]') end as periods,
       case when n.now < l.starts_at then 0
            else limit_seed(l, greatest(case l.period when 'total' then timestamptz '1970-01-01'
                                                      when 'rolling_7d' then date_bin('2 hours', n.now, '1970-01-01Z') - interval '7 days'
                                                      else to_timestamp(limit_period_start(l.period, l.zone, n.now) / 1e6) end, l.starts_at), n.now) end
         as starts_with
  from l, d, n
