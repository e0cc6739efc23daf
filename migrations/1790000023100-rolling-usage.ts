import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Changes of usage in rolling periods that also need the part in which the usage was counted.
 *
 * The functions keep their names, because the release before calls them too. `down` leaves them, because that release works with them.
 */
export class RollingUsage1790000023100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [ALERT, SEED, COPIED, ...PROCESSES]) await runner.query(statement);
  }

  async down(): Promise<void> {}
}

/** A threshold of a rolling period fires again when the usage that reached it has left the period. */
const ALERT = `
  create or replace function limit_threshold_reached() returns trigger language plpgsql as $$
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
  end $$`;

/**
 * Usage is stored by UTC day. A first day that is not in the period as a whole counts by its share. That day counts nothing if
 * the limit started within the last minute, because usage is stored with a delay. Minutes, hours and 5 hours start at 0.
 */
const SEED = `
  create or replace function limit_seed(l limits, began timestamptz, at timestamptz) returns bigint language plpgsql stable as $$
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
  end $$`;

/** In a rolling period, the usage of a day counts in its last part, so that none of it leaves too early. */
const COPIED = `
  create or replace function limit_copied() returns trigger language plpgsql as $$
  declare
    c limit_counters; v_now_us bigint := (date_part('epoch', clock_timestamp()) * 1e6)::bigint; v_now timestamptz := to_timestamp(v_now_us / 1e6);
    v_part constant bigint := 7200000000; v_began timestamptz; v_seed bigint; v_day timestamptz; v_left bigint; v_later bigint;
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
      v_began := greatest(
        case c.per when 'rolling_7d' then to_timestamp((c.bucket - cardinality(c.buckets) + 1) * v_part / 1e6) else '-infinity'::timestamptz end,
        to_timestamp(c.period / 1e6), new.starts_at);
      v_seed := case when c.active then limit_seed(new, v_began, v_now) else 0 end;
      -- Another start in the past loses no count, because usage by day is less exact.
      if tg_op = 'INSERT' or not old.enabled or not c.active or old.starts_at > v_now or v_seed > c.used then
        c.used := v_seed;
        if c.buckets is not null then
          c.buckets := array_fill(0::bigint, array[cardinality(c.buckets)]);
          v_left := v_seed;
          v_day := date_trunc('day', v_began, 'UTC');
          while v_left > 0 loop
            v_day := v_day + interval '1 day';
            exit when v_day > v_now;
            v_later := least(v_left, limit_seed(new, v_day, v_now));
            c.buckets := limit_bucket_add(c.buckets, (date_part('epoch', v_day) * 1e6)::bigint / v_part - 1, v_left - v_later);
            v_left := v_later;
          end loop;
          c.buckets := limit_bucket_add(c.buckets, c.bucket, v_left);
        end if;
      end if;
      if not c.active then c.estimated := 0; end if;
    end if;
    perform limit_counter_save(c);
    return null;
  end $$`;

/**
 * Reservations of a dead process count in the part in which it is ended. Its return takes them out of that part, and a corrected count of
 * requests leaves the part in which it was counted. So usage of other requests stays in its own part.
 */
