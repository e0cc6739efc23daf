-- $1 writer. Returns no row if another process ended its reservations, or its row was deleted.
update quota_writer
   set beat_at = clock_timestamp(), at = clock_timestamp()
 where writer_id = $1 and expired_at is null
returning writer_id
