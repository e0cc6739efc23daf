-- Adds usage without a reservation to the current period, unless the period began later. The caller has locked `p_locked`.
create or replace function limits_charge_1(p_locked bigint[], c_id bigint[], c_at bigint[], c_spent bigint[])
returns void language plpgsql as $$
declare c limit_counters; v_part bigint; v_spent bigint;
begin
  perform limit_advance(p_locked, (date_part('epoch', clock_timestamp()) * 1e6)::bigint);
  for i in 1 .. cardinality(c_id) loop
    select * into c from limit_counters l
     where l.limit_id = c_id[i] and l.limit_id = any(p_locked) and l.active and l.period <= c_at[i] and l.measure <> 'concurrent_requests';
    continue when not found or c_spent[i] > 4503599627370496;
    v_spent := greatest(c_spent[i], -c.used);
    v_part := c.bucket;
    if c.buckets is not null and v_spent < 0 then
      v_part := least(c.bucket, c_at[i] / case c.per when 'rolling_5h' then 300000000 else 7200000000 end);
      continue when v_part <= c.bucket - cardinality(c.buckets);
      v_spent := greatest(v_spent, -c.buckets[v_part % cardinality(c.buckets) + 1]);
    end if;
    update limit_counters l set used = least(l.used + v_spent, 4611686018427387904), buckets = limit_bucket_add(l.buckets, v_part, v_spent)
     where l.limit_id = c_id[i];
  end loop;
end
$$;
