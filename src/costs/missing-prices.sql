-- A page of the models that were used without a price, the most used first. `pairs` skips from one model to the next. Each step reads
-- only the index of models.
--
-- $1 limit, $2 offset, $3 batches that are counted for each model, $4 models
with recursive pairs as (
  (select answered_model, provider
     from unpriced_batches
    order by answered_model, provider
    limit 1)
   union all
  select n.answered_model, n.provider
    from pairs p
   cross join lateral (
     select u.answered_model, u.provider
       from unpriced_batches u
      where (u.answered_model, u.provider) > (p.answered_model, p.provider)
      order by u.answered_model, u.provider
      limit 1) n
), counted as materialized (
  select p.answered_model, p.provider, c.requests, c.last_at, c.batches > $3::int as has_more
    from (select * from pairs limit $4::int) p
   cross join lateral (
     select count(*) as batches, (sum(requests) filter (where place <= $3))::float8 as requests, max(last_at) as last_at
       from (
         select requests, last_at, row_number() over (order by first_at desc) as place
           from unpriced_batches u
          where u.answered_model = p.answered_model and u.provider = p.provider
          order by first_at desc
          limit $3 + 1) newest) c
), page as (
  select *
    from counted
   order by requests desc, answered_model, provider
   limit $1 offset $2
)
select (select count(*)::int from counted) as total,
       coalesce(jsonb_agg(to_jsonb(m) order by m.requests desc, m.model, m.provider), '[]') as rows
  from (
    select p.answered_model as model, p.provider, p.requests, p.has_more as "hasMore", p.last_at as "lastUsedAt",
           newest.base_url as "baseUrl", newest.models, oldest.first_at as "firstUsedAt", sums.units
      from page p
     cross join lateral (
       select u.base_url, u.models
         from unpriced_batches u
        where u.answered_model = p.answered_model and u.provider = p.provider
        order by u.first_at desc
        limit 1) newest
     cross join lateral (
       select min(u.first_at) as first_at
         from unpriced_batches u
        where u.answered_model = p.answered_model and u.provider = p.provider) oldest
     cross join lateral (
       select jsonb_object_agg(kind, units) as units
         from (
           select e.key as kind, sum(e.value::bigint) as units
             from (
               select u.units
                 from unpriced_batches u
                where u.answered_model = p.answered_model and u.provider = p.provider
                order by u.first_at desc
                limit $3) s
            cross join lateral jsonb_each_text(s.units) e
            group by e.key) k) sums) m
