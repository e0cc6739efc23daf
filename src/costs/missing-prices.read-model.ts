import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PriceRow } from './pricing/price-row.js';
import { costOf } from './pricing/request-cost.rules.js';
import { usedKinds, type UsageKinds } from './pricing/request-units.rules.js';
import { BackfillPrices } from './report/backfill-prices.service.js';
import { RequestCosts } from './request-costs.service.js';
import { CostBackfillStore, type BackfilledModel } from './stores/cost-backfill.store.js';
import type { Units, UsageKind } from './usage-kinds.data.js';

/** Batches of a model that are counted, because the list must stay fast with millions of requests. A batch has up to 500. */
const BATCHES_MAX = 10_000;
const MODELS_MAX = 1000;

export interface MissingPrice {
  /** The name in the response. */
  readonly model: string;
  readonly provider: string;
  /** The newest ones, and at least 10,000 if there are more. */
  readonly requests: number;
  readonly hasMore: boolean;
  readonly firstUsedAt: Date;
  readonly lastUsedAt: Date;
  /** Sums of these requests. */
  readonly units: Units;
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
  readonly units: Units | null;
}

/** A model that was used without a price before costs were recorded. Its upstream is unknown. */
export interface BackfilledMissingPrice extends BackfilledModel {
  /** As in `MissingPrice`, at the price of the last day. */
  readonly unpricedKinds: readonly UsageKind[];
}

/** Models that were used without a price, the most used first. */
@Injectable()
export class MissingPrices {
  constructor(
    private readonly source: DataSource,
    private readonly costs: RequestCosts,
    private readonly backfill: CostBackfillStore,
    private readonly backfillPrices: BackfillPrices,
  ) {}

  async backfilled(): Promise<BackfilledMissingPrice[]> {
    const models = await this.backfill.models();
    return models.map((used) => {
      const { inputTokens: input, outputTokens: output } = used;
      const units = { ...(input > 0 && { input }), ...(output > 0 && { output }) };
      const found = this.backfillPrices.priceOf(used.model, used.lastDay);
      return { ...used, unpricedKinds: found === null ? usedKinds(units) : unpricedIn(units, found.price.row) };
    });
  }

  async list({ limit, offset }: Page): Promise<{ total: number; models: MissingPrice[] }> {
    const [{ total, rows }] = await this.source.query<[{ total: number; rows: Row[] }]>(LIST, [limit, offset]);
    return { total, models: rows.map((row) => this.withKinds(row)) };
  }

  private withKinds({ baseUrl, models, units: given, ...row }: Row): MissingPrice {
    const units = given ?? {};
    const times = { firstUsedAt: new Date(row.firstUsedAt), lastUsedAt: new Date(row.lastUsedAt) };
    // The model can be one that the request used beside its own.
    const priced = models.includes(row.model) ? models : [row.model];
    const query = { provider: row.provider, models: priced, atMs: times.lastUsedAt.getTime() };
    const applied = this.costs.priceOf({ ...query, baseUrl: baseUrl === null ? null : URL.parse(baseUrl) });
    const unpricedKinds =
      applied === null ? usedKinds(units) : [...unpricedIn(units, applied.row), ...unmeasuredIn(units)];
    return { ...row, ...times, units, unpricedKinds };
  }
}

/** Kinds that the responses did not show, so that no price can complete their cost. */
const unmeasuredIn = (units: Units): readonly UsageKind[] => usedKinds(units).filter((kind) => units[kind] === 0);

function unpricedIn(units: Units, price: PriceRow): readonly UsageKind[] {
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
  (select answered_model, provider from unpriced_batches order by answered_model, provider limit 1)
  union all
  select n.answered_model, n.provider
    from pairs p
   cross join lateral (
     select u.answered_model, u.provider from unpriced_batches u
      where (u.answered_model, u.provider) > (p.answered_model, p.provider)
      order by u.answered_model, u.provider limit 1) n
), counted as materialized (
  select p.answered_model, p.provider, c.requests, c.last_at, c.batches > ${BATCHES_MAX} as has_more
    from (select * from pairs limit ${MODELS_MAX}) p
   cross join lateral (
     select count(*) as batches, (sum(requests) filter (where place <= ${BATCHES_MAX}))::float8 as requests, max(last_at) as last_at
       from (select requests, last_at, row_number() over (order by first_at desc) as place from unpriced_batches u
              where u.answered_model = p.answered_model and u.provider = p.provider
              order by first_at desc limit ${BATCHES_MAX + 1}) newest) c
), page as (
  select * from counted order by requests desc, answered_model, provider limit $1 offset $2
)
select (select count(*)::int from counted) as total, coalesce(jsonb_agg(to_jsonb(m) order by m.requests desc, m.model, m.provider), '[]') as rows
  from (
    select p.answered_model as model, p.provider, p.requests, p.has_more as "hasMore", p.last_at as "lastUsedAt",
           newest.base_url as "baseUrl", newest.models,
           (select min(u.first_at) from unpriced_batches u
             where u.answered_model = p.answered_model and u.provider = p.provider) as "firstUsedAt",
           (select jsonb_object_agg(kind, units) from (
              select e.key as kind, sum(e.value::bigint) as units
                from (select u.units from unpriced_batches u
                       where u.answered_model = p.answered_model and u.provider = p.provider
                       order by u.first_at desc limit ${BATCHES_MAX}) s
               cross join lateral jsonb_each_text(s.units) e
               group by e.key) k) as units
      from page p
     cross join lateral (
       select u.base_url, u.models from unpriced_batches u
        where u.answered_model = p.answered_model and u.provider = p.provider
        order by u.first_at desc limit 1) newest
  ) m`;
