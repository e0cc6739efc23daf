-- Replaces the costs of a day that had no complete price. $1 day, $2 costs
update cost_daily u
   set cost_nanos = bounded_sum(g.nanos), unpriced_requests = 0
  from jsonb_to_recordset($2::jsonb) as g("keyId" uuid, model text, nanos numeric)
 where u.day = $1 and u.key_id = g."keyId" and u.model = g.model and u.endpoint = '' and u.provider = '' and u.backfilled
