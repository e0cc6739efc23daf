-- Reads without locking. A row whose stored figures are out of date is computed as admission would compute it. $1 limits
select c.limit_id, t.us, c.per, c.zone, c.enabled, c.enforced, c.base, c.starts, c.ends, c.granted,
       case when c.active then c.period end, c.amount, c.used, c.held, c.overdraft
  from (select (date_part('epoch', clock_timestamp()) * 1e6)::bigint as us offset 0) t
 cross join limit_counters s
 cross join lateral (
   select (x.row).*
     from (select case when t.us >= s.since and t.us < s.until then s else limit_advanced(s, t.us) end as row offset 0) x) c
 where s.limit_id = any($1::bigint[])
