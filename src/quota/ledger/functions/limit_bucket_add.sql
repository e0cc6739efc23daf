-- Adds to the newest part of a rolling period, or takes from the newest parts, and `used` stays their sum. Null for other periods.
create or replace function limit_bucket_add(buckets bigint[], bucket bigint, delta bigint)
returns bigint[] language plpgsql immutable as $$
declare v_parts integer := cardinality(buckets); v_slot integer; v_taken bigint;
begin
  if buckets is null then return null; end if;
  v_slot := bucket % v_parts + 1;
  if delta >= 0 then buckets[v_slot] := buckets[v_slot] + delta; end if;
  for i in 0 .. v_parts - 1 loop
    exit when delta >= 0;
    v_slot := (bucket - i) % v_parts + 1;
    v_taken := least(buckets[v_slot], -delta);
    buckets[v_slot] := buckets[v_slot] - v_taken;
    delta := delta + v_taken;
  end loop;
  return buckets;
end
$$;
