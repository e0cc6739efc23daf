-- Locks rows in the order in which `UsageStore` locks them, so that there are no deadlocks. $1 sums
select
  from cost_daily u
  join jsonb_to_recordset($1::jsonb) as g(day date, key_id uuid, model text, endpoint text, provider text)
    on u.day = g.day and u.key_id = g.key_id and u.model = g.model and u.endpoint = g.endpoint and u.provider = g.provider
 order by u.day, u.key_id, u.model, u.endpoint, u.provider
   for no key update of u
