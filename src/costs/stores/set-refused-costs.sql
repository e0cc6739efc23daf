-- Writes recomputed costs to the logs of refused requests. Does nothing for other requests. $1 costs
update request_refusals r
   set cost_nanos = g.cost_nanos, cost = g.cost
  from jsonb_to_recordset($1::jsonb) as g(id uuid, created_at timestamptz, cost_nanos bigint, cost jsonb)
 where r.created_at = g.created_at and r.id = g.id
