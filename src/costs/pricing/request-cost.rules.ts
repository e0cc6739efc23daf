import { USAGE_KINDS, USAGE_KIND_NAMES, type UsageKind, type Units } from '../usage-kinds.data.js';
import { matchesPattern } from '../../platform/validation/model-pattern.rules.js';
import { GLOBAL_REGIONS, PRICE_FACTORS, STANDARD_TIERS } from './price-factors.data.js';
import type { ImagePrice, PriceFactor, PriceRow, Prices } from './price-row.js';
import { usedKinds, type UsageKinds } from './request-units.rules.js';

export interface CostContext {
  /** The tier that the response reports (`flex`, `priority`, `batch`, `fast` …). Null for the standard tier. */
  readonly serviceTier: string | null;
  /** The region that the response reports or the base URL implies, not the upstream's label. Null if the request is not restricted to a region. */
  readonly region: string | null;
  /** The tier and the region that the request asks for, if the response reports none. They can raise the price, and never lower it. */
  readonly requestedTier?: string | null;
  readonly requestedRegion?: string | null;
}

export interface CostFactor {
  readonly numerator: number;
  readonly denominator: number;
  readonly serviceTier: string | null;
  readonly region: string | null;
  /** Figures of the context without a published factor. They are priced as the standard tier or without a region. */
  readonly assumed: readonly ('serviceTier' | 'region')[];
}

interface CostLine {
  readonly kind: UsageKind;
  /** Billed units, which can be more than the used ones. */
  readonly units: number;
  /** The price before the factor, in nano-dollars per the number of units in `USAGE_KINDS`. */
  readonly price: number;
  /** The kind whose price applies. It differs from `kind` if the model has no price of its own for it. */
  readonly pricedAs: UsageKind;
  readonly factor: CostFactor;
  /** The model of this usage, if it is another one than that of the request, and its price as in `PricedUsage`. */
  readonly other?: { readonly model: string; readonly price: string };
}

export interface RequestCost {
  /** Null if nothing has a price, or if the usage is unknown. It is a lower bound if `unpriced` or `unmeasured` has entries. */
  readonly nanos: bigint | null;
  readonly lines: readonly CostLine[];
  /** Kinds that were used but have no price. */
  readonly unpriced: readonly UsageKind[];
  /** Kinds that the provider bills and whose number is unknown. */
  readonly unmeasured: readonly UsageKind[];
  /** The input tokens above which the applied price tier begins, or null for the first tier. */
  readonly tierAbove: number | null;
  readonly factor: CostFactor;
  /** Kinds without a price of their own that have the price of another kind, although they can cost more. */
  readonly assumed: readonly UsageKind[];
  /** Whether the price of the image is the highest one of the model, because the size or quality is not listed. */
  readonly imageAssumed: boolean;
}

/**
 * The cost of one request. The sum of all lines is rounded once, upwards, to a nano-dollar.
 *
 * @param price the row that applied when the request started
 */
export function costOf(usage: UsageKinds, price: PriceRow, context: CostContext): RequestCost {
  const tier = price.tiers.findLast(({ above }) => usage.inputTokens > above);
  const prices = tier?.prices ?? price.prices;
  const factor = factorOf(price, context);
  let imageAssumed = false;
  const units = billedUnits(usage, prices);
  const lines: CostLine[] = [];
  const withoutPrice: UsageKind[] = [];
  const lowerBounds: UsageKind[] = [];
  const assumed: UsageKind[] = [];
  for (const name in units) {
    const kind = name as UsageKind;
    const used = units[kind]!;
    if (used === 0) continue;
    const found = pricedKindOf(kind, price, prices, usage.mediaOnly);
    const billed = Math.max(used, price.minimums[kind] ?? 0);
    const sized = sizedPriceOf(kind, usage, price);
    if (sized !== null) {
      lines.push({ kind, units: billed, price: sized.price, pricedAs: kind, factor });
      imageAssumed ||= sized.assumed;
    } else if (found !== null) {
      lines.push({ kind, units: billed, price: found.price, pricedAs: found.kind, factor });
      if (found.assumed) assumed.push(kind);
      if (found.isLowerBound) lowerBounds.push(kind);
    } else if (kind !== 'requests') withoutPrice.push(kind);
  }
  const free = (usage.unmeasured.length > 0 || lowerBounds.length > 0) && isFree(price);
  return {
    nanos: free ? 0n : roundedSum(lines),
    lines,
    unpriced: unpricedKinds(free ? withoutPrice : [...withoutPrice, ...lowerBounds], lines),
    unmeasured: free ? [] : unmeasuredKinds(usage, prices, lines),
    tierAbove: tier?.above ?? null,
    factor,
    assumed: free ? [] : assumed,
    imageAssumed,
  };
}

