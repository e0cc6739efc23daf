import { USAGE_KINDS, USAGE_KIND_NAMES, type UsageKind } from '../usage-kinds.data.js';
import { factorOf, STANDARD_FACTOR, type CostContext, type CostFactor } from './cost-factor.rules.js';
import type { PriceRow, Prices } from './price-row.js';
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
  /** Nano-dollars × `RequestCost.denominator`. */
  readonly numerator: bigint;
  /** The model of this usage, if it is another one than that of the request, and its price as in `PricedUsage`. */
  readonly other?: { readonly model: string; readonly price: string; readonly factor: CostFactor };
}

export interface RequestCost {
  /** Null if nothing has a price, or if the usage is unknown. It is a lower bound if `unpriced` or `unmeasured` has entries. */
  readonly nanos: bigint | null;
  readonly lines: readonly CostLine[];
  /** The exact sum of the lines is the sum of their numerators divided by this. */
  readonly denominator: bigint;
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

/** A multiple of each `per` in `USAGE_KINDS`. */
const COMMON_UNITS = 18_000_000n;

/** Other unmeasured tokens are part of another count and are priced there. */
const UNMEASURED = USAGE_KIND_NAMES.filter(
  (kind) => !USAGE_KINDS[kind].measured && (kind === 'citations' || !USAGE_KINDS[kind].token),
);

/**
 * The cost of one request. The sum of all lines is rounded once, upwards, to a nano-dollar.
 *
 * @param price the row that applied when the request started
 */
export function costOf(usage: UsageKinds, price: PriceRow, context: CostContext): RequestCost {
  const tier = price.tiers.findLast(({ above }) => usage.inputTokens > above);
  const prices = tier?.prices ?? price.prices;
  const image = imagePriceOf(usage, price);
  const factor = factorOf(price, context);
  const lines: CostLine[] = [];
  const withoutPrice: UsageKind[] = [];
  for (const [kind, units] of billedUnits(usage, prices)) {
    const found = kind === 'images' && image !== null ? { pricedAs: kind, price: image.price } : priceOf(kind, prices);
    if (found === null) withoutPrice.push(kind);
    else lines.push(lineOf(kind, Math.max(units, price.minimums[kind] ?? 0), found, factor));
  }
  const tokensPriced = lines.some(({ kind }) => USAGE_KINDS[kind].token);
  const unpriced = withoutPrice.filter((kind) => isUnpriced(kind, tokensPriced));
  const unmeasured = UNMEASURED.filter((kind) => prices[kind] !== undefined);
  const denominator = COMMON_UNITS * BigInt(factor.denominator);
  return {
    nanos: lines.length === 0 ? null : roundUp(lines, denominator),
    lines,
    denominator,
    unpriced,
    unmeasured,
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
  const denominator = others.reduce((product, { cost }) => product * cost.denominator, own.denominator);
  const scaled = (cost: RequestCost, other?: CostLine['other']): CostLine[] =>
    cost.lines.map((line) => ({
      ...line,
      ...(other !== undefined && { other }),
      numerator: line.numerator * (denominator / cost.denominator),
    }));
  const lines = [
    ...scaled(own),
    ...others.flatMap(({ model, price, cost }) => scaled(cost, { model, price, factor: cost.factor })),
  ];
  const namesOf = (of: (cost: RequestCost) => readonly UsageKind[]): UsageKind[] => [
    ...new Set([own, ...others.map(({ cost }) => cost)].flatMap(of)),
  ];
  return {
    ...own,
    nanos: lines.length === 0 ? null : roundUp(lines, denominator),
    lines,
    denominator,
    unpriced: namesOf(({ unpriced }) => unpriced),
    unmeasured: namesOf(({ unmeasured }) => unmeasured),
  };
}

/** The cost of usage whose model has no price. */
export const unknownCost = (kinds: UsageKinds): RequestCost => ({
  nanos: null,
  lines: [],
  denominator: COMMON_UNITS,
  unpriced: usedKinds(kinds.units),
  unmeasured: [],
  tierAbove: null,
  factor: STANDARD_FACTOR,
  imageAssumed: false,
});

/** Reasoning is a line of its own only if the model has a price for it. A request that is not billed as such is not a line. */
function billedUnits({ units, reasoning }: UsageKinds, prices: Prices): [UsageKind, number][] {
  const ownReasoning = prices.reasoning === undefined ? 0 : reasoning;
  const billed: [UsageKind, number][] = [];
  for (const kind of USAGE_KIND_NAMES) {
    const count = (units[kind] ?? 0) + (kind === 'reasoning' ? ownReasoning : kind === 'output' ? -ownReasoning : 0);
    if (count > 0 && (kind !== 'requests' || prices.requests !== undefined)) billed.push([kind, count]);
  }
  return billed;
}

interface FoundPrice {
  readonly pricedAs: UsageKind;
  readonly price: number;
}

function priceOf(kind: UsageKind, prices: Prices): FoundPrice | null {
  const own = prices[kind];
  if (own !== undefined) return { pricedAs: kind, price: own };
  for (const pricedAs of USAGE_KINDS[kind].fallbacks) {
    const price = prices[pricedAs];
    if (price !== undefined) return { pricedAs, price };
  }
  return null;
}

function lineOf(kind: UsageKind, units: number, { pricedAs, price }: FoundPrice, factor: CostFactor): CostLine {
  const { per, token } = USAGE_KINDS[kind];
  const cost = BigInt(units) * BigInt(price) * (COMMON_UNITS / BigInt(per));
  const numerator = cost * BigInt(token ? factor.numerator : factor.denominator);
  return { kind, units, price, pricedAs, numerator };
}

function roundUp(lines: readonly CostLine[], denominator: bigint): bigint {
  const sum = lines.reduce((total, { numerator }) => total + numerator, 0n);
  return (sum + denominator - 1n) / denominator;
}

function isUnpriced(kind: UsageKind, tokensPriced: boolean): boolean {
  const { needsPrice } = USAGE_KINDS[kind];
  return needsPrice === 'always' || (needsPrice === 'alone' && !tokensPriced);
}

/** Images of an unknown size or quality have the highest price. */
function imagePriceOf({ units, imageSize, imageQuality }: UsageKinds, { images, prices }: PriceRow) {
  if (units.images === undefined || images.length === 0) return null;
  const match = images.find(
    ({ size, quality }) => (size === null || size === imageSize) && (quality === null || quality === imageQuality),
  );
  if (match !== undefined) return { price: match.price, assumed: false };
  if (prices.images !== undefined) return null;
  return { price: Math.max(...images.map(({ price }) => price)), assumed: true };
}
