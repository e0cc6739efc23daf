-- $1 seconds
select exists (
  select from quota_writer
   where expired_at is null and beat_at < clock_timestamp() - make_interval(secs => $1::integer))
