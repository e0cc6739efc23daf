-- Adds tokens that were reported later to the month of their request. $1 key, $2 month, $3 input, $4 output, $5 additional tokens
update usage_monthly
   set input_tokens = input_tokens + $3::bigint, output_tokens = output_tokens + $4::bigint,
       additional_tokens = additional_tokens + $5::bigint
 where key_id = $1 and month = $2
