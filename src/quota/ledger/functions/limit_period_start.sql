-- The start of the period that contains `at`, in microseconds since 1970. Weeks begin on Monday. An unknown zone raises an error.
--
-- PostgreSQL looks up abbreviations before zones. As abbreviations, the names below have a fixed offset all year.
create or replace function limit_period_start(per text, zone text, at timestamp with time zone)
returns bigint language plpgsql stable parallel safe as $$
declare
  v_zone text := case zone
    when 'CET' then 'Europe/Brussels' when 'MET' then 'Europe/Brussels' when 'EET' then 'Europe/Athens' when 'WET' then 'Europe/Lisbon'
    when 'EST' then 'America/Panama' when 'MST' then 'America/Phoenix' when 'HST' then 'Pacific/Honolulu'
    when 'GMT' then 'UTC' when 'UCT' then 'UTC' when 'Zulu' then 'UTC' else zone end;
  v_local timestamp; v_start timestamptz; v_before timestamptz; v_first timestamptz;
begin
  if per in ('total', 'rolling_5h', 'rolling_7d') then return 0; end if;
  if per in ('minute', 'hour') then return (date_part('epoch', date_trunc(per, at, 'UTC')) * 1e6)::bigint; end if;
  v_local := date_trunc(per, at at time zone v_zone);
  v_start := v_local at time zone v_zone;
  -- If clocks go back over this time, it occurs twice. PostgreSQL returns the second time, and the period begins with the first.
  v_before := v_start - interval '3 hours';
  v_first := (v_local - ((v_before at time zone v_zone) - (v_before at time zone 'UTC'))) at time zone 'UTC';
  if v_first < v_start and v_first at time zone v_zone = v_local then v_start := v_first; end if;
  return (date_part('epoch', v_start) * 1e6)::bigint;
end
$$;
