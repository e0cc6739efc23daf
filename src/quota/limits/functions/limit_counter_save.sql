-- Stores a row that was computed in memory.
create or replace function limit_counter_save(c limit_counters)
returns void language plpgsql as $$
begin
  update limit_counters l set
    base = c.base, enabled = c.enabled, enforced = c.enforced, starts = c.starts, ends = c.ends, carry_max = c.carry_max,
    granted = c.granted, thresholds = c.thresholds, since = c.since, until = c.until, active = c.active, amount = c.amount,
    period = c.period, used = c.used, held = c.held, overdraft = c.overdraft, estimated = c.estimated, carried = c.carried,
    bucket = c.bucket, buckets = c.buckets, alert_at = c.alert_at
  where l.limit_id = c.limit_id;
end
$$;
