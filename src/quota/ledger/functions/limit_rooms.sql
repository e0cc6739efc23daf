-- When requests fit under a limit, as far as its current usage decides: from `at[i]` on, a request that asks for at most `room[i]`
-- fits. Both arrays are ascending, and times are microseconds since 1970. The last time is null if a larger request never fits.
create or replace function limit_rooms(c limit_counters, now_us bigint, out at bigint[], out room bigint[])
returns record language plpgsql stable as $$
declare
  most constant bigint := 9223372036854775807;
  v_part bigint := case c.per when 'rolling_5h' then 300000000 when 'rolling_7d' then 7200000000 end;
  v_parts integer := cardinality(c.buckets); v_used bigint := c.used; v_in_part bigint; v_at bigint; v_amount numeric; v_room bigint := 0;
begin
  if v_part is null then
    -- If the clock was set back, the newer period stays.
    at := array[least(c.ends, limit_period_end(c.per, c.zone, to_timestamp(greatest(now_us, c.period) / 1e6)))];
    room := array[most];
    return;
  end if;
  for b in c.bucket - v_parts + 1 .. c.bucket loop
    v_in_part := c.buckets[b % v_parts + 1];
    continue when v_in_part = 0;
    v_used := v_used - v_in_part;
    v_at := (b + v_parts) * v_part;
    exit when v_at >= c.ends;
    v_amount := c.base;
    for i in 0 .. coalesce(cardinality(c.granted), 0) / 3 - 1 loop
      if v_at >= c.granted[3 * i + 2] and v_at < c.granted[3 * i + 3] then v_amount := v_amount + c.granted[3 * i + 1]; end if;
    end loop;
    v_room := greatest(v_room, least(v_amount - v_used, most - 1)::bigint);
    at := at || v_at;
    room := room || v_room;
  end loop;
  at := at || c.ends;
  room := room || most;
end
$$;
