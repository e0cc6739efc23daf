-- The IDs of audit rows that do not exist. Each row is found by its primary key.
select given.id
  from unnest($1::uuid[], $2::timestamptz[]) as given (id, at)
 where not exists (select from audit_logs a where a.created_at = given.at and a.id = given.id)
