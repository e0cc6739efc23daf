-- Admits a batch of requests under the limits of their keys and further limits. All or nothing counts for each request.
--
-- No table is joined. Rows are found by `= any`, and what belongs to them by `width_bucket`, a binary search in ascending arrays.
-- A join that was planned while a table was empty took 240 ms after it had 100,000 rows.
--
-- Arguments:
-- - `p_keys`: ascending by ID.
-- - `l_*`: one element per limit, ascending by ID, with the sums that the batch asks of it.
-- - `p_requests`: a `limit_requests` with the requests of the limited keys, in order of arrival. It is text, because only a batch that
--   does not fit as a whole reads it. It contains the place of the key, the number of limits, and the place and amounts of each limit.
-- - `...overdraft`: by how much a request can exceed the amount that it asks for. With everything that requests can use, usage stays
--   within twice the amount of the limit. Only a request that runs alone can exceed this.
--
-- Results:
-- - `outcome`: null if the batch was fenced. `stale` if the set of limits has another version: nothing was counted, and the number
--   is free.
-- - `o_period` to `o_overdraft`: by limit, before the batch. The period is null while the limit is not active. The amount is null
--   if it is not enforced.
-- - `o_refused`: the numbers of the rejected requests.
-- - `o_refused_by`: the place of the limit that rejected each of them, or 0 for the key's own limits.
-- - `o_until`: by rejected request, when it fits if no usage is added, in milliseconds since 1970. Null if never.
create or replace function limits_admit_3(
  p_writer uuid,
  p_batch bigint,
  p_set bigint,
  p_keys admission_key[],
  l_id bigint[],
  l_asked bigint[],
  l_overdraft bigint[],
  p_requests text,
  out outcome text,
  out now_ms double precision,
  out set_version bigint,
  out o_key uuid[],
  out o_version bigint[],
  out o_m integer[],
  out o_mu integer[],
  out o_d integer[],
  out o_du integer[],
  out o_mo integer[],
  out o_mou bigint[],
  out o_tokens bigint[],
  out o_additional bigint[],
  out o_granted integer[],
  out o_period bigint[],
  out o_used bigint[],
  out o_held bigint[],
  out o_amount bigint[],
  out o_overdraft bigint[],
  out o_refused integer[],
  out o_refused_by integer[],
  out o_until double precision[]
)
returns record language plpgsql as $$
declare
  k_id uuid[]; k_version bigint[]; k_n integer[]; k_rpm integer[]; k_rpd integer[]; k_month integer[]; k_tokens bigint[]; k_counts_all boolean[];
  k_limited boolean[]; v_requests limit_requests;
  v_now timestamptz; v_now_us bigint; v_fits boolean; v_due boolean; v_limited integer; v_found integer;
  v_places integer[]; v_holds boolean[]; v_room bigint[]; v_spare bigint[]; v_running bigint[];
  v_taken bigint[] := l_asked; v_risked bigint[] := l_overdraft;
  r_key integer[]; r_count integer[]; x_limit integer[]; x_amount bigint[]; x_overdraft bigint[]; v_left bigint[]; v_key_left integer[]; v_key_taken integer[];
  k integer; v_from integer := 1; v_to integer; v_by integer; v_row limit_counters;
  v_asked bigint := 0; v_refused_asked bigint[]; v_at bigint[];
