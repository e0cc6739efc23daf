-- Locks the request that waits for the usage of an object. Returns no row if another process has just settled it. $1 upstream, $2 object
select id, day::text, key_id as "keyId", model, endpoint, provider, models, base_url as "baseUrl", items
  from unpriced_batches
 where provider = $1 and object_id = $2
 order by id
 limit 1
   for update
