import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Thresholds, and triggers that keep `limit_counters` and the version of the set up to date in the transaction of an operator's change. */
export class LimitChanges1790000021100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...ALERTS, SEED, ...TRIGGERS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger limit_counters_alert on limit_counters');
    await runner.query('drop trigger teams_tags_changed on teams');
    for (const trigger of ['limits_removed', 'limits_a_set', 'limits_b_version', 'limits_c_counter'])
      await runner.query(`drop trigger ${trigger} on limits`);
    await runner.query('drop trigger limit_grants_counter on limit_grants');
    await runner.query(
      'drop function limits_removed, limit_granted, limit_copied, limit_changed, limit_set_raised, limit_seed, limit_names, limit_threshold_reached, limit_advance, limit_counter_save, limit_alert_at',
    );
  }
}

const ALERTS = [
  // The lowest figure above \`used\` at which a threshold is reached.
  `create function limit_alert_at(thresholds smallint[], amount bigint, used bigint) returns bigint language sql immutable as $$
     select min(greatest(1, ceil(amount::numeric * t / 100)))::bigint from unnest(thresholds) as t
      where greatest(1, ceil(amount::numeric * t / 100)) > used
   $$`,
  `create function limit_counter_save(c limit_counters) returns void language plpgsql as $$
   begin
     update limit_counters l set
       base = c.base, enabled = c.enabled, enforced = c.enforced, starts = c.starts, ends = c.ends, carry_max = c.carry_max,
       granted = c.granted, thresholds = c.thresholds, since = c.since, until = c.until, active = c.active, amount = c.amount,
       period = c.period, used = c.used, held = c.held, estimated = c.estimated, carried = c.carried, bucket = c.bucket,
       buckets = c.buckets, alert_at = c.alert_at
     where l.limit_id = c.limit_id;
   end $$`,
  // The caller has locked the rows.
  `create function limit_advance(ids bigint[], now_us bigint) returns void language plpgsql as $$
   declare c limit_counters;
   begin
     for c in select * from limit_counters where limit_id = any(ids) and (now_us < since or now_us >= until) loop
       perform limit_counter_save(limit_advanced(c, now_us));
     end loop;
   end $$`,
  // In the transaction that reaches the threshold: the alert, its event, its notification and its deliveries.
  `create function limit_threshold_reached() returns trigger language plpgsql as $$
   declare
     v_limit limits; v_threshold smallint; v_event uuid; v_at timestamptz := date_trunc('milliseconds', clock_timestamp()); v_data jsonb;
     v_window interval := case new.per when 'rolling_5h' then interval '5 hours' when 'rolling_7d' then interval '7 days' end;
     v_unit numeric := case new.measure when 'cost' then 1000000000 else 1 end;
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
         'used', trim_scale(new.used / v_unit)::text, 'amount', trim_scale(new.amount / v_unit)::text,
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
   end $$`,
  `create trigger limit_counters_alert before update on limit_counters
     for each row when (new.used >= new.alert_at) execute function limit_threshold_reached()`,
];

/** Usage is stored by UTC day. A first day that is not in the period as a whole counts by its share. Minutes, hours and 5 hours start at 0. */
const SEED = `
  create function limit_seed(l limits, began timestamptz, at timestamptz) returns bigint language plpgsql stable as $$
  declare
    v_day date := (began at time zone 'UTC')::date;
    v_length numeric := extract(epoch from least(at, ((v_day + 1)::timestamp at time zone 'UTC')) - (v_day::timestamp at time zone 'UTC'));
    v_share numeric := case when v_length <= 0 then 1 else greatest(0, 1 - extract(epoch from began - (v_day::timestamp at time zone 'UTC')) / v_length) end;
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
  end $$`;

