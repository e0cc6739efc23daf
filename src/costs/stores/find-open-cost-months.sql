-- Months that ended at least two minutes ago and whose days with rows are all closed, newest first. The first month is complete only
-- if it has rows of its first day, because retention deletes its days one after the other.
--
-- $1 limit
with span as (
  select min(day) as first, date_trunc('month', (clock_timestamp() - interval '2 minutes') at time zone 'UTC')::date as until
    from cost_daily
)
select m::date::text as month
  from span
 cross join lateral generate_series(date_trunc('month', first), until - 1, interval '1 month') m
 where m::date >= first
   and not exists (select from cost_months c where c.month = m::date)
   and exists (select from cost_daily r where r.day between m::date and (m + interval '1 month')::date - 1)
   and not exists (
     select from generate_series(m, m + interval '1 month' - interval '1 day', interval '1 day') d
      where not exists (select from cost_days c where c.day = d::date)
        and exists (select from cost_daily r where r.day = d::date))
 order by m desc
 limit $1
