import type { UsageKind } from '../usage-kinds.data.js';

/** Integers in nano-dollars per the number of units in `USAGE_KINDS`, which is a million for tokens. */
export type Prices = Readonly<Partial<Record<UsageKind, number>>>;

/** All prices of requests whose input, including caches, has more than `above` tokens. */
export interface PriceTier {
  readonly above: number;
  readonly prices: Prices;
}

/** The price of one image of a size and quality. Null matches every size or quality. */
export interface ImagePrice {
  readonly size: string | null;
  readonly quality: string | null;
  /** In nano-dollars per million images. */
  readonly price: number;
}

/** Hours of a day in UTC, in seconds since midnight. The end is exclusive, and can be before the start. */
export interface DailyHours {
  readonly start: number;
  readonly end: number;
}

/** A factor on the prices of tokens, for a service tier or a region. */
export interface PriceFactor {
  readonly serviceTier?: string;
  /** `*` is every region other than `global`. */
  readonly region?: string;
  readonly numerator: number;
  readonly denominator: number;
}

/** The prices of one model at one provider during one period. */
export interface PriceRow {
  readonly source: 'list' | 'operator';
  readonly provider: string;
  readonly model: string;
  /** Epoch milliseconds, or null for no bound. The end is exclusive. */
  readonly validFromMs: number | null;
  readonly validToMs: number | null;
  readonly hours: DailyHours | null;
  readonly prices: Prices;
  /** In ascending order of `above`. The highest tier that the input reaches prices the whole request. */
  readonly tiers: readonly PriceTier[];
  /** In order of preference; `prices.images` applies if none matches. */
  readonly images: readonly ImagePrice[];
  /** Units that a request is billed for at least, if it uses this kind. */
  readonly minimums: Prices;
  /** Factors that replace those of price-factors.data.ts. Null: the published factors apply. */
  readonly factors: readonly PriceFactor[] | null;
}
