-- Failed requests in total, by day, by error code, by key, and by the team that a key belongs to now. The key of requests without a known
-- key is the nil UUID.
--
-- $1 first day, $2 last day, $3 keys, $4 code. Null in $3 and $4: no condition
with counted as materialized (
  select r.day, r.code, r.key_id, k.team_id, r.requests, r.rejected
    from request_errors_daily r
    left join api_keys k on k.id = r.key_id
   where r.day between $1::date and $2::date
     and ($3::uuid[] is null or r.key_id = any($3)) and ($4::text is null or r.code = $4)
), sums as materialized (
  select case grouping(day, code, key_id, team_id) when 7 then 'day' when 11 then 'code' when 13 then 'key' when 14 then 'team'
         else 'total' end as kind,
         day, code, key_id, team_id, sum(requests)::float8 as requests, sum(rejected)::float8 as rejected
    from counted
   group by grouping sets ((), (day), (code), (key_id), (team_id))
), ranked as (
  select *, row_number() over (partition by kind order by requests desc, day desc, code, key_id, team_id) as rank
    from sums
   where requests is not null
)
select r.kind, to_char(r.day, 'YYYY-MM-DD') as day, r.code, r.key_id as "keyId", k.name as "keyName",
       coalesce(r.team_id, k.team_id) as "teamId", t.name as "teamName", r.requests, r.rejected
  from ranked r
  left join api_keys k on k.id = r.key_id
  left join teams t on t.id = coalesce(r.team_id, k.team_id)
 where r.rank <= 500 or r.kind = 'day'
 order by r.kind, case r.kind when 'day' then r.day end desc, r.rank
