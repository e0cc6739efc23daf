-- $1 first day, $2 last day, $3 key, or null for all
select coalesce(sum(rejected), 0)::float8 as rejected
  from request_errors_daily
 where day between $1::date and $2::date and ($3::uuid is null or key_id = $3)
