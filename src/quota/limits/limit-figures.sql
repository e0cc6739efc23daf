-- The current figures of limits, in the order of the IDs and without deleted limits. $1 IDs
select l.*, t.us / 1000.0::float8 as now_ms, c.used, c.held, c.estimated, c.amount as effective, c.carried, c.active, c.period as period_us,
       limit_period_end(c.per, c.zone, t.now) / 1000.0::float8 as ends_ms, g.amount as top_ups,
       (c.bucket - cardinality(c.buckets) + 1)::integer as first_part,
       (select min(b)
          from generate_series(c.bucket - cardinality(c.buckets) + 1, c.bucket) as b
         where c.buckets[(b % cardinality(c.buckets) + 1)::integer] > 0)::integer as first_used_part
  from unnest($1::bigint[]) with ordinality as given(id, place)
  join limits l on l.id = given.id and l.deleted_at is null
 cross join (
   select now, (date_part('epoch', now) * 1e6)::bigint as us from (select clock_timestamp() as now offset 0) n) t
 cross join lateral (
   -- Outside `since` and `until`, the stored row is out of date, and admission would store this one. `offset 0` keeps PostgreSQL from
   -- calling the function once per column.
   select (x.row).*
     from (select case when t.us >= s.since and t.us < s.until then s else limit_advanced(s, t.us) end as row
             from limit_counters s
            where s.limit_id = l.id
           offset 0) x) c
 cross join lateral (
   select coalesce(sum(amount), 0) as amount
     from limit_grants
    where limit_id = l.id and starts_at <= t.now and (expires_at is null or expires_at > t.now)) g
 order by given.place