/** A part of a request that another model has processed. */
interface OtherCost {
  readonly model: string;
  readonly price: string;
  readonly cost: RequestCost;
}

/**
 * The cost of a request with the usage of other models. The sum of all lines is rounded once.
 * @param own its tier, factor and image are those of the result
 */
export function costWithOthers(own: RequestCost, others: readonly OtherCost[]): RequestCost {
  const otherLines = others.flatMap(({ model, price, cost }) =>
    cost.lines.map((line) => ({ ...line, other: { model, price } })),
  );
  const lines = [...own.lines, ...otherLines];
  const costs = [own, ...others.map(({ cost }) => cost)];
  return {
    ...own,
    nanos: roundedSum(lines),
    lines,
    unpriced: [...new Set(costs.flatMap(({ unpriced }) => unpriced))],
    unmeasured: [...new Set(costs.flatMap(({ unmeasured }) => unmeasured))],
    assumed: [...new Set(costs.flatMap(({ assumed }) => assumed))],
  };
}

/** The cost of usage whose model has no price. */
export const unknownCost = ({ units, unmeasured }: UsageKinds): RequestCost => ({
  nanos: null,
  lines: [],
  unpriced: usedKinds(units),
  unmeasured,
  tierAbove: null,
  factor: STANDARD_FACTOR,
  assumed: [],
  imageAssumed: false,
});

/** Separates reasoning from the output if the model has a price for it. */
function billedUnits({ units, reasoning }: UsageKinds, prices: Prices): Units {
  if (reasoning === 0 || prices.reasoning === undefined) return units;
  const billed: Partial<Record<UsageKind, number>> = {};
  for (const [kind, count] of Object.entries(units) as [UsageKind, number][]) {
    billed[kind] = kind === 'output' ? count - reasoning : count;
    if (kind === 'output') billed.reasoning = reasoning;
  }
  return billed;
}

interface KindPrice {
  readonly kind: UsageKind;
  readonly price: number;
  /** The kind has no price of its own and can cost more, or its price is derived from another one. */
  readonly assumed: boolean;
  /** The kind can cost more. */
  readonly isLowerBound: boolean;
}

/** The price of the kind itself, or of a related kind. Null without a price. */
function pricedKindOf(kind: UsageKind, row: PriceRow, prices: Prices, mediaOnly: boolean): KindPrice | null {
  const own = prices[kind];
  if (own !== undefined) return { kind, price: own, assumed: false, isLowerBound: false };
  const write = claudeWriteOf(kind, row, prices);
  if (write !== null) return write;
  const { fallbacks, atLeast } = USAGE_KINDS[kind];
  const fallback = fallbacks.find((other) => prices[other] !== undefined);
  if (fallback !== undefined) return { kind: fallback, price: prices[fallback]!, assumed: false, isLowerBound: false };
  let highest: UsageKind | null = null;
  for (const other of atLeast)
    if (prices[other] !== undefined && prices[other] > (highest === null ? -1 : prices[highest]!)) highest = other;
  return highest === null
    ? null
    : { kind: highest, price: prices[highest]!, assumed: !mediaOnly, isLowerBound: !mediaOnly };
}

/** Anthropic's factors on the price of input, as 1/4. They are the same for all models and all clouds. */
const CLAUDE_WRITES = { cache_write_5m: 5, cache_write_1h: 8 } as const;

function claudeWriteOf(kind: UsageKind, { model }: PriceRow, { input }: Prices): KindPrice | null {
  if (kind !== 'cache_write_5m' && kind !== 'cache_write_1h') return null;
  if (input === undefined || !model.includes('claude')) return null;
  return { kind: 'input', price: Math.ceil((input * CLAUDE_WRITES[kind]) / 4), assumed: true, isLowerBound: false };
}

const MILLION = 1_000_000;

/**
 * The exact sum, rounded up to nano-dollars. Almost all sums are exact as numbers, which are several times as fast as BigInt.
 *
 * @returns null without lines
 */
