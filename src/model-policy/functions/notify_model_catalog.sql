-- Makes every process reload the model catalog.
create or replace function notify_model_catalog()
returns trigger language plpgsql as $$
BEGIN
  PERFORM pg_notify('gw_catalog', '1');
  RETURN NULL;
END
$$;
