import { publishedProviders } from './pricing/price-list.js';
import type { DailyHours, ImagePrice, PriceFactor, PriceRow, Prices, PriceTier } from './pricing/price-row.js';

/** The part of an operator's price that is stored as JSON. Prices are integers in nano-dollars, as in `PriceRow`. */
export interface PriceTerms {
  /** Empty if `list` or `images` states the prices. */
  readonly prices: Prices;
  /** The published prices of this provider of the price list apply, or with `maker` those of each model's own maker. */
  readonly list?: string;
  readonly tiers?: readonly PriceTier[];
  readonly images?: readonly ImagePrice[];
  readonly factors?: readonly PriceFactor[];
  /** The price applies only at these hours of each day. At others, prices without hours apply. */
  readonly hours?: DailyHours;
}

/** The prices of the company that makes a model, whichever company serves it. */
export const MAKER = 'maker';

/** The providers of the published price list, and `maker`. An operator's price can refer to their prices. */
export const listedProviders = (): readonly string[] => [MAKER, ...publishedProviders().map(({ id }) => id)];

export interface OperatorPrice {
  readonly id: string;
  /** The name of an upstream, or `*` for all. */
  readonly provider: string;
  /** A model ID, or a pattern in which `*` matches any characters. */
  readonly model: string;
  readonly validFrom: Date;
  /** Exclusive. Null for no end. */
  readonly validTo: Date | null;
  readonly terms: PriceTerms;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly createdBy: string;
}

export type GivenPrice = Pick<OperatorPrice, 'provider' | 'model' | 'validFrom' | 'validTo' | 'terms' | 'note'>;

export const rowOf = ({ provider, model, validFrom, validTo, terms }: OperatorPrice): PriceRow => ({
  source: 'operator',
  provider,
  model,
  validFromMs: validFrom.getTime(),
  validToMs: validTo?.getTime() ?? null,
  hours: terms.hours ?? null,
  prices: terms.prices,
  tiers: terms.tiers ?? [],
  images: terms.images ?? [],
  minimums: {},
  // The published factors belong to providers of the price list. An upstream can have the same name by chance.
  factors: terms.factors ?? [],
});
