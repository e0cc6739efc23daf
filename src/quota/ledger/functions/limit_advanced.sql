-- The row of a limit at `now_us`: its period, amount, and usage. A new period begins without usage.
--
-- Rolling periods consist of 61 parts of 5 minutes, or 85 parts of 2 hours. The newest part has only begun, and the others cover
-- the full 5 hours or 7 days. Usage leaves the period with its part.
create or replace function limit_advanced(c limit_counters, now_us bigint)
returns limit_counters language plpgsql stable as $$
declare
  forever constant bigint := 9007199254740991;
  v_now timestamptz := to_timestamp(now_us / 1e6);
  v_start bigint := limit_period_start(c.per, c.zone, v_now);
  v_end bigint := coalesce(limit_period_end(c.per, c.zone, v_now), forever);
  v_part bigint := case c.per when 'rolling_5h' then 300000000 when 'rolling_7d' then 7200000000 end;
  v_parts integer := case c.per when 'rolling_5h' then 61 when 'rolling_7d' then 85 end;
  v_stored integer := cardinality(c.buckets);
  v_before bigint; v_elapsed numeric; v_slot integer; v_grant numeric := 0; i integer;
  -- A sum in requests or tokens stays exact in JSON. In nano-dollars, it stays below the highest usage, 2^62.
  v_most numeric := case c.measure when 'cost' then 4611686018427387903 else 9007199254740991 end;
begin
  c.since := v_start;
  if v_part is not null then
    -- A clock that is set back keeps the newer part. One that was far ahead is corrected.
    if c.buckets is null or c.bucket > now_us / v_part + v_parts then
      c.buckets := array_fill(0::bigint, array[v_parts]);
      c.bucket := now_us / v_part;
      c.used := 0;
    elsif v_stored <> v_parts then
      -- The release before stored one part less.
      c.buckets := array(
        select case when a.age < v_stored then c.buckets[((c.bucket - a.age) % v_stored + 1)::integer] else 0 end
          from generate_series(0, v_parts - 1) as s(slot)
         cross join lateral (select (c.bucket - s.slot) % v_parts as age) a
         order by s.slot);
    end if;
    for i in 1 .. least(now_us / v_part - c.bucket, v_parts) loop
      v_slot := (c.bucket + i) % v_parts + 1;
      c.used := greatest(0, c.used - c.buckets[v_slot]);
      c.buckets[v_slot] := 0;
    end loop;
    c.bucket := greatest(c.bucket, now_us / v_part);
    c.since := greatest(0, (c.bucket - v_parts) * v_part);
    v_end := (c.bucket + 1) * v_part;
  end if;
  if c.period >= v_end and v_part is null and c.period < limit_period_end(c.per, c.zone, to_timestamp(v_end / 1e6)) then
    -- The clock was set back into the previous period. The newer period stays.
    v_end := limit_period_end(c.per, c.zone, to_timestamp(v_end / 1e6));
  elsif c.period < v_start or c.period >= v_end then
    -- Periods in which the limit was disabled, or did not exist yet, leave nothing.
    if c.carry_max is not null and c.enabled and c.period > 0 and c.period < v_start and coalesce(c.starts, 0) < v_start
       and coalesce(c.ends, forever) > v_start and c.per in ('minute', 'hour', 'day', 'week', 'month') then
      v_before := limit_period_start(c.per, c.zone, to_timestamp(greatest(c.period, c.starts) / 1e6));
      -- The length of a month is the mean.
      v_elapsed := round((v_start - v_before) / case c.per
        when 'minute' then 6e7 when 'hour' then 3.6e9 when 'day' then 8.64e10 when 'week' then 6.048e11 else 2.629746e12 end);
      c.carried := least(c.carry_max, case when v_before > c.period then c.base else greatest(0, c.base + c.carried - c.used - c.held) end
                                      + greatest(0, v_elapsed - 1) * c.base)::bigint;
    else
      c.carried := 0;
    end if;
    c.period := v_start;
    c.used := 0;
    c.estimated := 0;
    if c.measure <> 'concurrent_requests' then c.held := 0; c.overdraft := 0; end if;
    if v_part is not null then c.buckets := array_fill(0::bigint, array[v_parts]); end if;
  end if;
  if c.carry_max is null then c.carried := 0; end if;
  c.estimated := least(c.estimated, c.used);
  for i in 0 .. coalesce(cardinality(c.granted), 0) / 3 - 1 loop
    if now_us < c.granted[3 * i + 2] then v_end := least(v_end, c.granted[3 * i + 2]);
    elsif now_us < c.granted[3 * i + 3] then
      v_grant := v_grant + c.granted[3 * i + 1];
      v_end := least(v_end, c.granted[3 * i + 3]);
    end if;
  end loop;
  c.amount := least(c.base + c.carried + v_grant, v_most)::bigint;
  c.active := c.enabled and now_us >= coalesce(c.starts, 0) and now_us < coalesce(c.ends, forever);
  if now_us < c.starts then v_end := least(v_end, c.starts);
  elsif now_us < c.ends then v_end := least(v_end, c.ends);
  end if;
  c.until := v_end;
  c.alert_at := limit_alert_at(c.thresholds, c.amount, 0);
  return c;
end
$$;
