-- The limits whose rows other sessions lock. $1 limits
with free as materialized (
  select limit_id from limit_counters where limit_id = any($1::bigint[]) order by place, limit_id for no key update skip locked
)
select limit_id
  from limit_counters c
 where limit_id = any($1::bigint[]) and not exists (select from free f where f.limit_id = c.limit_id)
