import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Periods that are exact in time:
 * - Usage stays in a rolling period for at least the full 5 hours or 7 days. The period has one more part, and its oldest part counts as
 *   a whole.
 * - Names of time zones are never read as abbreviations, and a day begins once if clocks go back over midnight.
 *
 * It also adds `overdraft`: the amount by which running requests can exceed what they hold. A new period begins without it.
 *
 * The functions keep their names, because the release before calls them too. `down` leaves them and the columns, because that release works
 * with them.
 */
export class ExactPeriods1790000023000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...OVERDRAFT, ...PERIODS, ADVANCE, UNTIL, CORRECTED]) await runner.query(statement);
  }

  async down(): Promise<void> {}
}

const OVERDRAFT = [
  `alter table limit_counters add column if not exists overdraft bigint not null default 0`,
  `alter table limit_holds add column if not exists overdraft bigint not null default 0`,
  `create or replace function limit_counter_save(c limit_counters) returns void language plpgsql as $$
   begin
     update limit_counters l set
       base = c.base, enabled = c.enabled, enforced = c.enforced, starts = c.starts, ends = c.ends, carry_max = c.carry_max,
       granted = c.granted, thresholds = c.thresholds, since = c.since, until = c.until, active = c.active, amount = c.amount,
       period = c.period, used = c.used, held = c.held, overdraft = c.overdraft, estimated = c.estimated, carried = c.carried,
       bucket = c.bucket, buckets = c.buckets, alert_at = c.alert_at
     where l.limit_id = c.limit_id;
   end $$`,
];

const PERIODS = [
  // Weeks begin on Monday. An unknown zone raises an error.
  //
  // PostgreSQL looks up abbreviations before zones. As abbreviations, these names have a fixed offset all year.
  `create or replace function limit_period_start(per text, zone text, at timestamptz) returns bigint language plpgsql stable parallel safe as $$
   declare
     v_zone text := case zone
       when 'CET' then 'Europe/Brussels' when 'MET' then 'Europe/Brussels' when 'EET' then 'Europe/Athens' when 'WET' then 'Europe/Lisbon'
       when 'EST' then 'America/Panama' when 'MST' then 'America/Phoenix' when 'HST' then 'Pacific/Honolulu'
       when 'GMT' then 'UTC' when 'UCT' then 'UTC' when 'Zulu' then 'UTC' else zone end;
     v_local timestamp; v_start timestamptz; v_before timestamptz; v_first timestamptz;
   begin
     if per in ('total', 'rolling_5h', 'rolling_7d') then return 0; end if;
     if per in ('minute', 'hour') then return (date_part('epoch', date_trunc(per, at, 'UTC')) * 1e6)::bigint; end if;
     v_local := date_trunc(per, at at time zone v_zone);
     v_start := v_local at time zone v_zone;
     -- If clocks go back over this time, it occurs twice. PostgreSQL returns the second time, and the period begins with the first.
     v_before := v_start - interval '3 hours';
     v_first := (v_local - ((v_before at time zone v_zone) - (v_before at time zone 'UTC'))) at time zone 'UTC';
     if v_first < v_start and v_first at time zone v_zone = v_local then v_start := v_first; end if;
     return (date_part('epoch', v_start) * 1e6)::bigint;
   end $$`,
  // Null: never. The noon of a day occurs once in every zone, and is hours away from each change of clocks. So the result is right although
  // this function can read the zone as an abbreviation.
  `create or replace function limit_period_end(per text, zone text, at timestamptz) returns bigint language plpgsql stable parallel safe as $$
   declare v_noon timestamptz;
   begin
     if per in ('total', 'rolling_5h', 'rolling_7d') then return null; end if;
     if per in ('minute', 'hour') then return (date_part('epoch', date_trunc(per, at, 'UTC') + ('1 ' || per)::interval) * 1e6)::bigint; end if;
     v_noon := to_timestamp(limit_period_start(per, zone, at) / 1e6) + interval '12 hours';
     return limit_period_start(per, zone, (date_trunc(per, v_noon at time zone zone) + ('1 ' || per)::interval + interval '12 hours') at time zone zone);
   end $$`,
];

/**
 * Rolling periods consist of 61 parts of 5 minutes, or 85 parts of 2 hours. The newest part has only begun, so the others cover the full 5
 * hours or 7 days. Usage leaves the period with its part.
 */
