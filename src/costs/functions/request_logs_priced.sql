-- Marks closed hours whose costs have changed, so that their statistics are computed again.
create or replace function request_logs_priced()
returns trigger language plpgsql as $$
begin
  insert into stats_late_hours (hour, cost_only)
  select distinct date_trunc('hour', created_at, 'UTC'), true from updated
   where created_at < (select closed_until from stats_rollup_state);
  return null;
end
$$;
