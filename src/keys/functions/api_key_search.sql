-- The text that a search for keys reads.
create or replace function api_key_search()
returns trigger language plpgsql as $$
BEGIN
  NEW.search := lower(NEW.name) || E'\n' || NEW.id::text;
  RETURN NEW;
END
$$;
