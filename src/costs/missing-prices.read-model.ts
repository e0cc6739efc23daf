import { Injectable } from '@nestjs/common';
import { AppliedPrices } from './applied-price.service.js';
import { DataSource } from 'typeorm';
import { sqlFile } from '../platform/database/sql-file.js';
import type { PriceRow } from './pricing/price-row.js';
import { costOf } from './pricing/request-cost.rules.js';
import { usedKinds, type UsageKinds } from './pricing/request-units.rules.js';
import { BackfillPrices } from './report/backfill-prices.service.js';
import { CostBackfillStore, type BackfilledModel } from './stores/cost-backfill.store.js';
import { USAGE_KINDS, type Units, type UsageKind } from './usage-kinds.data.js';

const LIST = sqlFile(import.meta.url, './missing-prices.sql');

/** Batches of a model that are counted, because the list must stay fast with millions of requests. A batch has up to 500. */
const BATCHES_MAX = 10_000;
const MODELS_MAX = 1000;

export interface MissingPrice {
  /** The name in the response. */
  readonly model: string;
  readonly provider: string;
  /** All requests, or at least the 10,000 newest ones. */
  readonly requests: number;
  readonly hasMore: boolean;
  readonly firstUsedAt: Date;
  readonly lastUsedAt: Date;
  readonly units: Units;
  /** Kinds of this usage that have no price now. Empty if recomputing the costs would price the requests. */
  readonly unpricedKinds: readonly UsageKind[];
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** As the database returns it in JSON. */
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
    private readonly prices: AppliedPrices,
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
    const [{ total, rows }] = await this.source.query<[{ total: number; rows: Row[] }]>(LIST, [
      limit,
      offset,
      BATCHES_MAX,
      MODELS_MAX,
    ]);
    return { total, models: rows.map((row) => this.withKinds(row)) };
  }

  private withKinds({ baseUrl, models, units: given, ...row }: Row): MissingPrice {
    const units = given ?? {};
    const times = { firstUsedAt: new Date(row.firstUsedAt), lastUsedAt: new Date(row.lastUsedAt) };
    // The model can be one that the request used beside its own.
    const priced = models.includes(row.model) ? models : [row.model];
    const query = { provider: row.provider, models: priced, atMs: times.lastUsedAt.getTime() };
    const applied = this.prices.priceOf({ ...query, baseUrl: baseUrl === null ? null : URL.parse(baseUrl) });
    const unpricedKinds =
      applied === null ? [...usedKinds(units), ...unmeasuredIn(units)] : unpricedIn(units, applied.row);
    return { ...row, ...times, units, unpricedKinds: [...new Set(unpricedKinds)] };
  }
}

/** Kinds whose number the responses did not show. The price in effect at that time billed the others that are never read. */
const unmeasuredIn = (units: Units): UsageKind[] =>
  (Object.keys(units) as UsageKind[]).filter((kind) => units[kind] === 0 && USAGE_KINDS[kind].measured);

function unpricedIn(units: Units, price: PriceRow): readonly UsageKind[] {
  const kinds: UsageKinds = {
    units: { ...units, requests: 1 },
    inputTokens: 0,
    reasoning: 0,
    imageSize: null,
    imageQuality: null,
    mediaOnly: false,
    unmeasured: unmeasuredIn(units),
    corrected: [],
  };
  const { unpriced, unmeasured } = costOf(kinds, price, { serviceTier: null, region: null });
  return [...unpriced, ...unmeasured];
}
