-- Adds the sums of requests that now have a complete price to their rows. $1 sums
update cost_daily u
   set cost_nanos = bounded_sum(u.cost_nanos + g.nanos), unpriced_requests = u.unpriced_requests - g.requests
  from jsonb_to_recordset($1::jsonb) as g(
         day date, key_id uuid, model text, endpoint text, provider text, requests bigint, nanos numeric)
 where u.day = g.day and u.key_id = g.key_id and u.model = g.model and u.endpoint = g.endpoint and u.provider = g.provider
