-- Brings outdated rows up to date. The caller has locked them.
create or replace function limit_advance(ids bigint[], now_us bigint)
returns void language plpgsql as $$
declare c limit_counters;
begin
  for c in select * from limit_counters where limit_id = any(ids) and (now_us < since or now_us >= until) loop
    perform limit_counter_save(limit_advanced(c, now_us));
  end loop;
end
$$;
