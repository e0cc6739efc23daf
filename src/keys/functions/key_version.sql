-- Creates the row that admission locks, or raises its version, in the transaction of the change. A clock that is set back
-- cannot repeat a version.
create or replace function key_version()
returns trigger language plpgsql as $$
DECLARE v bigint := (date_part('epoch', clock_timestamp()) * 1e6)::bigint;
BEGIN
  IF tg_op = 'INSERT' THEN INSERT INTO key_quota (key_id, version) VALUES (new.id, v);
  ELSE UPDATE key_quota SET version = greatest(version + 1, v) WHERE key_id = new.id;
  END IF;
  PERFORM pg_notify('gw_key', new.id::text);
  RETURN NULL;
END
$$;
