import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Limits of the account, of teams, keys and tags. Operators set the rows of `limits`. Each limit has one row in `limit_counters`, with its
 * figures. The row also has a copy of the values that admission reads under its lock.
 *
 * Amounts are requests, tokens or nano-dollars. Instants of counters are microseconds since 1970.
 */
export class Limits1790000021000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...PERIODS, ADVANCE]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger quota_writer_holds on quota_writer');
    await runner.query('drop table limit_alerts, limit_grants, limits, limit_set, limit_holds');
    await runner.query('drop function limit_advanced');
    await runner.query('drop table limit_counters');
    await runner.query('drop function limit_holds_orphaned, limit_bucket_add, limit_period_end, limit_period_start');
    await runner.query('alter table quota_writer drop column beat_at, drop column expired_at, drop column refused');
  }
}

const TABLES = [
  // One row. The version increases with every change that processes must read before the next admission. Each batch compares it.
  `create table limit_set (one boolean primary key default true check (one), version bigint not null)`,
  `insert into limit_set values (true, 0)`,
  `create table limits (
     id bigint generated always as identity,
     name text,
     scope text not null,
     scope_id uuid,
     scope_tag text,
     measure text not null,
     weights jsonb,
     period text not null,
     zone text not null default 'UTC',
     amount bigint not null,
     models text[],
     mode text not null default 'enforce',
     reserve text not null default 'typical',
     starts_at timestamptz(3),
     ends_at timestamptz(3),
     enabled boolean not null default true,
     thresholds smallint[] not null default '{50,80,100}',
     carry_over bigint,
     deleted_at timestamptz(3),
     version bigint not null default 0,
     created_at timestamptz(3) not null default clock_timestamp(),
     updated_at timestamptz(3) not null default clock_timestamp(),
     constraint limits_pkey primary key (id),
     constraint limits_scope check (scope in ('account', 'team', 'key', 'tag')),
     constraint limits_scope_id check ((scope in ('team', 'key')) = (scope_id is not null)),
     constraint limits_scope_tag check ((scope = 'tag') = (scope_tag is not null)),
     constraint limits_measure check (measure in ('requests', 'tokens', 'input_tokens', 'output_tokens', 'cost', 'concurrent_requests')),
     constraint limits_period check (period in ('minute', 'hour', 'day', 'week', 'month', 'rolling_5h', 'rolling_7d', 'total')),
     constraint limits_concurrent check (measure <> 'concurrent_requests' or period = 'total'),
     constraint limits_zone check (zone = 'UTC' or period in ('day', 'week', 'month')),
     constraint limits_amount check (amount between 0 and 9007199254740991),
     constraint limits_mode check (mode in ('enforce', 'observe')),
     constraint limits_reserve check (reserve in ('full', 'typical', 'none')),
     constraint limits_times check (ends_at > starts_at),
     constraint limits_carry_over check (carry_over between 1 and 9007199254740991)
   )`,
  `create index limits_version on limits (version)`,
  `create index limits_scope_id on limits (scope_id) where scope_id is not null`,
  // While a grant is active, it raises the amount of its limit.
  `create table limit_grants (
     id bigint generated always as identity,
     limit_id bigint not null,
     amount bigint not null,
     starts_at timestamptz(3) not null default clock_timestamp(),
     expires_at timestamptz(3),
     note text,
     created_at timestamptz(3) not null default clock_timestamp(),
     created_by text not null,
     constraint limit_grants_pkey primary key (id),
     constraint limit_grants_limit foreign key (limit_id) references limits on delete cascade,
     constraint limit_grants_amount check (amount between 1 and 9007199254740991),
     constraint limit_grants_times check (expires_at > starts_at)
   )`,
  `create index limit_grants_limit_id on limit_grants (limit_id)`,
  // The columns of a counter:
  // - `since` and `until`: between these instants, the figures are valid as stored. Otherwise `limit_advanced` computes them.
  // - `period`: `used` and `held` count since this instant. A settlement of another period changes nothing.
  // - `place`: the order of row locks. Rows that many requests share come last, so that their locks are short.
  // - `base`: the amount of the limit. `amount` includes carry-over and grants.
  // - `granted`: amount, start and end of each grant.
  // - `buckets`: usage of each part of a rolling period, as a ring. `bucket` is the number of the newest part.
  // - `alert_at`: the next alert is due at this figure.
  //
  // No index may contain a column that admission updates, because updates would then write to the index.
  `create table limit_counters (
     limit_id bigint,
     place smallint not null,
     measure text not null,
     per text not null,
     zone text not null,
     base bigint not null,
     enabled boolean not null,
     enforced boolean not null,
     starts bigint,
     ends bigint,
     carry_max bigint,
     granted bigint[],
     thresholds smallint[] not null,
     since bigint not null default 0,
     until bigint not null default 0,
     active boolean not null default false,
     amount bigint not null default 0,
     period bigint not null default 0,
     used bigint not null default 0,
     held bigint not null default 0,
     estimated bigint not null default 0,
     carried bigint not null default 0,
     bucket bigint,
     buckets bigint[],
     alert_at bigint,
     constraint limit_counters_pkey primary key (limit_id),
     constraint limit_counters_used check (used >= 0),
     constraint limit_counters_held check (held >= 0)
   ) with (fillfactor = 50)`,
  // Reservations of one process under one limit. They always change under the lock of the limit's counter row.
  `create table limit_holds (
     writer_id uuid,
     limit_id bigint,
     period bigint not null,
     held bigint not null check (held >= 0),
     constraint limit_holds_pkey primary key (writer_id, limit_id)
   ) with (fillfactor = 50)`,
  // threshold: a percentage, or 0 for a forecast. period: as in the counter row, or the instant of the alert for rolling periods.
  `create table limit_alerts (
     limit_id bigint,
     period bigint,
     threshold smallint,
     at timestamptz(3) not null default clock_timestamp(),
     used bigint not null,
     amount bigint not null,
     constraint limit_alerts_pkey primary key (limit_id, period, threshold)
   )`,
  `create index limit_alerts_at on limit_alerts (at)`,
  // beat_at: heartbeat of a process that has made reservations; null if it has never made one. refused: the refused requests of
  // the last batch.
  `alter table quota_writer
     add column beat_at timestamptz,
     add column expired_at timestamptz,
     add column refused integer[]`,
  `create function limit_holds_orphaned() returns trigger language plpgsql as $$
   begin
     delete from limit_holds where writer_id in (select writer_id from gone);
     return null;
   end $$`,
  `create trigger quota_writer_holds after delete on quota_writer referencing old table as gone
     for each statement execute function limit_holds_orphaned()`,
];