const TRIGGERS = [
  // Whether one of the patterns, in which * matches any characters, names the model. Null patterns name all models.
  `create function limit_names(patterns text[], model text) returns boolean language sql immutable parallel safe as $$
     select patterns is null or exists (
       select from unnest(patterns) as p
        where lower(model) like replace(replace(replace(replace(lower(p), '\\', '\\\\'), '_', '\\_'), '%', '\\%'), '*', '%'))
   $$`,
  // This trigger fires first. Changes to the set are therefore serialized, with versions in the order of their commits.
  `create function limit_set_raised() returns trigger language plpgsql as $$
   begin
     update limit_set set version = greatest(version + 1, (date_part('epoch', clock_timestamp()) * 1e6)::bigint);
     perform pg_notify('gw_policy', '');
     return null;
   end $$`,
  // The daily job deletes limits that were marked as deleted long ago. That changes nothing for a process.
  `create function limits_removed() returns trigger language plpgsql as $$
   begin
     if exists (select from removed where deleted_at is null) then
       update limit_set set version = greatest(version + 1, (date_part('epoch', clock_timestamp()) * 1e6)::bigint);
       perform pg_notify('gw_policy', '');
     end if;
     return null;
   end $$`,
  `create trigger limits_removed after delete on limits referencing old table as removed
     for each statement execute function limits_removed()`,
  `create trigger limits_a_set before insert or update of models, mode, enabled, weights, reserve, starts_at, ends_at, deleted_at on limits
     for each statement execute function limit_set_raised()`,
  `create trigger teams_tags_changed before insert or delete or update of tags on teams
     for each statement execute function limit_set_raised()`,
  `create function limit_changed() returns trigger language plpgsql as $$
   begin
     if tg_op = 'UPDATE' and (new.scope, new.scope_id, new.scope_tag, new.measure, new.period, new.zone)
        is distinct from (old.scope, old.scope_id, old.scope_tag, old.measure, old.period, old.zone) then
       raise exception 'the scope, measure, period and zone of a limit cannot change';
     end if;
     perform limit_period_start(new.period, new.zone, now());
     new.version := (select version from limit_set);
     return new;
   end $$`,
  `create trigger limits_b_version before insert or update on limits for each row execute function limit_changed()`,
  `create function limit_copied() returns trigger language plpgsql as $$
   declare
     c limit_counters; v_now_us bigint := (date_part('epoch', clock_timestamp()) * 1e6)::bigint; v_now timestamptz := to_timestamp(v_now_us / 1e6);
     v_began timestamptz; v_seed bigint; v_parts integer; v_age numeric;
   begin
     if tg_op = 'DELETE' or new.deleted_at is not null then
       delete from limit_counters where limit_id = old.id;
       delete from limit_holds where limit_id = old.id;
       return null;
     end if;
     if tg_op = 'INSERT' then
       insert into limit_counters (limit_id, place, measure, per, zone, base, enabled, enforced, thresholds)
       values (new.id, case new.scope when 'key' then 0 when 'tag' then 1 when 'team' then 2 else 3 end, new.measure, new.period, new.zone,
               new.amount, new.enabled, true, new.thresholds);
     end if;
     select * into c from limit_counters where limit_id = new.id for no key update;
     -- Earlier periods end with the values that they had.
     if tg_op = 'UPDATE' then c := limit_advanced(c, v_now_us); end if;
     c.base := new.amount;
     c.enforced := new.mode = 'enforce';
     c.starts := (date_part('epoch', new.starts_at) * 1e6)::bigint;
     c.ends := (date_part('epoch', new.ends_at) * 1e6)::bigint;
     c.carry_max := new.carry_over;
     c.thresholds := new.thresholds;
     c.enabled := new.enabled;
     c := limit_advanced(c, v_now_us);
     -- The counter has missed what was used before, or while it was disabled. The period stays, so that running requests settle into it.
     if new.enabled and c.measure <> 'concurrent_requests'
        and (tg_op = 'INSERT' or not old.enabled or new.starts_at is distinct from old.starts_at) then
       v_began := greatest(case c.per when 'rolling_7d' then v_now - interval '7 days' else '-infinity'::timestamptz end,
                           to_timestamp(c.period / 1e6), new.starts_at);
       v_seed := case when c.active then limit_seed(new, v_began, v_now) else 0 end;
       -- Another start in the past loses no count, because usage by day is less exact.
       if tg_op = 'UPDATE' and old.enabled and c.active and coalesce(old.starts_at, v_now) <= v_now then v_seed := greatest(v_seed, c.used); end if;
       c.used := v_seed;
       if not c.active then c.estimated := 0; end if;
       if c.buckets is not null then
         -- The parts before now share what was used.
         v_parts := cardinality(c.buckets);
         for i in 1 .. v_parts loop c.buckets[i] := v_seed / v_parts; end loop;
         c.buckets := limit_bucket_add(c.buckets, c.bucket, v_seed % v_parts);
       end if;
     end if;
     perform limit_counter_save(c);
     return null;
   end $$`,
  `create trigger limits_c_counter after insert or update or delete on limits for each row execute function limit_copied()`,
  `create function limit_granted() returns trigger language plpgsql as $$
   declare
     c limit_counters; v_limit bigint := case tg_op when 'DELETE' then old.limit_id else new.limit_id end;
     v_now_us bigint;
   begin
     select * into c from limit_counters where limit_id = v_limit for no key update;
     if not found then return null; end if;
     v_now_us := (date_part('epoch', clock_timestamp()) * 1e6)::bigint;
     select array_agg(v order by g.id, n) into c.granted
       from limit_grants g
      cross join lateral (values (1, g.amount), (2, (date_part('epoch', g.starts_at) * 1e6)::bigint),
                                 (3, coalesce((date_part('epoch', g.expires_at) * 1e6)::bigint, 9007199254740991))) as x(n, v)
      where g.limit_id = v_limit and (g.expires_at is null or g.expires_at > to_timestamp(v_now_us / 1e6));
     perform limit_counter_save(limit_advanced(c, v_now_us));
     return null;
   end $$`,
  `create trigger limit_grants_counter after insert or update or delete on limit_grants for each row execute function limit_granted()`,
];
