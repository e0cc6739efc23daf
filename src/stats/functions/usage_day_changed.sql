-- Removes the stored sums of changed days, so that the next report computes them again.
create or replace function usage_day_changed()
returns trigger language plpgsql as $$
DECLARE one date;
BEGIN
  FOR one IN SELECT DISTINCT day FROM changed ORDER BY day LOOP
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('usage-day:' || (one - date '1970-01-01'), 0));
    DELETE FROM usage_days WHERE day = one;
  END LOOP;
  RETURN NULL;
END
$$;
