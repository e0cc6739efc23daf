-- Usage before the limit existed, which counts from the start of its period.
--
-- Usage is stored by UTC day. A first day that is not in the period as a whole counts by its share. It counts nothing if the
-- limit started within the last minute, because usage is stored with a delay. Minutes, hours and 5 hours start at 0.
create or replace function limit_seed(l limits, began timestamp with time zone, at timestamp with time zone)
returns bigint language plpgsql stable as $$
declare
  v_day date := (began at time zone 'UTC')::date;
  v_length numeric := extract(epoch from least(at, ((v_day + 1)::timestamp at time zone 'UTC')) - (v_day::timestamp at time zone 'UTC'));
  v_midnight timestamptz := v_day::timestamp at time zone 'UTC';
  v_share numeric := case when began = v_midnight then 1 when began > at - interval '1 minute' then 0
                          else greatest(0, 1 - extract(epoch from began - v_midnight) / v_length) end;
  v_cached numeric := coalesce((l.weights ->> 'cached_input')::numeric, 1);
  v_write numeric := coalesce((l.weights ->> 'cache_write')::numeric, 1);
  v_keys uuid[];
  v_used numeric;
begin
  if l.measure = 'concurrent_requests' or l.period in ('minute', 'hour', 'rolling_5h') then return 0; end if;
  v_keys := case l.scope
    when 'account' then null
    when 'key' then array[l.scope_id]
    when 'team' then array(select id from api_keys where team_id = l.scope_id)
    else array(select k.id from api_keys k left join teams t on t.id = k.team_id where k.tags @> array[l.scope_tag] or t.tags @> array[l.scope_tag]) end;
  if l.measure = 'requests' then
    select sum(requests * case when day = v_day then v_share else 1 end) into v_used from usage_daily u
     where day >= v_day and (v_keys is null or key_id = any(v_keys)) and (l.models is null or limit_names(l.models, u.model));
  else
    select sum(case l.measure when 'cost' then cost_nanos else
             case l.measure when 'output_tokens' then 0 else
               input + audio_input + image_input + (cached_input + cached_audio_input) * v_cached + (cache_write_5m + cache_write_1h) * v_write end
           + case l.measure when 'input_tokens' then 0 else output + audio_output + image_output end end
           * case when day = v_day then v_share else 1 end) into v_used from cost_daily u
     where day >= v_day and (v_keys is null or key_id = any(v_keys)) and (l.models is null or limit_names(l.models, u.model));
  end if;
  return least(ceil(coalesce(v_used, 0)), 4611686018427387904)::bigint;
end
$$;
