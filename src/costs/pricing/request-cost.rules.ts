import { USAGE_KINDS, USAGE_KIND_NAMES, type UsageKind, type Units } from '../usage-kinds.data.js';
import { factorOf, STANDARD_FACTOR, type CostContext, type CostFactor } from './cost-factor.rules.js';
import type { ImagePrice, PriceRow, Prices } from './price-row.js';
import { usedKinds, type UsageKinds } from './request-units.rules.js';

/** A part of a request's cost. */
interface CostLine {
  readonly kind: UsageKind;
  /** Units that are billed. */
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
  /** Kinds that the model bills but that the gateway cannot read from responses. */
  readonly unmeasured: readonly UsageKind[];
  /** The input tokens above which the applied price tier begins, or null for the first tier. */
  readonly tierAbove: number | null;
  readonly factor: CostFactor;
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
  const image = imagePriceOf(usage, price);
  const units = billedUnits(usage, prices);
  const lines: CostLine[] = [];
  const withoutPrice: UsageKind[] = [];
  for (const name in units) {
    const kind = name as UsageKind;
    const used = units[kind]!;
    if (used === 0) continue;
    const pricedAs = pricedKindOf(kind, prices);
    const billed = Math.max(used, price.minimums[kind] ?? 0);
    if (kind === 'images' && image !== null)
      lines.push({ kind, units: billed, price: image.price, pricedAs: kind, factor });
    else if (pricedAs !== null) lines.push({ kind, units: billed, price: prices[pricedAs]!, pricedAs, factor });
    else if (kind !== 'requests') withoutPrice.push(kind);
  }
  return {
    nanos: roundedSum(lines),
    lines,
    unpriced: unpricedKinds(withoutPrice, lines),
    unmeasured: unmeasuredKinds(prices),
    tierAbove: tier?.above ?? null,
    factor,
    imageAssumed: image?.assumed === true,
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
  };
}

/** The cost of usage whose model has no price. */
export const unknownCost = ({ units }: UsageKinds): RequestCost => ({
  nanos: null,
  lines: [],
  unpriced: usedKinds(units),
  unmeasured: [],
  tierAbove: null,
  factor: STANDARD_FACTOR,
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

/** The first kind with a price: the kind itself, or one of its fallbacks. */
function pricedKindOf(kind: UsageKind, prices: Prices): UsageKind | null {
  if (prices[kind] !== undefined) return kind;
  for (const fallback of USAGE_KINDS[kind].fallbacks) if (prices[fallback] !== undefined) return fallback;
  return null;
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

const unmeasuredKinds = (prices: Prices): UsageKind[] => UNMEASURED.filter((kind) => prices[kind] !== undefined);

/** Images of an unknown size or quality have the highest price. Null: `prices.images` applies. */
function imagePriceOf({ units, imageSize, imageQuality }: UsageKinds, { images, prices }: PriceRow) {
  if (units.images === undefined || images.length === 0) return null;
  const isMatch = ({ size, quality }: ImagePrice): boolean =>
    (size === null || size === imageSize) && (quality === null || quality === imageQuality);
  const match = images.find(isMatch);
  if (match !== undefined) return { price: match.price, assumed: false };
  if (prices.images !== undefined) return null;
  return { price: Math.max(...images.map(({ price }) => price)), assumed: true };
}