const PROCESSES = [
  `create or replace function limits_expire_1(p_silent interval) returns uuid language plpgsql as $$
   declare v_writer uuid; v_held bigint[];
   begin
     select writer_id into v_writer from quota_writer where expired_at is null and beat_at < clock_timestamp() - p_silent
      order by beat_at limit 1 for no key update skip locked;
     if not found then return null; end if;
     v_held := array(select limit_id from limit_holds where writer_id = v_writer and held > 0);
     perform from limit_counters c where c.limit_id = any(v_held) order by c.place, c.limit_id for no key update;
     perform limit_advance(v_held, (date_part('epoch', clock_timestamp()) * 1e6)::bigint);
     update limit_counters c
        set held = greatest(0, c.held - h.held), overdraft = greatest(0, c.overdraft - h.overdraft),
            used = case when c.measure = 'concurrent_requests' then c.used else least(c.used + h.held, 4611686018427387904) end,
            estimated = case when c.measure = 'concurrent_requests' then 0 else least(c.estimated + h.held, 4611686018427387904) end,
            buckets = limit_bucket_add(c.buckets, c.bucket, h.held)
       from limit_holds h where h.writer_id = v_writer and h.held > 0 and c.limit_id = h.limit_id and c.period = h.period;
     update quota_writer set expired_at = clock_timestamp() where writer_id = v_writer;
     return v_writer;
   end $$`,
  `create or replace function quota_take_over_1(
     p_writer uuid,
     out half bigint, out stored bigint, out at_ms double precision, out short_keys uuid[], out short_granted integer[], out refused integer[], out expired boolean)
   returns setof record language plpgsql as $$
   declare v_expired_us bigint;
   begin
     select (w.batch >> 40) + 1, w.batch & 1099511627775, date_part('epoch', w.at) * 1000, w.short_keys, w.short_granted, w.refused, w.expired_at is not null,
            (date_part('epoch', w.expired_at) * 1e6)::bigint
       into half, stored, at_ms, short_keys, short_granted, refused, expired, v_expired_us
       from quota_writer w where w.writer_id = p_writer for no key update;
     if not found then return; end if;
     if expired then
       perform from limit_counters c where c.limit_id = any(array(select limit_id from limit_holds where writer_id = p_writer and held > 0))
        order by c.place, c.limit_id for no key update;
       update limit_counters c
          set (held, overdraft, used, estimated, buckets) = (
                select c.held + h.held, c.overdraft + h.overdraft, case when c.measure = 'concurrent_requests' then c.used else greatest(0, c.used - t.taken) end,
                       greatest(0, c.estimated - t.taken), limit_bucket_add(c.buckets, p.part, -t.taken)
                  from (select least(c.bucket, v_expired_us / case c.per when 'rolling_5h' then 300000000 else 7200000000 end) as part) p
                 cross join lateral (
                   select case when c.buckets is null then h.held
                               when p.part <= c.bucket - cardinality(c.buckets) then 0
                               else least(h.held, c.buckets[(p.part % cardinality(c.buckets) + 1)::integer]) end as taken) t)
         from limit_holds h where h.writer_id = p_writer and h.held > 0 and c.limit_id = h.limit_id and c.period = h.period;
     end if;
     update quota_writer w set batch = half * 1099511627776 + stored, expired_at = null, beat_at = case when w.beat_at is null then null else clock_timestamp() end
      where w.writer_id = p_writer;
     return next;
   end $$`,
  // Negative usage corrects requests that were counted at \`c_at\`.
  `create or replace function limits_charge_1(p_locked bigint[], c_id bigint[], c_at bigint[], c_spent bigint[]) returns void language plpgsql as $$
   declare c limit_counters; v_part bigint; v_spent bigint;
   begin
     perform limit_advance(p_locked, (date_part('epoch', clock_timestamp()) * 1e6)::bigint);
     for i in 1 .. cardinality(c_id) loop
       select * into c from limit_counters l
        where l.limit_id = c_id[i] and l.limit_id = any(p_locked) and l.active and l.period <= c_at[i] and l.measure <> 'concurrent_requests';
       continue when not found or c_spent[i] > 4503599627370496;
       v_spent := greatest(c_spent[i], -c.used);
       v_part := c.bucket;
       if c.buckets is not null and v_spent < 0 then
         v_part := least(c.bucket, c_at[i] / case c.per when 'rolling_5h' then 300000000 else 7200000000 end);
         continue when v_part <= c.bucket - cardinality(c.buckets);
         v_spent := greatest(v_spent, -c.buckets[v_part % cardinality(c.buckets) + 1]);
       end if;
       update limit_counters l set used = least(l.used + v_spent, 4611686018427387904), buckets = limit_bucket_add(l.buckets, v_part, v_spent)
        where l.limit_id = c_id[i];
     end loop;
   end $$`,
];
