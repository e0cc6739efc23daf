-- Writes recomputed costs to request logs. Does nothing for refused requests. $1 costs
update request_logs r
   set cost_nanos = g.cost_nanos, cost = g.cost
  from jsonb_to_recordset($1::jsonb) as g(id uuid, created_at timestamptz, cost_nanos bigint, cost jsonb)
 where r.created_at = g.created_at and r.id = g.id
