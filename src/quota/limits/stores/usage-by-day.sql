-- Stored usage under limits by UTC day, in the unit of each limit. `limit_seed()` counts by the same rules. With a million rows of usage, a
-- limit for the account takes a second.
--
-- $1 limits as JSON, which need not exist; $2 first and $3 last day, by default the last seven days
select l.id, date_part('epoch', u.day::timestamp at time zone 'UTC') * 1000 as start_ms,
       ceil(greatest(1, date_part('epoch', least(d.now, (u.day + 1)::timestamp at time zone 'UTC') - u.day::timestamp at time zone 'UTC') * 1000))::integer
         as length_ms,
       ceil(sum(u.units)) as units, sum(u.requests)::float8 as requests
  from jsonb_populate_recordset(null::limits, $1::jsonb) l
 cross join (
   select now, coalesce($2::date, today - 6) as first, coalesce($3::date, today) as last
     from (select now, (now at time zone 'UTC')::date as today from (select clock_timestamp() as now offset 0) c offset 0) t offset 0) d
 cross join lateral (
   -- Keys are never deleted, so a limit for the account counts all of them, and every case uses the index.
   select case l.scope
            when 'account' then array(select id from api_keys)
            when 'key' then array[l.scope_id]
            when 'team' then array(select id from api_keys where team_id = l.scope_id)
            else array(
              select k.id
                from api_keys k
                left join teams m on m.id = k.team_id
               where k.tags @> array[l.scope_tag] or m.tags @> array[l.scope_tag]) end as ids
   offset 0) keys
 cross join lateral (
   select day, requests, requests::numeric as units
     from usage_daily
    where l.measure = 'requests' and key_id = any(keys.ids) and day between d.first and d.last and (l.models is null or limit_names(l.models, model))
    union all
   select day, requests,
          case l.measure when 'cost' then cost_nanos else
            case l.measure when 'output_tokens' then 0 else
              input + audio_input + image_input
              + (cached_input + cached_audio_input) * coalesce((l.weights ->> 'cached_input')::numeric, 1)
              + (cache_write_5m + cache_write_1h) * coalesce((l.weights ->> 'cache_write')::numeric, 1) end
            + case l.measure when 'input_tokens' then 0 else output + audio_output + image_output end end
     from cost_daily
    where l.measure in ('tokens', 'input_tokens', 'output_tokens', 'cost') and key_id = any(keys.ids) and day between d.first and d.last
      and (l.models is null or limit_names(l.models, model))) u
 group by l.id, u.day, d.now
 order by l.id, u.day
