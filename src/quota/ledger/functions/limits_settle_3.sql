-- Stores one line per limit, ascending by ID. A limit whose period has changed is left unchanged. A process cannot free more than
-- it holds. An impossible figure counts as the reserved amount, and `absurd` names the limit.
--
-- - `p_skip`: leaves out limits whose rows others lock, and `skipped` names them. Otherwise it waits for them for 100 ms.
-- - `stored`: null if the entry was fenced and nothing was changed.
create or replace function limits_settle_3(
  p_writer uuid,
  p_batch bigint,
  p_skip boolean,
  p_lines limit_line[],
  p_charges limit_charge[],
  out stored boolean,
  out absurd bigint[],
  out skipped bigint[]
)
returns record language plpgsql as $$
declare
  l_id bigint[]; l_period bigint[]; l_freed bigint[]; l_spent bigint[]; l_overdraft bigint[];
  c_id bigint[]; c_at bigint[]; c_spent bigint[];
  v_locked bigint[]; v_due bigint[];
begin
  select coalesce(array_agg(limit_id), '{}'), array_agg(period), array_agg(freed), array_agg(spent), array_agg(overdraft)
    into l_id, l_period, l_freed, l_spent, l_overdraft
    from unnest(p_lines);
  select coalesce(array_agg(limit_id), '{}'), array_agg(at_us), array_agg(spent)
    into c_id, c_at, c_spent
    from unnest(p_charges);
  perform set_config('lock_timeout', '100', true);
  perform from quota_writer where writer_id = p_writer and batch = p_batch - 1 and expired_at is null for no key update;
  if not found then return; end if;
  stored := true;
  if p_skip then
    select array_agg(limit_id) into v_locked from (
      select c.limit_id from limit_counters c where c.limit_id = any(l_id || c_id) order by c.place, c.limit_id for no key update of c skip locked) l;
    skipped := array(select c.limit_id from limit_counters c where c.limit_id = any(l_id || c_id) and c.limit_id <> all(coalesce(v_locked, '{}')));
  else
    select array_agg(limit_id) into v_locked from (
      select c.limit_id from limit_counters c where c.limit_id = any(l_id || c_id) order by c.place, c.limit_id for no key update of c) l;
  end if;
  -- A counter can be in an earlier period than its lines, if a crash of the database lost the change of the period.
  v_due := array(
    select c.limit_id from limit_counters c
     cross join lateral (select width_bucket(c.limit_id, l_id) as p) x
     where c.limit_id = any(v_locked) and (c.per in ('rolling_5h', 'rolling_7d') or l_id[p] = c.limit_id and l_period[p] > c.period));
  if cardinality(v_due) > 0 then perform limit_advance(v_due, (date_part('epoch', clock_timestamp()) * 1e6)::bigint); end if;

  with mine as materialized (
    select c.limit_id, c.measure, l.period, l.freed, l.spent, l.overdraft,
           coalesce((select h.held from limit_holds h where h.writer_id = p_writer and h.limit_id = c.limit_id and h.period = l.period), 0) as held,
           coalesce((select h.overdraft from limit_holds h where h.writer_id = p_writer and h.limit_id = c.limit_id and h.period = l.period), 0) as risked
      from limit_counters c
     cross join lateral (select width_bucket(c.limit_id, l_id) as p) x
     cross join lateral (select l_id[p] as limit_id, l_period[p] as period, l_freed[p] as freed, l_spent[p] as spent, l_overdraft[p] as overdraft) l
     where c.limit_id = any(v_locked) and l.limit_id = c.limit_id and c.period = l.period
  ), checked as materialized (
    select limit_id, measure, period, least(greatest(freed, -4503599627370496), held) as freed, spent, least(greatest(overdraft, -4503599627370496), risked) as overdraft,
           spent between case measure when 'requests' then -4503599627370496 else 0 end and 4503599627370496 as sane
      from mine order by limit_id
  ), packed as materialized (
    select array_agg(limit_id) as ids, array_agg(freed) as freed, array_agg(overdraft) as overdraft,
           array_agg(case when measure = 'concurrent_requests' then 0 when sane then spent when measure = 'requests' then 0 else greatest(0, freed) end) as spent
      from checked
  ), counters as (
    update limit_counters c
       set (held, overdraft, used, buckets) =
           (select greatest(0, c.held - k.freed[p]), greatest(0, c.overdraft - k.overdraft[p]), least(greatest(0, c.used + k.spent[p]), 4611686018427387904),
                   case when c.buckets is null then null else limit_bucket_add(c.buckets, c.bucket, k.spent[p]) end
              from (select width_bucket(c.limit_id, k.ids) as p) x)
      from packed k
     where c.limit_id = any(v_locked) and k.ids[width_bucket(c.limit_id, k.ids)] = c.limit_id
  ), returned as (
    insert into limit_holds as h (writer_id, limit_id, period, held, overdraft)
    select p_writer, limit_id, period, freed, overdraft from checked where freed > 0
    on conflict (writer_id, limit_id) do update set held = h.held - excluded.held, overdraft = h.overdraft - excluded.overdraft
  ), reserved as (
    insert into limit_holds as h (writer_id, limit_id, period, held, overdraft)
    select p_writer, limit_id, period, -freed, -overdraft from checked where freed < 0
    on conflict (writer_id, limit_id) do update
       set held = case when h.period = excluded.period then h.held + excluded.held else excluded.held end,
           overdraft = case when h.period = excluded.period then h.overdraft + excluded.overdraft else excluded.overdraft end, period = excluded.period
  ), marked as (
    update quota_writer set batch = p_batch, short_keys = null, short_granted = null, refused = nullif(skipped, '{}')::integer[],
           at = clock_timestamp(), beat_at = clock_timestamp()
     where writer_id = p_writer
  )
  select array_agg(limit_id) into absurd from checked where not sane;
  if cardinality(c_id) > 0 then perform limits_charge_1(v_locked, c_id, c_at, c_spent); end if;
end
$$;
