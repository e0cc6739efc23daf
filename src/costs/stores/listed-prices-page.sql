-- Always returns one row, so that an empty page still has the total.
--
-- $1 version, $2 provider or null, $3 model or null, $4 limit, $5 offset. Null for all
with matching as (
  select *
    from listed_prices
   where version = $1 and ($2::text is null or provider = $2) and ($3::text is null or model = $3)
)
select (select count(*)::int from matching) as total, p.*
  from (select) one
  left join (
    select provider, model, terms, recorded_at as "recordedAt"
      from matching
     order by provider, model, recorded_at desc
     limit $4 offset $5) p on true
 order by p.provider, p.model, p."recordedAt" desc
