-- Copies the top-ups of a limit into the row that admission locks.
create or replace function limit_granted()
returns trigger language plpgsql as $$
declare
  c limit_counters; v_limit bigint := case tg_op when 'DELETE' then old.limit_id else new.limit_id end;
  v_now_us bigint;
begin
  select * into c from limit_counters where limit_id = v_limit for no key update;
  if not found then return null; end if;
  v_now_us := (date_part('epoch', clock_timestamp()) * 1e6)::bigint;
  select array_agg(v order by g.id, n) into c.granted
    from limit_grants g
   cross join lateral (values (1, g.amount), (2, (date_part('epoch', g.starts_at) * 1e6)::bigint),
                              (3, coalesce((date_part('epoch', g.expires_at) * 1e6)::bigint, 9007199254740991))) as x(n, v)
   where g.limit_id = v_limit and (g.expires_at is null or g.expires_at > to_timestamp(v_now_us / 1e6));
  perform limit_counter_save(limit_advanced(c, v_now_us));
  return null;
end
$$;
