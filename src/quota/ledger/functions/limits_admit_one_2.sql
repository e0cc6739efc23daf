-- Admits one request, as `limits_admit_3` does. It decides only the usual case, in which everything is up to date and fits, and
-- leaves the others to that function. Its statements are simple, and with six limits it takes 0.09 ms instead of 0.15 ms.
--
-- `l_id` is ascending. `p_request` is a `limit_requests` with the places and amounts of the limits in the order of the request.
create or replace function limits_admit_one_2(
  p_writer uuid,
  p_batch bigint,
  p_set bigint,
  p_key admission_key,
  l_id bigint[],
  l_asked bigint[],
  l_overdraft bigint[],
  p_request text,
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
  k record; l record; v_us bigint; v_m integer; v_d integer; v_mo integer; v_used bigint := 0; v_additional bigint := 0; v_usual boolean := false; v_rows bigint;
begin
  -- 1. Lock the writer, the key and the limits in this order, and read the clock after the last lock.
  select q.version, q.minute, q.minute_count, q.day, q.day_count, q.month, q.month_count into k
    from quota_writer w cross join key_quota q
   where w.writer_id = p_writer and w.batch = p_batch - 1 and w.expired_at is null and q.key_id = p_key.key_id and q.version = p_key.version
     for no key update of w, q;
  if found then
    select count(*) as found, max(since) as since, min(until) as until, count(*) filter (where holds and active) as holding,
           array_agg(case when holds and active then period end) as held_in, array_agg(case when active then period end) as period, array_agg(used) as used, array_agg(held) as held,
           array_agg(case when enforced then amount end) as amount, array_agg(overdraft) as overdraft,
           bool_and(not active or not enforced or l_asked[p] <= amount - used - held
                    and (l_overdraft[p] = 0 or held = 0 or l_asked[p] + l_overdraft[p] <= 2 * amount - used - held - overdraft)) as fits,
           clock_timestamp() as now, (select version from limit_set) as set_version
      into l
      from (select *, measure <> 'requests' as holds, width_bucket(limit_id, l_id) as p from (
              select limit_id, place, since, until, active, enforced, period, used, held, overdraft, amount, measure from limit_counters
               where limit_id = any(l_id) order by place, limit_id for no key update) locked order by limit_id) c;
    v_us := date_part('epoch', l.now) * 1e6;
    v_usual := l.set_version = p_set and l.found = cardinality(l_id) and l.fits and v_us >= l.since and v_us < l.until;
  end if;
  if v_usual then
    v_m := v_us / 60000000;
    v_d := v_us / 86400000000;
    v_mo := date_part('year', l.now at time zone 'UTC') * 12 + date_part('month', l.now at time zone 'UTC') - 1;
    if k.minute - v_m not in (0, 1) then k.minute := v_m; k.minute_count := 0; end if;
    if k.day - v_d not in (0, 1) then k.day := v_d; k.day_count := 0; end if;
    if k.month - v_mo not in (0, 1) then k.month := v_mo; k.month_count := 0; end if;
    select input_tokens + output_tokens, additional_tokens into v_used, v_additional from usage_monthly where key_id = p_key.key_id and month = v_mo;
    if not found then v_used := 0; v_additional := 0; end if;
    v_usual := k.minute_count < p_key.rpm_limit and k.day_count < p_key.rpd_limit and (p_key.monthly_limit is null or k.month_count < p_key.monthly_limit)
               and (p_key.monthly_token_limit is null or v_used + case when p_key.counts_all_tokens then v_additional else 0 end < p_key.monthly_token_limit);
  end if;
  if not v_usual then
    select * into outcome, now_ms, set_version, o_key, o_version, o_m, o_mu, o_d, o_du, o_mo, o_mou, o_tokens, o_additional, o_granted,
                  o_period, o_used, o_held, o_amount, o_overdraft, o_refused, o_refused_by, o_until
      from limits_admit_3(p_writer, p_batch, p_set, array[p_key], l_id, l_asked, l_overdraft, p_request);
    return;
  end if;

  -- 2. Write.
  update key_quota
     set minute = k.minute, minute_count = k.minute_count + 1, day = k.day, day_count = k.day_count + 1, month = k.month, month_count = k.month_count + 1
   where key_id = p_key.key_id;
  update limit_counters c
     set used = case when c.measure = 'requests' then least(c.used + l_asked[width_bucket(c.limit_id, l_id)], 4611686018427387904) else c.used end,
         held = case when c.measure = 'requests' then c.held else c.held + l_asked[width_bucket(c.limit_id, l_id)] end,
         overdraft = c.overdraft + l_overdraft[width_bucket(c.limit_id, l_id)],
         buckets = case when c.buckets is null or c.measure <> 'requests' then c.buckets
                        else limit_bucket_add(c.buckets, c.bucket, l_asked[width_bucket(c.limit_id, l_id)]) end
   where c.limit_id = any(l_id) and c.active;
  if l.holding > 0 then
    update limit_holds h
       set held = case when h.period = l.held_in[width_bucket(h.limit_id, l_id)] then h.held else 0 end + l_asked[width_bucket(h.limit_id, l_id)],
           overdraft = case when h.period = l.held_in[width_bucket(h.limit_id, l_id)] then h.overdraft else 0 end + l_overdraft[width_bucket(h.limit_id, l_id)],
           period = l.held_in[width_bucket(h.limit_id, l_id)]
     where h.writer_id = p_writer and h.limit_id = any(l_id) and l.held_in[width_bucket(h.limit_id, l_id)] is not null;
    get diagnostics v_rows = row_count;
    if v_rows < l.holding then
      insert into limit_holds (writer_id, limit_id, period, held, overdraft)
      select p_writer, c.limit_id, c.period, c.asked, c.overdraft from unnest(l_id, l.held_in, l_asked, l_overdraft) as c(limit_id, period, asked, overdraft)
       where c.period is not null
      on conflict do nothing;
    end if;
  end if;
  update quota_writer set batch = p_batch, short_keys = null, short_granted = null, refused = null, at = l.now, beat_at = l.now
   where writer_id = p_writer;
  outcome := 'decided';
  now_ms := v_us / 1000.0;
  set_version := p_set;
  o_key := array[p_key.key_id]; o_version := array[p_key.version]; o_m := array[k.minute]; o_mu := array[k.minute_count]; o_d := array[k.day]; o_du := array[k.day_count];
  o_mo := array[k.month]; o_mou := array[k.month_count]; o_tokens := array[v_used]; o_additional := array[v_additional]; o_granted := array[1];
  o_period := l.period; o_used := l.used; o_held := l.held; o_amount := l.amount; o_overdraft := l.overdraft;
end
$$;