begin
  select array_agg(key_id), array_agg(version), array_agg(requests), array_agg(rpm_limit), array_agg(rpd_limit), array_agg(monthly_limit),
         array_agg(monthly_token_limit), array_agg(counts_all_tokens), array_agg(limited)
    into k_id, k_version, k_n, k_rpm, k_rpd, k_month, k_tokens, k_counts_all, k_limited
    from unnest(p_keys);
  -- 1. Lock the writer, the keys and the limits in one order, and read the clock after the last lock.
  with fence as materialized (
    select from quota_writer where writer_id = p_writer and batch = p_batch - 1 and expired_at is null for no key update
  ), locked as materialized (
    select q.* from key_quota q where q.key_id = any(k_id) and exists (select from fence)
     order by q.key_id for no key update of q
  ), rows as materialized (
    select c.limit_id, c.since, c.until, c.active, c.enforced, c.period, c.used, c.held, c.overdraft, c.amount, c.measure from limit_counters c
     where c.limit_id = any(l_id) and (select count(*) from locked) >= 0 and exists (select from fence)
     order by c.place, c.limit_id for no key update of c
  ), clock as materialized (
    select now, (date_part('epoch', now) * 1e6)::bigint as us, floor(date_part('epoch', now) / 60)::int as m, floor(date_part('epoch', now) / 86400)::int as d,
           (date_part('year', now at time zone 'UTC') * 12 + date_part('month', now at time zone 'UTC') - 1)::int as mo
      from (select clock_timestamp() as now from (select count(*) from locked) k, (select count(*) from rows) l) t
  ), windows as (
    select l.key_id, l.version, width_bucket(l.key_id, k_id) as p,
           case when l.minute - t.m in (0, 1) then l.minute else t.m end as m, case when l.minute - t.m in (0, 1) then l.minute_count else 0 end as mu,
           case when l.day - t.d in (0, 1) then l.day else t.d end as d, case when l.day - t.d in (0, 1) then l.day_count else 0 end as du,
           case when l.month - t.mo in (0, 1) then l.month else t.mo end as mo, case when l.month - t.mo in (0, 1) then l.month_count else 0 end as mou,
           coalesce((select u.input_tokens + u.output_tokens from usage_monthly u where u.key_id = l.key_id and u.month = t.mo), 0) as tokens,
           coalesce((select u.additional_tokens from usage_monthly u where u.key_id = l.key_id and u.month = t.mo), 0) as additional
      from locked l cross join clock t order by l.key_id
  ), decided as (
    select *, case when version = k_version[p] then
           greatest(0, least(k_n[p], k_rpm[p] - mu, k_rpd[p] - du, k_month[p] - mou,
                             case when tokens + case when k_counts_all[p] then additional else 0 end >= k_tokens[p] then 0 end)) end::int as granted
      from windows where k_id[p] = key_id
  ), states as (
    select r.*, t.us < r.since or t.us >= r.until as due from rows r cross join clock t
     where l_id[width_bucket(r.limit_id, l_id)] = r.limit_id order by r.limit_id
  )
  select t.now, t.us, (select version from limit_set), ks.*, ls.*
    into v_now, v_now_us, set_version, o_key, o_version, v_places, o_m, o_mu, o_d, o_du, o_mo, o_mou, o_tokens, o_additional, o_granted, v_limited,
         v_found, o_period, o_used, o_held, o_amount, o_overdraft, v_room, v_spare, v_holds, v_due, v_fits
    from fence cross join clock t
   cross join (select array_agg(key_id), array_agg(version), array_agg(p), array_agg(m), array_agg(mu), array_agg(d), array_agg(du), array_agg(mo), array_agg(mou),
                      array_agg(tokens), array_agg(additional), array_agg(granted), count(*) filter (where k_limited[p] and granted = k_n[p]) from decided) ks
   cross join (select count(*), array_agg(case when active then period end), array_agg(used), array_agg(held), array_agg(case when enforced then amount end), array_agg(overdraft),
                      array_agg(case when active and enforced then amount - used - held end),
                      array_agg(case when active and enforced then 2 * amount - used - held - overdraft end), array_agg(measure <> 'requests'), coalesce(bool_or(due), false),
                      coalesce(bool_and(not active or not enforced or l_asked[p] <= amount - used - held
                                        and (l_overdraft[p] = 0 or l_asked[p] + l_overdraft[p] <= 2 * amount - used - held - overdraft)), true)
                 from (select *, width_bucket(limit_id, l_id) as p from states) s) ls;
  if not found then return; end if;
  now_ms := date_part('epoch', v_now) * 1000;
  if set_version <> p_set or v_found <> cardinality(l_id) then
    outcome := 'stale';
    return;
  end if;
  outcome := 'decided';
  if v_due then
    perform limit_advance(l_id, v_now_us);
    select array_agg(case when active then period end), array_agg(used), array_agg(held), array_agg(case when enforced then l.amount end),
           array_agg(overdraft), array_agg(case when active and enforced then l.amount - used - held end),
           array_agg(case when active and enforced then 2 * l.amount - used - held - overdraft end),
           bool_and(not active or not enforced or l_asked[p] <= l.amount - used - held
                    and (l_overdraft[p] = 0 or l_asked[p] + l_overdraft[p] <= 2 * l.amount - used - held - overdraft))
      into o_period, o_used, o_held, o_amount, o_overdraft, v_room, v_spare, v_fits
      from (select *, width_bucket(limit_id, l_id) as p from limit_counters where limit_id = any(l_id) order by limit_id) l;
  end if;

  -- 2. If not everything fits, decide request by request.
  if not v_fits or v_limited <> cardinality(array_positions(k_limited, true)) then
    v_requests := p_requests;
    r_key := v_requests.key; r_count := v_requests.limits; x_limit := v_requests.place; x_amount := v_requests.amount;
    x_overdraft := v_requests.overdraft;
    v_key_left := array_fill(0, array[cardinality(k_id)]);
    v_key_taken := v_key_left;
    for i in 1 .. coalesce(cardinality(o_key), 0) loop v_key_left[v_places[i]] := coalesce(o_granted[i], 0); end loop;
    v_left := v_room;
    v_running := o_held;
    v_taken := array_fill(0::bigint, array[cardinality(l_id)]);
    v_risked := v_taken;
    for i in 1 .. cardinality(r_key) loop
      k := r_key[i];
      v_to := v_from + r_count[i] - 1;
      v_by := -1;
      if v_key_left[k] <= 0 then
        v_by := 0;
      else
        for j in v_from .. v_to loop
          if x_amount[j] > v_left[x_limit[j]]
             or x_overdraft[j] > 0 and v_running[x_limit[j]] > 0 and x_amount[j] + x_overdraft[j] > v_spare[x_limit[j]] then
            v_by := x_limit[j]; v_asked := x_amount[j]; exit;
          end if;
        end loop;
      end if;
      if v_by < 0 then
        v_key_left[k] := v_key_left[k] - 1;
        v_key_taken[k] := v_key_taken[k] + 1;
        for j in v_from .. v_to loop
          v_left[x_limit[j]] := v_left[x_limit[j]] - x_amount[j];
          v_spare[x_limit[j]] := v_spare[x_limit[j]] - x_amount[j] - x_overdraft[j];
          v_running[x_limit[j]] := v_running[x_limit[j]] + x_amount[j];
          v_taken[x_limit[j]] := v_taken[x_limit[j]] + x_amount[j];
          v_risked[x_limit[j]] := v_risked[x_limit[j]] + x_overdraft[j];
        end loop;
      else
        o_refused := o_refused || i; o_refused_by := o_refused_by || v_by; v_refused_asked := v_refused_asked || v_asked;
      end if;
      v_from := v_to + 1;
    end loop;
    for v_row in select * from limit_counters where limit_id = any(array(select l_id[b] from unnest(o_refused_by) as u(b) where b > 0)) loop
      k := width_bucket(v_row.limit_id, l_id);
      -- Requests that count at once are in the current part.
      if not v_holds[k] then
        v_row.used := v_row.used + v_taken[k];
        v_row.buckets := limit_bucket_add(v_row.buckets, v_row.bucket, v_taken[k]);
      end if;
      select at, room into v_at, v_room from limit_rooms(v_row, v_now_us);
      for i in 1 .. cardinality(o_refused) loop
        if o_refused_by[i] = k then o_until[i] := v_at[width_bucket(v_refused_asked[i] - 1, v_room) + 1] / 1000.0; end if;
      end loop;
    end loop;
    for i in 1 .. coalesce(cardinality(o_key), 0) loop
      if k_limited[v_places[i]] and o_granted[i] is not null then o_granted[i] := v_key_taken[v_places[i]]; end if;
    end loop;
  end if;

  -- 3. Write.
  with keys as (
    update key_quota q
       set (minute, minute_count, day, day_count, month, month_count) =
           (select o_m[p], o_mu[p] + o_granted[p], o_d[p], o_du[p] + o_granted[p], o_mo[p], o_mou[p] + o_granted[p] from (select width_bucket(q.key_id, o_key) as p) x)
     where q.key_id = any(o_key) and o_granted[width_bucket(q.key_id, o_key)] > 0
  ), counters as (
    update limit_counters c
       set (used, held, overdraft, buckets) =
           (select least(o_used[p] + case when v_holds[p] then 0 else v_taken[p] end, 4611686018427387904),
                   o_held[p] + case when v_holds[p] then v_taken[p] else 0 end, c.overdraft + v_risked[p],
                   case when c.buckets is null or v_holds[p] then c.buckets else limit_bucket_add(c.buckets, c.bucket, v_taken[p]) end
              from (select width_bucket(c.limit_id, l_id) as p) x)
     where c.limit_id = any(l_id) and v_taken[width_bucket(c.limit_id, l_id)] > 0 and o_period[width_bucket(c.limit_id, l_id)] is not null
  ), holds as (
    insert into limit_holds as h (writer_id, limit_id, period, held, overdraft)
    select p_writer, e.limit_id, e.period, e.taken, e.risked from unnest(l_id, o_period, v_taken, v_risked, v_holds) as e(limit_id, period, taken, risked, holds)
     where e.holds and e.taken > 0 and e.period is not null
    on conflict (writer_id, limit_id) do update
       set held = case when h.period = excluded.period then h.held + excluded.held else excluded.held end,
           overdraft = case when h.period = excluded.period then h.overdraft + excluded.overdraft else excluded.overdraft end, period = excluded.period
  )
  update quota_writer w set batch = p_batch, short_keys = s.keys, short_granted = s.granted, refused = o_refused, at = v_now, beat_at = v_now
    from (select array_agg(e.key_id) as keys, array_agg(coalesce(e.granted, 0)) as granted
            from unnest(o_key, o_granted, v_places) as e(key_id, granted, place) where coalesce(e.granted, 0) < k_n[e.place]) s
   where w.writer_id = p_writer;
end
$$;
