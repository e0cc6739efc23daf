-- Marks hours that were closed before these rows arrived, so that their statistics are computed again.
create or replace function request_logs_late()
returns trigger language plpgsql as $$
BEGIN
  INSERT INTO stats_late_hours (hour)
  SELECT DISTINCT date_trunc('hour', created_at, 'UTC') FROM inserted
   WHERE created_at < (SELECT closed_until FROM stats_rollup_state);
  RETURN NULL;
END
$$;
