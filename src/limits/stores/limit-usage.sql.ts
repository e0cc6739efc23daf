/**
 * Stored usage under the limit `l`, by UTC day from `d.first` to `d.last`, in the unit of the limit. `limit_seed()` counts by the same
 * rules. Keys are never deleted, so a limit for the account counts all keys, and every case uses the index.
 */
export const USAGE_BY_DAY = `
    select u.day, sum(u.requests) as requests, ceil(sum(u.units)) as units
      from (select case l.scope
                     when 'account' then array(select id from api_keys)
                     when 'key' then array[l.scope_id]
                     when 'team' then array(select id from api_keys where team_id = l.scope_id)
                     else array(select k.id from api_keys k left join teams m on m.id = k.team_id
                                 where k.tags @> array[l.scope_tag] or m.tags @> array[l.scope_tag]) end as ids offset 0) keys
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
     group by u.day`;
