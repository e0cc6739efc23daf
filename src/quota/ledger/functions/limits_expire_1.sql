-- Ends one process that has been silent for too long. Its reservations count as used, and as estimated. Its concurrent requests
-- are free. Its rows stay, so that a process that was only paused can restore everything. Null if no process is dead, or another
-- process ends it.
create or replace function limits_expire_1(p_silent interval)
returns uuid language plpgsql as $$
declare v_writer uuid; v_held bigint[];
begin
  select writer_id into v_writer from quota_writer where expired_at is null and beat_at < clock_timestamp() - p_silent
   order by beat_at limit 1 for no key update skip locked;
  if not found then return null; end if;
  v_held := array(select limit_id from limit_holds where writer_id = v_writer and held > 0);
  perform from limit_counters c where c.limit_id = any(v_held) order by c.place, c.limit_id for no key update;
  perform limit_advance(v_held, (date_part('epoch', clock_timestamp()) * 1e6)::bigint);
  update limit_counters c
     set held = greatest(0, c.held - h.held), overdraft = greatest(0, c.overdraft - h.overdraft),
         used = case when c.measure = 'concurrent_requests' then c.used else least(c.used + h.held, 4611686018427387904) end,
         estimated = case when c.measure = 'concurrent_requests' then 0 else least(c.estimated + h.held, 4611686018427387904) end,
         buckets = limit_bucket_add(c.buckets, c.bucket, h.held)
    from limit_holds h where h.writer_id = v_writer and h.held > 0 and c.limit_id = h.limit_id and c.period = h.period;
  update quota_writer set expired_at = clock_timestamp() where writer_id = v_writer;
  return v_writer;
end
$$;
