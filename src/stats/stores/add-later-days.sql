-- Adds tokens that were reported later to the day of their request. $1 key, $2 day, $3 model, $4 input, $5 output
update usage_daily
   set input_tokens = input_tokens + $4::bigint, output_tokens = output_tokens + $5::bigint
 where key_id = $1 and day = $2 and model = $3
