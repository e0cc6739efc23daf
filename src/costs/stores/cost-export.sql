-- The next rows of `cost_daily` in the order of its primary key.
--
-- $1 keys or null, $2 filter, $3 first day, $4 last day, $5 position of the last row before, $6 limit
select c.*, c.day::text, c.key_id as "keyId", k.name as "keyName", t.name as "teamName",
       case when backfilled then requests else 0 end as backfilled_requests
  from (
    select *
      from cost_daily
     where day between $3::date and $4::date
       and (day, key_id, model, endpoint, provider)
             > (($5::jsonb ->> 'day')::date, ($5 ->> 'keyId')::uuid, $5 ->> 'model', $5 ->> 'endpoint', $5 ->> 'provider')
       and ($1::uuid[] is null or key_id = any($1))
       and ($2::jsonb ->> 'model' is null or model = $2 ->> 'model')
       and ($2 ->> 'endpoint' is null or endpoint = $2 ->> 'endpoint')
       and ($2 ->> 'provider' is null or provider = $2 ->> 'provider')
     order by day, key_id, model, endpoint, provider
     limit $6) c
  left join api_keys k on k.id = c.key_id
  left join teams t on t.id = k.team_id
 order by c.day, c.key_id, c.model, c.endpoint, c.provider
