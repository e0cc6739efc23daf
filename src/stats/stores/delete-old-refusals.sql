-- Skips rows that another process is deleting. $1 limit
with old as materialized (
  select created_at, id
    from request_refusals
   where created_at < now() - interval '7 days'
   order by created_at, id
   limit $1
     for update skip locked
), gone as (
  delete from request_refusals r
   using old
   where r.created_at = old.created_at and r.id = old.id
  returning 1
)
select count(*)::int as deleted from gone
