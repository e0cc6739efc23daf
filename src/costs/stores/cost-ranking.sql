-- A sorted page of keys, teams, models, endpoints or providers. Returns at least one row, so that an empty page still has the total
-- number of values. Only keys and teams have names. `cost-values.sql` explains where costs are read from.
--
-- $1 keys or null, $2 filter, $3 first day, $4 last day, $5 what to read, $6 order, $7 limit, $8 offset
with span as (
  select min(day) as first, max(day) as last
    from cost_daily
), months as materialized (
  select month
    from cost_months
   where $5::jsonb ->> 'monthSums' is not null
     and month >= $3::date
     and (month + interval '1 month')::date <= $4::date + 1
), wanted as materialized (
  select day, exists (select from cost_days c where c.day = d.day) and $5 ->> 'daySums' is not null as closed
    from (select first + n as day from span cross join lateral generate_series(0, last - first) n) d
   where day between $3 and $4
     and not exists (select from months where month = date_trunc('month', day))
     and coalesce($5 ->> 'daySums', $5 ->> 'monthSums') is not null
), stored as (
  select other as value, requests, cost_nanos
    from months
   cross join lateral (
     select other, requests, cost_nanos
       from cost_month_sums s
      where s.month = months.month
        and filtered = $5 ->> 'monthSums'
        and value = coalesce($2::jsonb ->> ($5 ->> 'monthSums'), '')
        and grouped = $5 ->> 'stored'
        and ($1::uuid[] is null or other = any($1::text[]))
        and ($2 ->> ($5 ->> 'stored') is null or other = $2 ->> ($5 ->> 'stored'))
     offset 0) s
   union all
  select value, requests, cost_nanos
    from wanted
   cross join lateral (
     select value, requests, cost_nanos
       from cost_day_sums s
      where s.day = wanted.day
        and dimension = $5 ->> 'daySums'
        and ($1 is null or value = any($1::text[]))
        and ($2 ->> ($5 ->> 'daySums') is null or value = $2 ->> ($5 ->> 'daySums'))
     offset 0) s
   where closed
   union all
  select case $5 ->> 'stored' when 'key' then key_id::text when 'model' then model
                              when 'endpoint' then endpoint else provider end,
         requests, cost_nanos
    from wanted
   cross join lateral (
     select *
       from cost_daily r
      where r.day = wanted.day
        and ($1 is null or key_id = any($1))
        and ($2 ->> 'model' is null or model = $2 ->> 'model')
        and ($2 ->> 'endpoint' is null or endpoint = $2 ->> 'endpoint')
        and ($2 ->> 'provider' is null or provider = $2 ->> 'provider')
     offset 0) r
   where not closed
   union all
  select case $5 ->> 'stored' when 'key' then key_id::text when 'model' then model
                              when 'endpoint' then endpoint else provider end,
         sum(requests), sum(cost_nanos)
    from cost_daily
   where coalesce($5 ->> 'daySums', $5 ->> 'monthSums') is null
     and day between $3 and $4
     and ($1 is null or key_id = any($1))
     and ($2 ->> 'model' is null or model = $2 ->> 'model')
     and ($2 ->> 'endpoint' is null or endpoint = $2 ->> 'endpoint')
     and ($2 ->> 'provider' is null or provider = $2 ->> 'provider')
   group by 1
), groups as materialized (
  select case $5 ->> 'dimension' when 'team' then coalesce(k.team_id::text, '') else stored.value end as value,
         sum(cost_nanos) as cost_nanos, sum(requests) as requests
    from stored
    left join api_keys k on $5 ->> 'dimension' = 'team' and k.id = stored.value::uuid
   group by 1
), named as (
  select g.value, g.cost_nanos, g.requests, coalesce(k.name, t.name) as name
    from groups g
    left join api_keys k on $5 ->> 'dimension' = 'key' and k.id = g.value::uuid
    left join teams t on $5 ->> 'dimension' = 'team' and t.id = nullif(g.value, '')::uuid
)
select (select count(*)::int from groups) as total, value, name
  from (select) one
  left join (
    select value, name,
           row_number() over (order by case $6 when 'cost' then cost_nanos when 'requests' then requests end desc,
                                       case $6 when 'name' then lower(name) end collate "C" nulls last,
                                       value) as rank
      from named
     order by rank
     limit $7 offset $8) page on true
 order by rank
