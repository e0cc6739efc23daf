-- Locks the backfilled usage of a day that is not completely priced. $1 day, $2 model, or null for all
select key_id as "keyId", model, requests::float8 as requests, cost_nanos as nanos, input::float8 as "inputTokens",
       output::float8 as "outputTokens"
  from cost_daily
 where day = $1 and backfilled and unpriced_requests > 0 and ($2::text is null or model = $2)
 order by key_id, model
   for no key update
