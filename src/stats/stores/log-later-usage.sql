-- Writes usage that was reported later to the log of its request. The statistics of a closed hour are computed again.
--
-- $1 request, $2 time, $3 input, $4 output, $5 cost in nano-dollars, $6 cost
with logged as (
  update request_logs
     set input_tokens = $3, output_tokens = $4, usage_source = 'reported', cost_nanos = $5, cost = $6::jsonb
   where created_at = $2::timestamptz and id = $1
  returning created_at
), refused as (
  update request_refusals
     set input_tokens = $3, output_tokens = $4, usage_source = 'reported', cost_nanos = $5, cost = $6::jsonb
   where created_at = $2::timestamptz and id = $1
  returning created_at
), late as (
  insert into stats_late_hours (hour)
  select date_trunc('hour', created_at, 'UTC')
    from logged
   where created_at < (select closed_until from stats_rollup_state)
)
select (select count(*)::int from logged) + (select count(*)::int from refused) as logs