function roundedSum(lines: readonly CostLine[]): bigint | null {
  const [first] = lines;
  if (first === undefined) return null;
  const divisor = MILLION * first.factor.denominator;
  let sum = 0;
  for (const { kind, units, price, factor } of lines) {
    const { per, token } = USAGE_KINDS[kind];
    if (per !== MILLION || factor !== first.factor) return roundedBigSum(lines);
    sum += units * price * (token ? factor.numerator : factor.denominator);
  }
  // Nothing is negative, so the sum is too large if any product is not exact.
  if (!(sum <= Number.MAX_SAFE_INTEGER && divisor <= Number.MAX_SAFE_INTEGER)) return roundedBigSum(lines);
  const remainder = sum % divisor;
  return BigInt((sum - remainder) / divisor + (remainder > 0 ? 1 : 0));
}

function roundedBigSum(lines: readonly CostLine[]): bigint {
  let numerator = 0n;
  let denominator = 1n;
  for (const { kind, units, price, factor } of lines) {
    const { per, token } = USAGE_KINDS[kind];
    const cost = BigInt(units) * BigInt(price) * BigInt(token ? factor.numerator : 1);
    const divisor = BigInt(per) * BigInt(token ? factor.denominator : 1);
    numerator = numerator * divisor + cost * denominator;
    denominator *= divisor;
  }
  return (numerator + denominator - 1n) / denominator;
}

function unpricedKinds(withoutPrice: readonly UsageKind[], lines: readonly CostLine[]): readonly UsageKind[] {
  if (withoutPrice.length === 0) return withoutPrice;
  const tokensPriced = lines.some(({ kind }) => USAGE_KINDS[kind].token);
  return USAGE_KIND_NAMES.filter((kind) => {
    const { needsPrice } = USAGE_KINDS[kind];
    return withoutPrice.includes(kind) && (needsPrice === 'always' || (needsPrice === 'alone' && !tokensPriced));
  });
}

/** Other unmeasured tokens are part of another count and are priced there. */
const UNMEASURED = USAGE_KIND_NAMES.filter(
  (kind) => !USAGE_KINDS[kind].measured && (kind === 'citations' || !USAGE_KINDS[kind].token),
);

/** An operator can price usage of an unknown number by other units. */
const STAND_INS: ReadonlySet<UsageKind> = new Set(['requests', 'megabytes', 'images'] as const);

function unmeasuredKinds({ unmeasured }: UsageKinds, prices: Prices, lines: readonly CostLine[]): readonly UsageKind[] {
  const notRead = UNMEASURED.filter((kind) => prices[kind] !== undefined);
  const hasStandIn = unmeasured.length > 0 && lines.some(({ kind }) => STAND_INS.has(kind));
  return hasStandIn ? notRead : [...unmeasured, ...notRead];
}

/** Whether an operator has set only prices of 0. */
function isFree({ prices, tiers, images }: PriceRow): boolean {
  const all = Object.values(prices);
  return tiers.length + images.length === 0 && all.length > 0 && all.every((price) => price === 0);
}

/** Whether the amount is null or a lower bound. */
export const isIncomplete = ({ nanos, unpriced, unmeasured }: RequestCost): boolean =>
  nanos === null || unpriced.length > 0 || unmeasured.length > 0;

/**
 * The price of an image, or of a second of video, by its size and quality. An unknown size has the highest price. Null if the price of the
 * kind applies.
 */
function sizedPriceOf(kind: UsageKind, { imageSize, imageQuality }: UsageKinds, { images, prices }: PriceRow) {
  if (images.length === 0 || (kind !== 'images' && kind !== 'video_seconds')) return null;
  const isMatch = ({ size, quality }: ImagePrice): boolean =>
    (size === null || size === imageSize) && (quality === null || quality === imageQuality);
  const match = images.find(isMatch);
  if (match !== undefined) return { price: match.price, assumed: false };
  if (prices[kind] !== undefined) return null;
  return { price: Math.max(...images.map(({ price }) => price)), assumed: true };
}

/** @returns the product of the factors of the service tier and of the region */
function factorOf(price: PriceRow, context: CostContext): CostFactor {
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

const STANDARD_FACTOR: CostFactor = { ...ONE, serviceTier: null, region: null, assumed: [] };

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
