import { LIMIT_COLUMNS, type LimitRow } from './limit-row.js';

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

/** Figures are in the unit of the limit. */
export interface FiguresRow extends LimitRow {
  readonly now_ms: number;
  readonly used: string;
  readonly held: string;
  readonly estimated: string;
  readonly effective: string;
  readonly carried: string;
  readonly top_ups: string;
  readonly active: boolean;
  /** The time from which `used` counts, in microseconds since 1970. 0: no start. */
  readonly period_us: string;
  readonly ends_ms: number | null;
  /** Numbers of the oldest part of a rolling period, and of its first part that has usage. Null for other periods. */
  readonly first_part: number | null;
  readonly first_used_part: number | null;
}

/** Usage of the last seven UTC days, and the start of the first one that has any. */
export interface RecentRow {
  readonly id: string;
  readonly units: string;
  readonly since_ms: number | null;
}

/**
 * `c` is the current state of the row. Between `since` and `until`, that is the stored row. Otherwise, it is the row that admission would
 * store. `offset 0` keeps PostgreSQL from calling the function once per column.
 */
export const CURRENT = `
 cross join lateral (
   select (x.row).* from (
     select case when t.us >= s.since and t.us < s.until then s else limit_advanced(s, t.us) end as row
       from limit_counters s where s.limit_id = l.id offset 0) x) c`;

export const NOW = `(select now, (date_part('epoch', now) * 1e6)::bigint as us from (select clock_timestamp() as now offset 0) n) t`;

/** $1 IDs. */
export const FIGURES = `
select ${LIMIT_COLUMNS}, t.us / 1000.0::float8 as now_ms, c.used, c.held, c.estimated, c.amount as effective, c.carried, c.active, c.period as period_us,
       limit_period_end(c.per, c.zone, t.now) / 1000.0::float8 as ends_ms, g.amount as top_ups,
       (c.bucket - cardinality(c.buckets) + 1)::integer as first_part,
       (select min(b) from generate_series(c.bucket - cardinality(c.buckets) + 1, c.bucket) as b
         where c.buckets[(b % cardinality(c.buckets) + 1)::integer] > 0)::integer as first_used_part
  from unnest($1::bigint[]) with ordinality as given(id, place)
  join limits l on l.id = given.id and l.deleted_at is null
 cross join ${NOW}
 ${CURRENT}
 cross join lateral (
   select coalesce(sum(amount), 0) as amount from limit_grants
    where limit_id = l.id and starts_at <= t.now and (expires_at is null or expires_at > t.now)) g
 order by given.place`;

/** $1 IDs. With a million rows of usage, a limit for the account takes a second. */
export const RECENT = `
select l.id, coalesce(sum(u.units), 0) as units, date_part('epoch', min(u.day)::timestamp at time zone 'UTC') * 1000 as since_ms
  from limits l
 cross join (select today - 6 as first, today as last from (select (clock_timestamp() at time zone 'UTC')::date as today offset 0) t) d
  left join lateral (${USAGE_BY_DAY}) u on true
 where l.id = any($1::bigint[])
 group by l.id`;
