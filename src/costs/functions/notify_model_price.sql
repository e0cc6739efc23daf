-- Makes every process reload its tables.
create or replace function notify_model_price()
returns trigger language plpgsql as $$
begin
  perform pg_notify('gw_policy', '');
  return null;
end
$$;
