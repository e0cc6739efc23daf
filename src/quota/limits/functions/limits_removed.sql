-- Raises the version of the set. The daily job deletes limits that were marked as deleted long ago, which changes nothing.
create or replace function limits_removed()
returns trigger language plpgsql as $$
begin
  if exists (select from removed where deleted_at is null) then
    update limit_set set version = greatest(version + 1, (date_part('epoch', clock_timestamp()) * 1e6)::bigint);
    perform pg_notify('gw_policy', '');
  end if;
  return null;
end
$$;
