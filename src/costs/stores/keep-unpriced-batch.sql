-- Replaces a batch with the requests that still have no price.
--
-- $1 batch, $2 requests, $3 first time, $4 last time, $5 units, $6 items
update unpriced_batches
   set requests = $2, first_at = $3, last_at = $4, units = $5::jsonb, items = $6::json
 where id = $1
