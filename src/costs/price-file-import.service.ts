import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { mayApplyTo } from './operator-price-index.js';
import { OperatorPrices } from './operator-prices.service.js';
import type { GivenPrice } from './price-terms.js';
import type { FilePrice } from './pricing/price-file.rules.js';
import { findPrice } from './pricing/price-list.js';
import type { PriceRow, Prices, PriceTier } from './pricing/price-row.js';
import { publishedFactors } from './pricing/request-cost.rules.js';
import type { UsageKind } from './usage-kinds.data.js';

export interface PriceChange {
  /** `kept`: a snapshot that would otherwise get the changed price of its model. */
  readonly kind: 'new' | 'changed' | 'kept';
  readonly model: string;
  /** Null for a model without a price. */
  readonly before: Pick<PriceRow, 'prices' | 'tiers'> | null;
  readonly given: GivenPrice;
}

export interface PriceFilePlan {
  readonly changes: readonly PriceChange[];
  /** Models whose price is that of the file already. */
  readonly same: number;
}

interface Terms {
  readonly upstream: string;
  readonly validFrom: Date;
  readonly note: string;
}

/** Names of LiteLLM for providers of the published list. */
const LISTED_NAMES: Readonly<Record<string, string>> = { bedrock: 'aws', gemini: 'google', vertex_ai: 'google' };

/** Compares a published file with the prices that apply now. Only models with another price get an operator's price. */
@Injectable()
export class PriceFileImport {
  constructor(
    private readonly prices: OperatorPrices,
    private readonly clock: Clock,
  ) {}

  /**
   * A changed price keeps the kinds, images and factors that the file does not state.
   * @param upstream the name of an upstream, or `*` for all
   * @param note says where the prices are from
   */
  plan(file: readonly FilePrice[], upstream: string, note: string): PriceFilePlan {
    const validFrom = new Date(this.clock.now());
    // The last entry of a model wins, as in the file's own JSON.
    const models = new Map(file.map((price) => [price.model, price]));
    const all = [...models.values()].map((price) => this.changeOf(price, { upstream, validFrom, note }));
    const changed = all.filter(({ kind }) => kind !== 'kept');
    // The price of a model also applies to its snapshots. A snapshot with another price needs its own one.
    const changes = all.filter(
      ({ kind, model }) => kind !== 'kept' || changed.some(({ given }) => mayApplyTo(given, model)),
    );
    return { changes, same: models.size - changes.length };
  }

  private changeOf(price: FilePrice, { upstream, validFrom, note }: Terms): PriceChange {
    const { model } = price;
    const before = this.rowOf(price, upstream, validFrom.getTime());
    const prices = { ...before?.prices, ...price.prices };
    const tiers = (price.tiers ?? before?.tiers ?? []).map((tier) => ({
      above: tier.above,
      prices: { ...prices, ...tier.prices },
    }));
    const kept = before === null ? {} : { images: before.images, factors: before.factors ?? publishedFactors(before) };
    const terms = { prices, ...(tiers.length > 0 && { tiers }), ...kept };
    const kind = before === null ? 'new' : isSame(before, { prices, tiers }) ? 'kept' : 'changed';
    return { kind, model, before, given: { provider: upstream, model, validFrom, validTo: null, terms, note } };
  }

  private rowOf({ provider, model }: FilePrice, upstream: string, atMs: number): PriceRow | null {
    const own = this.prices.find({ provider: upstream, model, atMs });
    return own?.row ?? findPrice({ provider: LISTED_NAMES[provider] ?? provider, model, atMs })?.row ?? null;
  }
}

type Compared = Readonly<{ prices: Prices; tiers: readonly PriceTier[] }>;

const isSame = (before: Compared, after: Compared): boolean =>
  arePricesSame(before.prices, after.prices) &&
  before.tiers.length === after.tiers.length &&
  before.tiers.every(({ above, prices }, at) => {
    const tier = after.tiers[at]!;
    return tier.above === above && arePricesSame(prices, tier.prices);
  });

const arePricesSame = (before: Prices, after: Prices): boolean => changedKinds(before, after).length === 0;

/** The kinds whose price differs. */
export const changedKinds = (before: Prices, after: Prices): UsageKind[] =>
  ([...new Set([...Object.keys(before), ...Object.keys(after)])] as UsageKind[]).filter(
    (kind) => before[kind] !== after[kind],
  );
