-- The end of the period that contains `at`, in microseconds since 1970. Null if it does not end.
--
-- The noon of a day occurs once in every zone, and is hours away from each change of clocks. This keeps the result right even if
-- a zone is read as an abbreviation.
create or replace function limit_period_end(per text, zone text, at timestamp with time zone)
returns bigint language plpgsql stable parallel safe as $$
declare v_noon timestamptz;
begin
  if per in ('total', 'rolling_5h', 'rolling_7d') then return null; end if;
  if per in ('minute', 'hour') then return (date_part('epoch', date_trunc(per, at, 'UTC') + ('1 ' || per)::interval) * 1e6)::bigint; end if;
  v_noon := to_timestamp(limit_period_start(per, zone, at) / 1e6) + interval '12 hours';
  return limit_period_start(per, zone, (date_trunc(per, v_noon at time zone zone) + ('1 ' || per)::interval + interval '12 hours') at time zone zone);
end
$$;
