-- Removes the stored sums of changed days and months, so that the next report computes them again.
create or replace function cost_day_changed()
returns trigger language plpgsql as $$
declare one date;
begin
  for one in select distinct day from changed order by day loop
    perform pg_advisory_xact_lock_shared(hashtextextended('cost-day:' || (one - date '1970-01-01'), 0));
    delete from cost_days where day = one;
  end loop;
  for one in select distinct date_trunc('month', day)::date from changed order by 1 loop
    perform pg_advisory_xact_lock_shared(hashtextextended('cost-month:' || (one - date '1970-01-01'), 0));
    delete from cost_months where month = one;
  end loop;
  return null;
end
$$;
