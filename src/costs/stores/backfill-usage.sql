-- The usage of a day before costs were recorded, which has no costs yet. $1 day
select key_id as "keyId", model, requests::float8 as requests, input_tokens::float8 as "inputTokens",
       output_tokens::float8 as "outputTokens"
  from usage_daily
 where day = $1
 order by key_id, model
