-- The keys that belong to the team and have the tag. A tag of their team counts too.
--
-- $1 key, $2 team, $3 tag. Null for no condition
select k.id
  from api_keys k
  left join teams t on t.id = k.team_id
 where ($1::uuid is null or k.id = $1)
   and ($2::uuid is null or k.team_id = $2)
   and ($3::text is null or array[$3] <@ k.tags or array[$3] <@ t.tags)
