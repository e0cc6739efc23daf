import { Injectable } from '@nestjs/common';
import type { TokenUsage, UsageDetails } from '../platform/request-context/token-usage.js';
import { AppliedPrices, type AppliedPrice, type PriceQuery } from './applied-price.service.js';
import {
  costOf,
  costWithOthers,
  isIncomplete,
  unknownCost,
  type CostContext,
  type CostFactor,
  type RequestCost,
} from './pricing/request-cost.rules.js';
import { hasUsage, kindsOf, partsOf, usedKinds, type UsageKinds } from './pricing/request-units.rules.js';
import { USAGE_KINDS, type UsageKind, type Units } from './usage-kinds.data.js';

/** A request as its price depends on it. */
export interface PricedRequest extends PriceQuery {
  readonly usage: TokenUsage;
  readonly details: UsageDetails | null;
}

export interface PricedUsage {
  readonly kinds: UsageKinds;
  /** Null if nothing has a price. It is a lower bound if `unpriced` is true. */
  readonly nanos: bigint | null;
  /** Whether some usage has no price. False for a request without usage. */
  readonly unpriced: boolean;
  /** Null if the gateway has no price. The response can still state the amount. */
  readonly cost: RequestCost | null;
  /**
   * Identifies the price: `list 0.1.8 openai/gpt-4o`, or `operator` and the ID of the row. `provider` means that the response
   * stated the amount. Null if there is no price.
   */
  readonly price: string | null;
  /**
   * The model that lacks a price and its usage, if that is not the model of the request but another one that it used. A kind with 0 units
   * was used, but the response does not show how much.
   */
  readonly unpricedPart?: { readonly model: string; readonly units: Units };
}

/** Computes what a request costs. It takes about half a microsecond. */
@Injectable()
export class RequestCosts {
  constructor(private readonly prices: AppliedPrices) {}

  of(request: PricedRequest): PricedUsage {
    return plausible(this.priced(request));
  }

  private priced(request: PricedRequest): PricedUsage {
    const { usage, details } = request;
    if (hasOthers(details)) return this.ofSeveralModels(request, details);
    const kinds = kindsOf(usage, details);
    if (!hasUsage(kinds)) return { kinds, nanos: 0n, unpriced: false, cost: null, price: null };
    const applied = this.prices.priceOf(request);
    if (applied === null) return withoutPrice(kinds, request);
    const cost = costOf(kinds, applied.row, contextOf(details, applied));
    if (!isIncomplete(cost)) return { kinds, nanos: cost.nanos, unpriced: false, cost, price: priceIdentity(applied) };
    if (details !== null && details.reportedCostNanoUsd !== null) return withoutPrice(kinds, request);
    return {
      kinds,
      nanos: cost.nanos,
      unpriced: true,
      cost,
      price: priceIdentity(applied),
      ...unmeasuredPart(kinds, cost.unmeasured, request),
    };
  }

  private ofSeveralModels(request: PricedRequest, details: UsageDetails & WithOthers): PricedUsage {
    const { own, others, total } = partsOf(request.usage, details);
    if (!hasUsage(total)) return { kinds: total, nanos: 0n, unpriced: false, cost: null, price: null };
    const applied = hasUsage(own) ? this.prices.priceOf(request) : null;
    const costAt = (kinds: UsageKinds, price: AppliedPrice | null, hasTier = true): RequestCost => {
      if (price === null) return unknownCost(kinds);
      const context = contextOf(details, price);
      return costOf(kinds, price.row, hasTier ? context : { ...context, serviceTier: null, requestedTier: null });
    };
    const parts = others.map(({ model, included, kinds }) => {
      const price = this.prices.priceOf({ ...request, models: [model] });
      // A tool has no service tier.
      const cost = costAt(kinds, price, included);
      return { model, kinds, cost, price: price === null ? '' : priceIdentity(price) };
    });
    const ownCost = costAt(own, applied);
    const cost = costWithOthers(ownCost, parts);
    const unpriced = isIncomplete(cost);
    if (unpriced && details.reportedCostNanoUsd !== null) return withoutPrice(total, request);
    const isPart = (part: RequestCost): boolean => part.unpriced.length > 0 || part.unmeasured.length > 0;
    const missing = isPart(ownCost) ? undefined : parts.find((part) => isPart(part.cost));
    return {
      kinds: total,
      nanos: cost.nanos,
      unpriced,
      cost,
      price: applied === null ? null : priceIdentity(applied),
      ...(missing === undefined
        ? unmeasuredPart(own, ownCost.unmeasured, request)
        : {
            unpricedPart: {
              model: missing.model,
              units: withUnmeasured(missing.kinds.units, missing.cost.unmeasured),
            },
          }),
    };
  }
}

/** A million dollars. A wrong figure of one request must not hide all other costs of a day. */
const REQUEST_NANOS_MAX = 10n ** 15n;

/** A higher cost is unknown, until the price or the figure is corrected and the request is priced again. */
function plausible(priced: PricedUsage): PricedUsage {
  const { nanos, kinds } = priced;
  if (nanos === null || nanos <= REQUEST_NANOS_MAX) return priced;
  const corrected = [...kinds.corrected, 'cost'];
  return { ...priced, kinds: { ...kinds, corrected }, nanos: null, unpriced: true, cost: null };
}

function contextOf(details: UsageDetails | null, { region }: AppliedPrice): CostContext {
  return {
    serviceTier: details?.serviceTier ?? null,
    region: details?.region ?? region,
    requestedTier: details?.requestedTier ?? null,
    requestedRegion: details?.requestedRegion ?? null,
  };
}