const ADVANCE = `
  create or replace function limit_advanced(c limit_counters, now_us bigint) returns limit_counters language plpgsql stable as $$
  declare
    forever constant bigint := 9007199254740991;
    v_now timestamptz := to_timestamp(now_us / 1e6);
    v_start bigint := limit_period_start(c.per, c.zone, v_now);
    v_end bigint := coalesce(limit_period_end(c.per, c.zone, v_now), forever);
    v_part bigint := case c.per when 'rolling_5h' then 300000000 when 'rolling_7d' then 7200000000 end;
    v_parts integer := case c.per when 'rolling_5h' then 61 when 'rolling_7d' then 85 end;
    v_stored integer := cardinality(c.buckets);
    v_before bigint; v_elapsed numeric; v_slot integer; v_grant numeric := 0; i integer;
    -- A sum in requests or tokens stays exact in JSON. In nano-dollars, it stays below the highest usage, 2^62.
    v_most numeric := case c.measure when 'cost' then 4611686018427387903 else 9007199254740991 end;
  begin
    c.since := v_start;
    if v_part is not null then
      -- A clock that is set back keeps the newer part. One that was far ahead is corrected.
      if c.buckets is null or c.bucket > now_us / v_part + v_parts then
        c.buckets := array_fill(0::bigint, array[v_parts]);
        c.bucket := now_us / v_part;
        c.used := 0;
      elsif v_stored <> v_parts then
        -- The release before stored one part less.
        c.buckets := array(
          select case when a.age < v_stored then c.buckets[((c.bucket - a.age) % v_stored + 1)::integer] else 0 end
            from generate_series(0, v_parts - 1) as s(slot)
           cross join lateral (select (c.bucket - s.slot) % v_parts as age) a
           order by s.slot);
      end if;
      for i in 1 .. least(now_us / v_part - c.bucket, v_parts) loop
        v_slot := (c.bucket + i) % v_parts + 1;
        c.used := greatest(0, c.used - c.buckets[v_slot]);
        c.buckets[v_slot] := 0;
      end loop;
      c.bucket := greatest(c.bucket, now_us / v_part);
      c.since := greatest(0, (c.bucket - v_parts) * v_part);
      v_end := (c.bucket + 1) * v_part;
    end if;
    if c.period >= v_end and v_part is null and c.period < limit_period_end(c.per, c.zone, to_timestamp(v_end / 1e6)) then
      -- The clock was set back into the previous period. The newer period stays.
      v_end := limit_period_end(c.per, c.zone, to_timestamp(v_end / 1e6));
    elsif c.period < v_start or c.period >= v_end then
      -- Periods in which the limit was disabled, or did not exist yet, leave nothing.
      if c.carry_max is not null and c.enabled and c.period > 0 and c.period < v_start and coalesce(c.starts, 0) < v_start
         and coalesce(c.ends, forever) > v_start and c.per in ('minute', 'hour', 'day', 'week', 'month') then
        v_before := limit_period_start(c.per, c.zone, to_timestamp(greatest(c.period, c.starts) / 1e6));
        -- The length of a month is the mean.
        v_elapsed := round((v_start - v_before) / case c.per
          when 'minute' then 6e7 when 'hour' then 3.6e9 when 'day' then 8.64e10 when 'week' then 6.048e11 else 2.629746e12 end);
        c.carried := least(c.carry_max, case when v_before > c.period then c.base else greatest(0, c.base + c.carried - c.used - c.held) end
                                        + greatest(0, v_elapsed - 1) * c.base)::bigint;
      else
        c.carried := 0;
      end if;
      c.period := v_start;
      c.used := 0;
      c.estimated := 0;
      if c.measure <> 'concurrent_requests' then c.held := 0; c.overdraft := 0; end if;
      if v_part is not null then c.buckets := array_fill(0::bigint, array[v_parts]); end if;
    end if;
    if c.carry_max is null then c.carried := 0; end if;
    c.estimated := least(c.estimated, c.used);
    for i in 0 .. coalesce(cardinality(c.granted), 0) / 3 - 1 loop
      if now_us < c.granted[3 * i + 2] then v_end := least(v_end, c.granted[3 * i + 2]);
      elsif now_us < c.granted[3 * i + 3] then
        v_grant := v_grant + c.granted[3 * i + 1];
        v_end := least(v_end, c.granted[3 * i + 3]);
      end if;
    end loop;
    c.amount := least(c.base + c.carried + v_grant, v_most)::bigint;
    c.active := c.enabled and now_us >= coalesce(c.starts, 0) and now_us < coalesce(c.ends, forever);
    if now_us < c.starts then v_end := least(v_end, c.starts);
    elsif now_us < c.ends then v_end := least(v_end, c.ends);
    end if;
    c.until := v_end;
    c.alert_at := limit_alert_at(c.thresholds, c.amount, 0);
    return c;
  end $$`;

/** The release before computes the time of a retry from 60 or 84 parts. */
const UNTIL = `
  do $$
  declare v_text text := pg_get_functiondef('limits_admit_1'::regproc);
  begin
    v_text := replace(v_text, 'v_row.bucket - 59', 'v_row.bucket - cardinality(v_row.buckets) + 1');
    v_text := replace(v_text, 'v_row.bucket - 83', 'v_row.bucket - cardinality(v_row.buckets) + 1');
    v_text := replace(v_text, '(b % 60 + 1)', '(b % cardinality(v_row.buckets) + 1)');
    v_text := replace(v_text, '(b % 84 + 1)', '(b % cardinality(v_row.buckets) + 1)');
    v_text := replace(v_text, '* 300000.0 + 18000000', '* 300000.0 + cardinality(v_row.buckets) * 300000.0');
    v_text := replace(v_text, '* 7200000.0 + 604800000', '* 7200000.0 + cardinality(v_row.buckets) * 7200000.0');
    execute v_text;
  end $$`;

/** Counters whose stored period begins or ends at another time than it does now. Their next request computes them again. */
const CORRECTED = `
  update limit_counters c set until = 0
    from (select clock_timestamp() as now) t
   where c.zone <> 'UTC' and c.until > date_part('epoch', t.now) * 1e6
     and (c.until > limit_period_end(c.per, c.zone, t.now) or c.period < limit_period_start(c.per, c.zone, t.now))`;
