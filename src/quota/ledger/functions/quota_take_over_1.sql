-- The first statement on every new connection. It waits for a statement of this writer that still runs. It fences one that has
-- not begun, by raising the upper 23 bits of the number. The outcome of the last entry is known when it returns.
--
-- If others ended this process, its reservations are restored. The result is empty if the writer has no row.
create or replace function quota_take_over_1(
  p_writer uuid,
  out half bigint,
  out stored bigint,
  out at_ms double precision,
  out short_keys uuid[],
  out short_granted integer[],
  out refused integer[],
  out expired boolean
)
returns SETOF record language plpgsql as $$
declare v_expired_us bigint;
begin
  select (w.batch >> 40) + 1, w.batch & 1099511627775, date_part('epoch', w.at) * 1000, w.short_keys, w.short_granted, w.refused, w.expired_at is not null,
         (date_part('epoch', w.expired_at) * 1e6)::bigint
    into half, stored, at_ms, short_keys, short_granted, refused, expired, v_expired_us
    from quota_writer w where w.writer_id = p_writer for no key update;
  if not found then return; end if;
  if expired then
    perform from limit_counters c where c.limit_id = any(array(select limit_id from limit_holds where writer_id = p_writer and held > 0))
     order by c.place, c.limit_id for no key update;
    update limit_counters c
       set (held, overdraft, used, estimated, buckets) = (
             select c.held + h.held, c.overdraft + h.overdraft, case when c.measure = 'concurrent_requests' then c.used else greatest(0, c.used - t.taken) end,
                    greatest(0, c.estimated - t.taken), limit_bucket_add(c.buckets, p.part, -t.taken)
               from (select least(c.bucket, v_expired_us / case c.per when 'rolling_5h' then 300000000 else 7200000000 end) as part) p
              cross join lateral (
                select case when c.buckets is null then h.held
                            when p.part <= c.bucket - cardinality(c.buckets) then 0
                            else least(h.held, c.buckets[(p.part % cardinality(c.buckets) + 1)::integer]) end as taken) t)
      from limit_holds h where h.writer_id = p_writer and h.held > 0 and c.limit_id = h.limit_id and c.period = h.period;
  end if;
  update quota_writer w set batch = half * 1099511627776 + stored, expired_at = null, beat_at = case when w.beat_at is null then null else clock_timestamp() end
   where w.writer_id = p_writer;
  return next;
end
$$;
