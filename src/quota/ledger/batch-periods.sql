-- The periods in which a stored batch of this writer was counted. A reservation is in the writer's own row. A counted request is in
-- the current period of its limit, if the batch was in it. $1 writer, $2 limits, $3 instant of the batch in microseconds since 1970
select c.limit_id, case when c.measure = 'requests' then c.period else h.period end as period
  from limit_counters c
  left join limit_holds h on h.writer_id = $1 and h.limit_id = c.limit_id
 where c.limit_id = any($2::bigint[])
   and case when c.measure = 'requests' then c.period <= $3 else h.period is not null end
