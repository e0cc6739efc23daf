-- Finds the objects for whose usage a request waits. $1 objects
select distinct g.provider, g.object_id as "objectId"
  from jsonb_to_recordset($1::jsonb) as g(provider text, object_id text)
  join unpriced_batches u on u.object_id = g.object_id and u.provider = g.provider
