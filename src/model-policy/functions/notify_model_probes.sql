-- Makes every process reload its tables, among them the verdicts of probes.
create or replace function notify_model_probes()
returns trigger language plpgsql as $$
BEGIN
  PERFORM pg_notify('gw_policy', '');
  RETURN NULL;
END
$$;
