-- The usage of the request is known, but it has no complete price.
--
-- $1 batch, $2 model that lacks the price, $3 models, $4 units, $5 items
update unpriced_batches
   set object_id = null, answered_model = $2, models = $3, units = $4::jsonb, items = $5::json
 where id = $1