const PERIODS = [
  // Weeks begin on Monday. An unknown zone raises an error.
  `create function limit_period_start(per text, zone text, at timestamptz) returns bigint language sql stable parallel safe as $$
     select case when per in ('total', 'rolling_5h', 'rolling_7d') then 0
                 else (date_part('epoch', date_trunc(per, at, zone)) * 1e6)::bigint end
   $$`,
  // Null: never.
  `create function limit_period_end(per text, zone text, at timestamptz) returns bigint language sql stable parallel safe as $$
     select case
       when per in ('total', 'rolling_5h', 'rolling_7d') then null
       when per in ('minute', 'hour') then (date_part('epoch', date_trunc(per, at) + ('1 ' || per)::interval) * 1e6)::bigint
       else (date_part('epoch', (date_trunc(per, at at time zone zone) + ('1 ' || per)::interval) at time zone zone) * 1e6)::bigint end
   $$`,
  // Adds to the newest part of a rolling period, or takes from the newest parts, so that \`used\` stays their sum. Null for other periods.
  `create function limit_bucket_add(buckets bigint[], bucket bigint, delta bigint) returns bigint[] language plpgsql immutable as $$
   declare v_parts integer := cardinality(buckets); v_slot integer; v_taken bigint;
   begin
     if buckets is null then return null; end if;
     v_slot := bucket % v_parts + 1;
     if delta >= 0 then buckets[v_slot] := buckets[v_slot] + delta; end if;
     for i in 0 .. v_parts - 1 loop
       exit when delta >= 0;
       v_slot := (bucket - i) % v_parts + 1;
       v_taken := least(buckets[v_slot], -delta);
       buckets[v_slot] := buckets[v_slot] - v_taken;
       delta := delta + v_taken;
     end loop;
     return buckets;
   end $$`,
];

