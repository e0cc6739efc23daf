import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { LimitTerms } from '../limit.js';
import type { UsageDay } from '../simulation.rules.js';
import { weightsColumn } from './limit-row.js';
import { USAGE_BY_DAY } from './limit-figures.sql.js';

interface SimulationBasis {
  readonly days: UsageDay[];
  readonly periods: { readonly startMs: number; readonly endMs: number }[];
  /** The usage with which a new limit starts now, in its unit. */
  readonly startsWith: bigint;
}

interface BasisRow {
  readonly days: {
    readonly start: number;
    readonly length: number;
    readonly units: string;
    readonly requests: number;
  }[];
  readonly periods: { readonly start: number; readonly end: number }[];
  readonly starts_with: string;
}

/** Reads past usage under a limit that does not exist. */
@Injectable()
export class SimulationStore {
  constructor(private readonly source: DataSource) {}

  /** @param fromDay UTC days such as `2026-07-01`, both inclusive */
  async read(terms: LimitTerms, fromDay: string, toDay: string): Promise<SimulationBasis> {
    const [row] = await this.source.query<BasisRow[]>(BASIS, [JSON.stringify(draftOf(terms)), fromDay, toDay]);
    return {
      days: row!.days.map(({ start, length, units, requests }) => ({
        startMs: start,
        lengthMs: Math.ceil(length),
        units: BigInt(units),
        requests,
      })),
      // The end of a `total` is now, and has microseconds as well.
      periods: row!.periods.map(({ start, end }) => ({ startMs: start, endMs: Math.ceil(end) })),
      startsWith: BigInt(row!.starts_with),
    };
  }
}

const draftOf = (terms: LimitTerms) => ({
  scope: terms.scope,
  scope_id: terms.scopeId,
  scope_tag: terms.scopeTag,
  measure: terms.measure,
  period: terms.period,
  zone: terms.zone,
  models: terms.models,
  starts_at: terms.startsAt,
  weights: weightsColumn(terms.weights),
});

// The first period can begin before the first day.
const BASIS = `
with recursive l as (
  select * from jsonb_populate_record(null::limits, $1::jsonb)
), n as (
  select clock_timestamp() as now
), d as (
  select $2::date as first, $3::date as last, $2::date::timestamp at time zone 'UTC' as from_at,
         least(n.now, ($3::date + 1)::timestamp at time zone 'UTC') as to_at
    from n
), p as (
  select limit_period_start(l.period, l.zone, d.from_at) as s, limit_period_end(l.period, l.zone, d.from_at) as e from l, d
   where l.period in ('day', 'week', 'month')
   union all
  select p.e, limit_period_end(l.period, l.zone, to_timestamp(p.e / 1e6)) from p, l, d where p.e < date_part('epoch', d.to_at) * 1e6
)
select coalesce((
         select json_agg(json_build_object(
                  'start', date_part('epoch', u.day::timestamp at time zone 'UTC') * 1000,
                  'length', greatest(1, date_part('epoch', least(n.now, (u.day + 1)::timestamp at time zone 'UTC') - u.day::timestamp at time zone 'UTC') * 1000),
                  'units', u.units::text, 'requests', u.requests) order by u.day)
           from l, d, n cross join lateral (${USAGE_BY_DAY}) u), '[]') as days,
       case when l.period = 'total'
            then json_build_array(json_build_object('start', date_part('epoch', d.from_at) * 1000, 'end', date_part('epoch', d.to_at) * 1000))
            else coalesce((select json_agg(json_build_object('start', s / 1000.0, 'end', e / 1000.0) order by s) from p), '[]') end as periods,
       case when n.now < l.starts_at then 0
            else limit_seed(l, greatest(case l.period when 'total' then timestamptz '1970-01-01'
                                                      when 'rolling_7d' then date_bin('2 hours', n.now, '1970-01-01Z') - interval '7 days'
                                                      else to_timestamp(limit_period_start(l.period, l.zone, n.now) / 1e6) end, l.starts_at), n.now) end
         as starts_with
  from l, d, n`;
