-- Copies a changed limit into the row that admission locks.
create or replace function limit_copied()
returns trigger language plpgsql as $$
declare
  c limit_counters; v_now_us bigint := (date_part('epoch', clock_timestamp()) * 1e6)::bigint; v_now timestamptz := to_timestamp(v_now_us / 1e6);
  v_part constant bigint := 7200000000; v_began timestamptz; v_seed bigint; v_day timestamptz; v_left bigint; v_later bigint;
begin
  if tg_op = 'DELETE' or new.deleted_at is not null then
    delete from limit_counters where limit_id = old.id;
    delete from limit_holds where limit_id = old.id;
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into limit_counters (limit_id, place, measure, per, zone, base, enabled, enforced, thresholds)
    values (new.id, case new.scope when 'key' then 0 when 'tag' then 1 when 'team' then 2 else 3 end, new.measure, new.period, new.zone,
            new.amount, new.enabled, true, new.thresholds);
  end if;
  select * into c from limit_counters where limit_id = new.id for no key update;
  -- Earlier periods end with the values that they had.
  if tg_op = 'UPDATE' then c := limit_advanced(c, v_now_us); end if;
  c.base := new.amount;
  c.enforced := new.mode = 'enforce';
  c.starts := (date_part('epoch', new.starts_at) * 1e6)::bigint;
  c.ends := (date_part('epoch', new.ends_at) * 1e6)::bigint;
  c.carry_max := new.carry_over;
  c.thresholds := new.thresholds;
  c.enabled := new.enabled;
  c := limit_advanced(c, v_now_us);
  -- The counter has missed what was used before, or while it was disabled. The period stays, so that running requests settle into it.
  if new.enabled and c.measure <> 'concurrent_requests'
     and (tg_op = 'INSERT' or not old.enabled or new.starts_at is distinct from old.starts_at) then
    v_began := greatest(
      case c.per when 'rolling_7d' then to_timestamp((c.bucket - cardinality(c.buckets) + 1) * v_part / 1e6) else '-infinity'::timestamptz end,
      to_timestamp(c.period / 1e6), new.starts_at);
    v_seed := case when c.active then limit_seed(new, v_began, v_now) else 0 end;
    -- Another start in the past loses no count, because usage by day is less exact.
    if tg_op = 'INSERT' or not old.enabled or not c.active or old.starts_at > v_now or v_seed > c.used then
      c.used := v_seed;
      if c.buckets is not null then
        c.buckets := array_fill(0::bigint, array[cardinality(c.buckets)]);
        v_left := v_seed;
        v_day := date_trunc('day', v_began, 'UTC');
        while v_left > 0 loop
          v_day := v_day + interval '1 day';
          exit when v_day > v_now;
          v_later := least(v_left, limit_seed(new, v_day, v_now));
          c.buckets := limit_bucket_add(c.buckets, (date_part('epoch', v_day) * 1e6)::bigint / v_part - 1, v_left - v_later);
          v_left := v_later;
        end loop;
        c.buckets := limit_bucket_add(c.buckets, c.bucket, v_left);
      end if;
    end if;
    if not c.active then c.estimated := 0; end if;
  end if;
  perform limit_counter_save(c);
  return null;
end
$$;
