-- The number of limits that match a filter, and the IDs of one page of them, the newest first.
--
-- $1 scope, $2 team, $3 key, $4 tag, $5 measure, $6 mode, $7 key to which the limits apply. Null for no condition. $8 limit and offset of the
-- page, or null for all
with key as materialized (
  -- One row: the key, or nulls.
  select k.id, k.team_id, k.tags || coalesce(m.tags, '{}') as tags
    from (select) one
    left join api_keys k on k.id = $7::uuid
    left join teams m on m.id = k.team_id
), matching as not materialized (
  select l.id
    from limits l
   cross join key k
   where l.deleted_at is null
     and ($1::text is null or l.scope = $1)
     and ($2::uuid is null or l.scope = 'team' and l.scope_id = $2)
     and ($3::uuid is null or l.scope = 'key' and l.scope_id = $3)
     and ($4::text is null or l.scope_tag = $4)
     and ($5::text is null or l.measure = $5)
     and ($6::text is null or l.mode = $6)
     -- Key and team IDs are UUIDs, so the scope of a limit need not be compared.
     and ($7::uuid is null or l.scope = 'account' and k.id is not null or l.scope_id in (k.id, k.team_id) or l.scope_tag = any(k.tags))
)
select (select count(*) from matching)::integer as total,
       array(select id from matching order by id desc limit ($8::integer[])[1] offset ($8::integer[])[2]) as ids
