-- Adds an edition of the published prices, unless it is stored. $1 edition, $2 version, $3 date, $4 models
with edition as (
  insert into price_lists (edition, version, published_on) values ($1, $2, $3) on conflict do nothing returning version
)
insert into listed_prices (version, provider, model, terms)
select version, provider, model, terms
  from edition
 cross join jsonb_to_recordset($4::jsonb) as p(provider text, model text, terms jsonb)
 order by provider, model
on conflict do nothing
