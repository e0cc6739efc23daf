-- Locks the progress of the backfill. Returns no row while another process works on it.
select until::text, filled_from::text, finished_at is not null as finished
  from cost_backfill
   for update skip locked
