-- Makes every process reload its tables.
create or replace function notify_upstream_drain()
returns trigger language plpgsql as $$
begin
  perform pg_notify('gw_policy', '');
  return null;
end
$$;
