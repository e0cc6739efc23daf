-- One page of limits, ordered by the share of the amount that is used or reserved, the highest first. $1 IDs, $2 limit, $3 offset
select l.id
  from unnest($1::bigint[]) l(id)
 cross join (select (date_part('epoch', clock_timestamp()) * 1e6)::bigint as us offset 0) t
 cross join lateral (
   -- Outside `since` and `until`, the stored row is out of date, and admission would store this one. `offset 0` keeps PostgreSQL from
   -- calling the function once per column.
   select (x.row).*
     from (select case when t.us >= s.since and t.us < s.until then s else limit_advanced(s, t.us) end as row
             from limit_counters s
            where s.limit_id = l.id
           offset 0) x) c
 -- A limit of 0 is always reached.
 order by case when c.amount = 0 then 1 else (c.used + c.held)::numeric / c.amount end desc, l.id desc
 limit $2 offset $3
