-- Stores an alert, its event, its notification and its deliveries in the transaction that reaches a threshold.
--
-- A threshold of a rolling period fires again when the usage that reached it has left the period.
create or replace function limit_threshold_reached()
returns trigger language plpgsql as $$
declare
  v_limit limits; v_threshold smallint; v_event uuid; v_at timestamptz := date_trunc('milliseconds', clock_timestamp()); v_data jsonb;
  v_window interval := case new.per when 'rolling_5h' then interval '5 hours 5 minutes' when 'rolling_7d' then interval '7 days 2 hours' end;
  v_unit numeric := case new.measure when 'cost' then 0.000000001 else 1 end;
begin
  for v_threshold in
    select t from unnest(new.thresholds) as t where new.used >= greatest(1, ceil(new.amount::numeric * t / 100)) order by t
  loop
    continue when v_window is not null and exists (
      select from limit_alerts a where a.limit_id = new.limit_id and a.threshold = v_threshold and a.at > v_at - v_window);
    insert into limit_alerts (limit_id, period, threshold, at, used, amount)
    values (new.limit_id, case when v_window is null then new.period else (date_part('epoch', v_at) * 1e6)::bigint end, v_threshold, v_at, new.used, new.amount)
    on conflict do nothing;
    continue when not found;
    select * into v_limit from limits where id = new.limit_id;
    v_event := gen_random_uuid();
    v_data := jsonb_build_object(
      'limit_id', new.limit_id, 'limit_name', v_limit.name, 'scope', v_limit.scope,
      'team_id', case v_limit.scope when 'team' then v_limit.scope_id end,
      'key_id', case v_limit.scope when 'key' then v_limit.scope_id end,
      'tag', v_limit.scope_tag, 'measure', new.measure, 'period', new.per, 'mode', v_limit.mode, 'threshold', v_threshold,
      'used', trim_scale(new.used * v_unit)::text, 'amount', trim_scale(new.amount * v_unit)::text,
      'resets_at', to_char(to_timestamp(limit_period_end(new.per, new.zone, v_at) / 1e6) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
    insert into events (id, type, created_at, data) values (v_event, 'limit_threshold_reached', v_at, v_data);
    insert into notifications (id, type, created_at, data) values (v_event, 'limit_threshold_reached', v_at, v_data);
    insert into webhook_deliveries (id, webhook_id, event_id, status, by_hand, next_attempt_at, created_at)
    select gen_random_uuid(), w.id, v_event, 'pending', false, v_at, v_at
      from webhooks w where w.enabled and w.events && array['*', 'limit_threshold_reached'];
    if found then perform pg_notify('gw_delivery', ''); end if;
  end loop;
  new.alert_at := limit_alert_at(new.thresholds, new.amount, new.used);
  return new;
end
$$;
