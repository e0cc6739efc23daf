-- Begins a new period now. Reservations of the previous period change nothing when they are settled, so requests that are running now are
-- not counted. The row is computed from its locked state: the subselect is evaluated again if another transaction has changed the row.
--
-- $1 limit
update limit_counters c
   set (since, until, active, amount, carried, bucket, buckets, period, used, held, overdraft, estimated, alert_at) = (
         select a.since, a.until, a.active, a.amount, a.carried, a.bucket,
                case when a.buckets is not null then array_fill(0::bigint, array[cardinality(a.buckets)]) end,
                greatest(t.us, a.period + 1), 0, 0, 0, 0, limit_alert_at(a.thresholds, a.amount, 0)
           from limit_advanced(c, t.us) a)
  from (select (date_part('epoch', clock_timestamp()) * 1e6)::bigint as us) t
 where c.limit_id = $1 and c.measure <> 'concurrent_requests'
