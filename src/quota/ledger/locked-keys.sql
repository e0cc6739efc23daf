-- The keys whose rows other sessions lock. $1 keys
with free as materialized (
  select key_id from key_quota where key_id = any($1::uuid[]) order by key_id for no key update skip locked
)
select key_id
  from key_quota q
 where key_id = any($1::uuid[]) and not exists (select from free f where f.key_id = q.key_id)
