-- The limits with the highest share of use. It reads only rows whose stored figures are current. In other rows, the period has ended, so hardly any
-- of the limit is used. $1 number of limits
select limit_id as id, case when amount = 0 then 1 else (used + held)::float8 / amount end as ratio
  from limit_counters
 cross join (select (date_part('epoch', clock_timestamp()) * 1e6)::bigint as us offset 0) t
 where active and t.us >= since and t.us < until
 order by 2 desc, 1
 limit $1
