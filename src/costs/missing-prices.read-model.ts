import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PriceRow } from './pricing/price-row.js';
import { costOf } from './pricing/request-cost.rules.js';
import { usedKinds, type UsageKinds } from './pricing/request-units.rules.js';
import { RequestCosts } from './request-costs.service.js';
import type { UsageKind } from './usage-kinds.data.js';

/** Counts and sums of a model stop here, because the list must stay fast with millions of requests. */
export const MISSING_COUNTED_MAX = 10_000;
const MODELS_MAX = 1000;

export interface MissingPrice {
  /** The name in the response. */
  readonly model: string;
  readonly provider: string;
  /** More than `MISSING_COUNTED_MAX` means any greater number. */
  readonly requests: number;
  readonly firstUsedAt: Date;
  readonly lastUsedAt: Date;
  /** Sums of the newest requests, at most `MISSING_COUNTED_MAX`. */
  readonly units: Readonly<Partial<Record<UsageKind, number>>>;
  /** Kinds of this usage that have no price now. Empty if recomputing the costs would price the requests. */
  readonly unpricedKinds: readonly UsageKind[];
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** JSON. */
interface Row extends Omit<MissingPrice, 'unpricedKinds' | 'units' | 'firstUsedAt' | 'lastUsedAt'> {
  readonly firstUsedAt: string;
  readonly lastUsedAt: string;
  readonly baseUrl: string | null;
  readonly models: readonly string[];
  readonly units: Readonly<Partial<Record<UsageKind, number>>> | null;
}

/** Models that were used without a price, the most used first. */
@Injectable()
export class MissingPrices {
  constructor(
    private readonly source: DataSource,
    private readonly costs: RequestCosts,
  ) {}

  async list({ limit, offset }: Page): Promise<{ total: number; models: MissingPrice[] }> {
    const [{ total, rows }] = await this.source.query<[{ total: number; rows: Row[] }]>(LIST, [limit, offset]);
    return { total, models: rows.map((row) => this.withKinds(row)) };
  }

  private withKinds({ baseUrl, models, units: given, ...row }: Row): MissingPrice {
    const units = given ?? {};
    const times = { firstUsedAt: new Date(row.firstUsedAt), lastUsedAt: new Date(row.lastUsedAt) };
    const query = { provider: row.provider, models, atMs: times.lastUsedAt.getTime() };
    const applied = this.costs.priceOf({ ...query, baseUrl: baseUrl === null ? null : URL.parse(baseUrl) });
    const unpricedKinds = applied === null ? usedKinds(units) : unpricedIn(units, applied.row);
    return { ...row, ...times, units, unpricedKinds };
  }
}

function unpricedIn(units: MissingPrice['units'], price: PriceRow): readonly UsageKind[] {
  const kinds: UsageKinds = {
    units,
    inputTokens: 0,
    reasoning: 0,
    imageSize: null,
    imageQuality: null,
    corrected: [],
  };
  return costOf(kinds, price, { serviceTier: null, region: null }).unpriced;
}

// Each step reads only the index of models. The list of models itself skips from one to the next.
const LIST = `
with recursive pairs as (
  (select answered_model, provider from unpriced_usage order by answered_model, provider limit 1)
  union all
  select n.answered_model, n.provider
    from pairs p
   cross join lateral (
     select u.answered_model, u.provider from unpriced_usage u
      where (u.answered_model, u.provider) > (p.answered_model, p.provider)
      order by u.answered_model, u.provider limit 1) n
), counted as materialized (
  select p.answered_model, p.provider,
         (select count(*)::int from (
            select from unpriced_usage u where u.answered_model = p.answered_model and u.provider = p.provider
             limit ${MISSING_COUNTED_MAX + 1}) c) as requests
    from (select * from pairs limit ${MODELS_MAX}) p
), page as (
  select * from counted order by requests desc, answered_model, provider limit $1 offset $2
)
select (select count(*)::int from counted) as total, coalesce(jsonb_agg(to_jsonb(m) order by m.requests desc, m.model, m.provider), '[]') as rows
  from (
    select p.answered_model as model, p.provider, p.requests, newest.base_url as "baseUrl", newest.at as "lastUsedAt",
           newest.usage -> 'models' as models,
           (select min(u.at) from unpriced_usage u
             where u.answered_model = p.answered_model and u.provider = p.provider) as "firstUsedAt",
           (select jsonb_object_agg(kind, units) from (
              select e.key as kind, sum(e.value::bigint) as units
                from (select u.usage -> 'units' as units from unpriced_usage u
                       where u.answered_model = p.answered_model and u.provider = p.provider
                       order by u.at desc limit ${MISSING_COUNTED_MAX}) s
               cross join lateral jsonb_each_text(s.units) e
               group by e.key) k) as units
      from page p
     cross join lateral (
       select u.at, u.base_url, u.usage from unpriced_usage u
        where u.answered_model = p.answered_model and u.provider = p.provider
        order by u.at desc limit 1) newest
  ) m`;
