-- Instants on successive days of a year, and the starts of the days that contain them, by time zone. $1 number of zones
select z.zone, d.instants, d.starts
  from (select distinct zone from limits where deleted_at is null and enabled and zone <> 'UTC' order by zone limit $1) z
 cross join lateral (
   select array_agg(floor(date_part('epoch', day) * 1000) order by day) as instants,
          array_agg(limit_period_start('day', z.zone, day) / 1000.0::float8 order by day) as starts
     from generate_series(clock_timestamp(), clock_timestamp() + interval '1 year', interval '1 day') as day) d
