-- Rows are locked in key order, and rows that an operator is changing are skipped, so the statement never waits or deadlocks. If
-- another process has written within the hour, its time is kept.
--
-- $1 keys, $2 times
with seen as materialized (
  select k.id, k.last_used_at, r.at, k.last_used_at is null or k.last_used_at <= r.at - interval '1 hour' as due
    from api_keys k
    join unnest($1::uuid[], $2::timestamptz[]) as r(id, at) on r.id = k.id
   order by k.id
     for no key update of k skip locked
), written as (
  update api_keys k
     set last_used_at = s.at
    from seen s
   where k.id = s.id and s.due
)
select id, date_part('epoch', case when due then at else last_used_at end) * 1000 as stored
  from seen
