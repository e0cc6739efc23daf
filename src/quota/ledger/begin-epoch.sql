-- Waits for a lost batch of the writer $1, and fences it if it has not begun. The commit waits for the disk, but not for a standby.
-- While a standby stalls, a new process can thus begin. Batches follow in the log, so a standby that has them also has the epoch.
begin;

-- A batch of a lost connection can run until its session's statement_timeout. These timeouts must be longer.
set local synchronous_commit = local;
set local lock_timeout = 3000;
set local statement_timeout = 3000;

select half as epoch, stored as batch, at_ms, short_keys::text[] as short_keys, short_granted, refused as rejected
  from quota_take_over_1($1);

commit