/**
 * Rolling periods consist of 60 parts of 5 minutes, or 84 parts of 2 hours. Usage leaves the period when its part does, so that any
 * five hours or seven days stay within the limit.
 */
const ADVANCE = `
  create function limit_advanced(c limit_counters, now_us bigint) returns limit_counters language plpgsql stable as $$
  declare
    forever constant bigint := 9007199254740991;
    v_now timestamptz := to_timestamp(now_us / 1e6);
    v_start bigint := limit_period_start(c.per, c.zone, v_now);
    v_end bigint := coalesce(limit_period_end(c.per, c.zone, v_now), forever);
    v_part bigint := case c.per when 'rolling_5h' then 300000000 when 'rolling_7d' then 7200000000 end;
    v_before bigint; v_elapsed numeric; v_slot integer; v_grant bigint := 0; i integer;
  begin
    c.since := v_start;
    if v_part is not null then
      -- A clock that is set back keeps the newer part. One that was far ahead is corrected.
      if c.buckets is null or c.bucket > now_us / v_part + cardinality(c.buckets) then
        c.buckets := array_fill(0::bigint, array[case c.per when 'rolling_5h' then 60 else 84 end]);
        c.bucket := now_us / v_part;
        c.used := 0;
      end if;
      for i in 1 .. least(now_us / v_part - c.bucket, cardinality(c.buckets)) loop
        v_slot := (c.bucket + i) % cardinality(c.buckets) + 1;
        c.used := greatest(0, c.used - c.buckets[v_slot]);
        c.buckets[v_slot] := 0;
      end loop;
      c.bucket := greatest(c.bucket, now_us / v_part);
      c.since := greatest(0, (c.bucket - cardinality(c.buckets)) * v_part);
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
        v_elapsed := case c.per
          when 'month' then (date_part('year', v_now at time zone c.zone) * 12 + date_part('month', v_now at time zone c.zone))
                          - (date_part('year', to_timestamp(v_before / 1e6) at time zone c.zone) * 12 + date_part('month', to_timestamp(v_before / 1e6) at time zone c.zone))
          else round((c.since - v_before) / case c.per when 'minute' then 6e7 when 'hour' then 3.6e9 when 'day' then 8.64e10 else 6.048e11 end) end;
        c.carried := least(c.carry_max, case when v_before > c.period then c.base else greatest(0, c.base + c.carried - c.used - c.held) end
                                        + greatest(0, v_elapsed - 1) * c.base)::bigint;
      else
        c.carried := 0;
      end if;
      c.period := v_start;
      c.used := 0;
      c.estimated := 0;
      if c.measure <> 'concurrent_requests' then c.held := 0; end if;
      if v_part is not null then c.buckets := array_fill(0::bigint, array[cardinality(c.buckets)]); end if;
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
    c.amount := least(c.base::numeric + c.carried + v_grant, forever)::bigint;
    c.active := c.enabled and now_us >= coalesce(c.starts, 0) and now_us < coalesce(c.ends, forever);
    if now_us < c.starts then v_end := least(v_end, c.starts);
    elsif now_us < c.ends then v_end := least(v_end, c.ends);
    end if;
    c.until := v_end;
    c.alert_at := limit_alert_at(c.thresholds, c.amount, 0);
    return c;
  end $$`;