interface WithOthers {
  readonly others: NonNullable<UsageDetails['others']>;
}

const hasOthers = (details: UsageDetails | null): details is UsageDetails & WithOthers =>
  details !== null && details.others !== null && details.others !== undefined;

/** Some providers state the amount in the response. It is the only source for a model that the list lacks. */
function withoutPrice(kinds: UsageKinds, request: PricedRequest): PricedUsage {
  const stated = request.details?.reportedCostNanoUsd ?? null;
  if (stated !== null) return { kinds, nanos: BigInt(stated), unpriced: false, cost: null, price: 'provider' };
  const part = unmeasuredPart(kinds, kinds.unmeasured, request);
  return { kinds, nanos: null, unpriced: true, cost: null, price: null, ...part };
}

/** Shows operators the usage of an unknown number. */
function unmeasuredPart(
  { units }: UsageKinds,
  unmeasured: readonly UsageKind[],
  { models }: PricedRequest,
): Pick<PricedUsage, 'unpricedPart'> {
  if (unmeasured.length === 0) return {};
  return { unpricedPart: { model: models[0] ?? '', units: withUnmeasured(units, unmeasured) } };
}

function withUnmeasured(units: Units, unmeasured: readonly UsageKind[]): Units {
  const all: Partial<Record<UsageKind, number>> = { ...units };
  for (const kind of unmeasured) all[kind] = kind === 'requests' ? 0 : (all[kind] ?? 0);
  return all;
}

function priceIdentity({ operatorPriceId, listed }: AppliedPrice): string {
  if (operatorPriceId === null) return listed?.identity ?? '';
  return listed === null ? `operator ${operatorPriceId}` : `operator ${operatorPriceId} ${listed.identity}`;
}

interface Circumstances {
  /** The name of the upstream. */
  readonly provider: string;
  readonly estimated: boolean;
  /** When a request was priced again after it was recorded, in ISO 8601. */
  readonly recomputedAt?: string;
}

/** Whether tokens were estimated, at least in part. */
export const isEstimated = ({ provenance }: TokenUsage): boolean =>
  provenance === 'estimated' || provenance === 'partial';

/** The JSON of request logs. Its lines explain the amount without the price list of that time. */
export function costRecordOf({ cost, kinds, price, unpriced }: PricedUsage, given: Circumstances): object {
  return {
    provider: given.provider,
    price,
    unpriced: cost?.unpriced ?? (unpriced ? usedKinds(kinds.units) : []),
    ...(cost === null && unpriced && kinds.unmeasured.length > 0 && { unmeasured: kinds.unmeasured }),
    ...(given.estimated && { estimated: true }),
    ...(given.recomputedAt !== undefined && { recomputed_at: given.recomputedAt }),
    ...(kinds.reasoning > 0 && { reasoning: kinds.reasoning }),
    ...(kinds.corrected.length > 0 && { corrected: kinds.corrected }),
    ...(cost !== null && computationOf(cost)),
  };
}

function computationOf({ lines, tierAbove, factor, assumed: kinds, unmeasured, imageAssumed }: RequestCost): object {
  const assumed = [...factor.assumed, ...kinds];
  return {
    lines: lines.map(({ kind, units, price, pricedAs, factor: lineFactor, other }) => ({
      kind,
      units,
      price,
      per: USAGE_KINDS[kind].per,
      ...(pricedAs !== kind && { priced_as: pricedAs }),
      ...(other !== undefined && { model: other.model, model_price: other.price, ...factorRecord(lineFactor) }),
    })),
    ...(tierAbove !== null && { tier_above: tierAbove }),
    ...factorRecord(factor),
    ...(factor.serviceTier !== null && { service_tier: factor.serviceTier }),
    ...(factor.region !== null && { region: factor.region }),
    ...(assumed.length > 0 && { assumed }),
    ...(unmeasured.length > 0 && { unmeasured }),
    ...(imageAssumed && { image_assumed: true }),
  };
}

const factorRecord = ({ numerator, denominator }: CostFactor): object =>
  numerator === denominator ? {} : { factor: [numerator, denominator] };

/** How the cost of a request was computed, as `costRecordOf` writes it. Absent fields have their usual values. */
export interface StoredCost {
  /** The name of the upstream. */
  readonly provider: string;
  /** Identifies the price, with its version. Null if there is no price. */
  readonly price: string | null;
  /** Kinds of usage without a price. The amount is a lower bound if there are any. */
  readonly unpriced: readonly string[];
  readonly estimated?: boolean;
  readonly recomputed_at?: string;
  /** Tokens within the output. */
  readonly reasoning?: number;
  /** Reported figures that were impossible and were reduced. */
  readonly corrected?: readonly string[];
  readonly lines?: readonly StoredCostLine[];
  readonly tier_above?: number;
  readonly factor?: readonly [numerator: number, denominator: number];
  readonly service_tier?: string;
  readonly region?: string;
  readonly assumed?: readonly string[];
  readonly unmeasured?: readonly string[];
  readonly image_assumed?: boolean;
}

interface StoredCostLine {
  readonly kind: string;
  readonly units: number;
  /** In nano-dollars per `per` units, before the factor. */
  readonly price: number;
  readonly per: number;
  /** Absent if the model has a price of its own for `kind`. */
  readonly priced_as?: string;
  /** The model of this usage, and its price as in `StoredCost`, if the request used several models. */
  readonly model?: string;
  readonly model_price?: string;
  /** The factor of a line with a model. Other lines have the factor of the request. */
  readonly factor?: readonly [numerator: number, denominator: number];
}
