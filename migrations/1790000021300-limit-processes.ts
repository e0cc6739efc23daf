import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Functions for processes that hold reservations: the takeover by a new connection, and the expiry of a dead process. */
export class LimitProcesses1790000021300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [EXPIRE, TAKE_OVER]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function quota_take_over_1, limits_expire_1');
  }
}

/**
 * Ends one process that has been silent for too long. Its reservations count as used, and as estimated. Its concurrent requests are
 * free. Its rows stay, so that a process that was only stopped can restore everything. The result is null if no process is dead, or if
 * another process ends it.
 */
const EXPIRE = `
create function limits_expire_1(p_silent interval) returns uuid language plpgsql as $$
declare v_writer uuid;
begin
  select writer_id into v_writer from quota_writer where expired_at is null and beat_at < clock_timestamp() - p_silent
   order by beat_at limit 1 for no key update skip locked;
  if not found then return null; end if;
  perform from limit_counters c where c.limit_id = any(array(select limit_id from limit_holds where writer_id = v_writer and held > 0))
   order by c.place, c.limit_id for no key update;
  update limit_counters c
     set held = greatest(0, c.held - h.held),
         used = case when c.measure = 'concurrent_requests' then c.used else least(c.used + h.held, 4611686018427387904) end,
         estimated = case when c.measure = 'concurrent_requests' then 0 else least(c.estimated + h.held, 4611686018427387904) end,
         buckets = limit_bucket_add(c.buckets, c.bucket, h.held)
    from limit_holds h where h.writer_id = v_writer and h.held > 0 and c.limit_id = h.limit_id and c.period = h.period;
  update quota_writer set expired_at = clock_timestamp() where writer_id = v_writer;
  return v_writer;
end $$`;

/**
 * The first statement on every new connection. It waits for a statement of this writer that still runs. It fences one that has not begun,
 * because it raises the upper 23 bits of the number. So the outcome of the last entry is known when it returns.
 *
 * If others ended this process, its reservations are restored. The result is empty if the writer has no row.
 */
const TAKE_OVER = `
create function quota_take_over_1(
  p_writer uuid,
  out half bigint, out stored bigint, out at_ms double precision, out short_keys uuid[], out short_granted integer[], out refused integer[], out expired boolean)
returns setof record language plpgsql as $$
begin
  select (w.batch >> 40) + 1, w.batch & 1099511627775, date_part('epoch', w.at) * 1000, w.short_keys, w.short_granted, w.refused, w.expired_at is not null
    into half, stored, at_ms, short_keys, short_granted, refused, expired
    from quota_writer w where w.writer_id = p_writer for no key update;
  if not found then return; end if;
  if expired then
    perform from limit_counters c where c.limit_id = any(array(select limit_id from limit_holds where writer_id = p_writer and held > 0))
     order by c.place, c.limit_id for no key update;
    update limit_counters c
       set held = c.held + h.held,
           used = case when c.measure = 'concurrent_requests' then c.used else greatest(0, c.used - h.held) end,
           estimated = greatest(0, c.estimated - h.held),
           buckets = limit_bucket_add(c.buckets, c.bucket, -h.held)
      from limit_holds h where h.writer_id = p_writer and h.held > 0 and c.limit_id = h.limit_id and c.period = h.period;
  end if;
  update quota_writer w set batch = half * 1099511627776 + stored, expired_at = null, beat_at = case when w.beat_at is null then null else clock_timestamp() end
   where w.writer_id = p_writer;
  return next;
end $$`;
