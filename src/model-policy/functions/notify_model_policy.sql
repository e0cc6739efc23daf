-- Makes every process reload its tables.
create or replace function notify_model_policy()
returns trigger language plpgsql as $$
BEGIN
  PERFORM pg_notify('gw_policy', CASE TG_OP WHEN 'DELETE' THEN OLD.model ELSE NEW.model END);
  RETURN NULL;
END
$$;
