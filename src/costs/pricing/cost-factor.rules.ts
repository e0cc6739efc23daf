import { matchesPattern } from '../../validation/model-pattern.rules.js';
import { GLOBAL_REGIONS, PRICE_FACTORS, STANDARD_TIERS } from './price-factors.data.js';
import type { PriceFactor, PriceRow } from './price-row.js';

export interface CostContext {
  /** The tier that the response reports (`flex`, `priority`, `batch`, `fast` …). Null: the standard tier. */
  readonly serviceTier: string | null;
  /** The region that the response reports or the base URL implies, not the upstream's label. Null: not restricted to a region. */
  readonly region: string | null;
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
  const serviceTier = normalized(context.serviceTier, STANDARD_TIERS);
  const region = normalized(context.region, GLOBAL_REGIONS);
  if (serviceTier === null && region === null) return STANDARD_FACTOR;
  const factors = price.factors ?? publishedFactors(price);
  const ofTier = serviceTier === null ? ONE : factors.find((factor) => factor.serviceTier === serviceTier);
  const regional = factors.filter((factor) => factor.region !== undefined);
  const ofRegion = region === null ? ONE : regional.find((factor) => factor.region === region || factor.region === '*');
  const assumed = [
    ...(ofTier === undefined ? (['serviceTier'] as const) : []),
    // Without any price by region, the region does not matter.
    ...(ofRegion === undefined && regional.length > 0 ? (['region'] as const) : []),
  ];
  return {
    numerator: (ofTier ?? ONE).numerator * (ofRegion ?? ONE).numerator,
    denominator: (ofTier ?? ONE).denominator * (ofRegion ?? ONE).denominator,
    serviceTier,
    region,
    assumed,
  };
}

const ONE: PriceFactor = { numerator: 1, denominator: 1 };
export const STANDARD_FACTOR: CostFactor = { ...ONE, serviceTier: null, region: null, assumed: [] };

function normalized(name: string | null, neutral: ReadonlySet<string>): string | null {
  const lower = name?.toLowerCase() ?? '';
  return neutral.has(lower) ? null : lower;
}

export const publishedFactors = ({ provider, model }: PriceRow): readonly PriceFactor[] =>
  PRICE_FACTORS.filter(
    (factor) =>
      factor.provider === provider &&
      (factor.models === null || factor.models.some((pattern) => matchesPattern(pattern, model))),
  );
