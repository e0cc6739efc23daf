-- Raises the version of the set of limits. This trigger fires first, which serializes changes and orders versions by commit.
create or replace function limit_set_raised()
returns trigger language plpgsql as $$
begin
  update limit_set set version = greatest(version + 1, (date_part('epoch', clock_timestamp()) * 1e6)::bigint);
  perform pg_notify('gw_policy', '');
  return null;
end
$$;
