-- Every process enforces lost changes until an operator decides about them.
create or replace function notify_lost_changes()
returns trigger language plpgsql as $$
begin
  perform pg_notify('gw_policy', '');
  return null;
end
$$;
