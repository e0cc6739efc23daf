import { matchesPattern } from '../../platform/validation/model-pattern.rules.js';
import { GLOBAL_REGIONS, PRICE_FACTORS, STANDARD_TIERS } from './price-factors.data.js';
import type { PriceFactor, PriceRow } from './price-row.js';

export interface CostContext {
  /** The tier that the response reports (`flex`, `priority`, `batch`, `fast` …). Null: the standard tier. */
  readonly serviceTier: string | null;
  /** The region that the response reports or the base URL implies, not the upstream's label. Null: not restricted to a region. */
  readonly region: string | null;
  /** The tier and the region that the request asks for, if the response reports none. They can raise the price, and never lower it. */
  readonly requestedTier?: string | null;
  readonly requestedRegion?: string | null;
}

/** A factor on the prices of tokens. */
export interface CostFactor {
  readonly numerator: number;
  readonly denominator: number;
  readonly serviceTier: string | null;
  readonly region: string | null;
  /** Figures of the context without a published factor. They are priced as the standard tier or without a region. */
  readonly assumed: readonly ('serviceTier' | 'region')[];
}

/** @returns the product of the factors of the service tier and of the region */
export function factorOf(price: PriceRow, context: CostContext): CostFactor {
  const reportedTier = normalized(context.serviceTier, STANDARD_TIERS);
  const requestedTier = normalized(context.requestedTier, STANDARD_TIERS);
  const reportedRegion = normalized(context.region, GLOBAL_REGIONS);
  const requestedRegion = normalized(context.requestedRegion, GLOBAL_REGIONS);
  if (reportedTier === null && requestedTier === null && reportedRegion === null && requestedRegion === null)
    return STANDARD_FACTOR;
  const factors = price.factors ?? publishedFactors(price);
  const regional = factors.filter((factor) => factor.region !== undefined);
  const tier = higherOf(reportedTier, requestedTier, (name) => factors.find((factor) => factor.serviceTier === name));
  const region = higherOf(reportedRegion, requestedRegion, (name) =>
    regional.find((factor) => factor.region === name || factor.region === '*'),
  );
  const assumed = [
    ...(tier.factor === undefined ? (['serviceTier'] as const) : []),
    // Without any price by region, the region does not matter.
    ...(region.factor === undefined && regional.length > 0 ? (['region'] as const) : []),
  ];
  return {
    numerator: (tier.factor ?? ONE).numerator * (region.factor ?? ONE).numerator,
    denominator: (tier.factor ?? ONE).denominator * (region.factor ?? ONE).denominator,
    serviceTier: tier.name,
    region: region.name,
    assumed,
  };
}

const ONE: PriceFactor = { numerator: 1, denominator: 1 };

interface NamedFactor {
  readonly name: string | null;
  /** Undefined if the price list has no factor for the name. */
  readonly factor: PriceFactor | undefined;
}

/** A requested tier or region counts only if it costs more, because the provider might have served something else. */
function higherOf(
  reported: string | null,
  requested: string | null,
  find: (name: string) => PriceFactor | undefined,
): NamedFactor {
  const served: NamedFactor = { name: reported, factor: reported === null ? ONE : find(reported) };
  if (requested === null) return served;
  const asked: NamedFactor = { name: requested, factor: find(requested) };
  if (asked.factor === undefined) return reported === null ? asked : served;
  return valueOf(asked.factor) > valueOf(served.factor ?? ONE) ? asked : served;
}

const valueOf = ({ numerator, denominator }: PriceFactor): number => numerator / denominator;

export const STANDARD_FACTOR: CostFactor = { ...ONE, serviceTier: null, region: null, assumed: [] };

function normalized(name: string | null | undefined, neutral: ReadonlySet<string>): string | null {
  const lower = name?.toLowerCase() ?? '';
  return neutral.has(lower) ? null : lower;
}

const foundFactors = new WeakMap<PriceRow, readonly PriceFactor[]>();

export function publishedFactors(price: PriceRow): readonly PriceFactor[] {
  let factors = foundFactors.get(price);
  if (factors === undefined) {
    const { provider, model } = price;
    factors = PRICE_FACTORS.filter(
      (factor) =>
        factor.provider === provider &&
        (factor.models === null || factor.models.some((pattern) => matchesPattern(pattern, model))),
    );
    foundFactors.set(price, factors);
  }
  return factors;
}
