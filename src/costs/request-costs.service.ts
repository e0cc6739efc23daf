import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { isLoopback } from '../platform/egress/egress-proxy.js';
import type { TokenUsage, UsageDetails } from '../platform/request-context/token-usage.js';
import { OperatorPrices } from './operator-prices.service.js';
import type { CostContext } from './pricing/cost-factor.rules.js';
import { findPrice, type FoundPrice } from './pricing/price-list.js';
import type { PriceRow } from './pricing/price-row.js';
import { costOf, costWithOthers, unknownCost, type RequestCost } from './pricing/request-cost.rules.js';
import { kindsOf, partsOf, type UsageKinds } from './pricing/request-units.rules.js';
import type { Units } from './usage-kinds.data.js';

/** The facts that decide which price applies. */
export interface PriceQuery {
  /** The name of the upstream. */
  readonly provider: string;
  readonly baseUrl: URL | null;
  /** Distinct names of the model: of the response, as sent, and as requested. The first one with a price counts. */
  readonly models: readonly string[];
  readonly atMs: number;
}

/** A request as its price depends on it. */
export interface PricedRequest extends PriceQuery {
  readonly usage: TokenUsage;
  readonly details: UsageDetails | null;
}

export interface PricedUsage {
  readonly kinds: UsageKinds;
  /** Null without any price. It is a lower bound if `unpriced` is true. */
  readonly nanos: bigint | null;
  /** Some usage has no price. False for a request without usage. */
  readonly unpriced: boolean;
  /** Null without a price of the gateway. */
  readonly cost: RequestCost | null;
  /**
   * Identifies the price: `list 0.1.8 openai/gpt-4o`, or `operator` and the ID of the row. `provider` means that the response
   * stated the amount. Null without a price.
   */
  readonly price: string | null;
  /**
   * The model that lacks a price and its usage, if that is not the model of the request but another one that it used. A kind with 0 units
   * was used, but the response does not show how much.
   */
  readonly unpricedPart?: { readonly model: string; readonly units: Units };
}

/** A price that applies, and why. */
export interface AppliedPrice {
  readonly row: PriceRow;
  /** The region that the base URL implies, if it changes the price. */
  readonly region: string | null;
  /** Null for a price of the list. */
  readonly operatorPriceId: string | null;
  /** The price of the list, also if an operator's price refers to it. */
  readonly listed: FoundPrice | null;
}

/** Computes what a request costs. Prices of operators replace those of the published list. It takes about half a microsecond. */
@Injectable()
export class RequestCosts {
  constructor(
    private readonly operatorPrices: OperatorPrices,
    private readonly config: Config,
  ) {}

  of(request: PricedRequest): PricedUsage {
    const { usage, details } = request;
    if (hasOthers(details)) return this.ofSeveralModels(request, details);
    const kinds = kindsOf(usage, details);
    if (!hasUnits(kinds)) return withoutUnits(kinds, request);
    const applied = this.priceOf(request);
    if (applied === null) return withoutPrice(kinds, details);
    const cost = costOf(kinds, applied.row, contextOf(details, applied));
    const unpriced = cost.nanos === null || cost.unpriced.length > 0;
    return { kinds, nanos: cost.nanos, unpriced, cost, price: priceIdentity(applied) };
  }

  private ofSeveralModels(request: PricedRequest, details: UsageDetails & WithOthers): PricedUsage {
    const { own, others, total } = partsOf(request.usage, details);
    if (!hasUnits(total)) return { kinds: total, nanos: 0n, unpriced: false, cost: null, price: null };
    const applied = hasUnits(own) ? this.priceOf(request) : null;
    const costAt = (kinds: UsageKinds, price: AppliedPrice | null, hasTier = true): RequestCost => {
      if (price === null) return unknownCost(kinds);
      const context = contextOf(details, price);
      return costOf(kinds, price.row, hasTier ? context : { ...context, serviceTier: null, requestedTier: null });
    };
    const parts = others.map(({ model, included, kinds }) => {
      const price = this.priceOf({ ...request, models: [model] });
      // A tool has no service tier.
      const cost = costAt(kinds, price, included);
      return { model, kinds, cost, price: price === null ? '' : priceIdentity(price) };
    });
    const ownCost = costAt(own, applied);
    const cost = costWithOthers(ownCost, parts);
    const unpriced = cost.nanos === null || cost.unpriced.length > 0;
    if (unpriced && details.reportedCostNanoUsd !== null) return withoutPrice(total, details);
    const missing = ownCost.unpriced.length > 0 ? undefined : parts.find((part) => part.cost.unpriced.length > 0);
    return {
      kinds: total,
      nanos: cost.nanos,
      unpriced,
      cost,
      price: applied === null ? null : priceIdentity(applied),
      ...(missing !== undefined && { unpricedPart: { model: missing.model, units: missing.kinds.units } }),
    };
  }

  /** The price that applies: of an operator, or of the list. */
  priceOf(query: PriceQuery): AppliedPrice | null {
    return this.operatorPriceOf(query) ?? this.listedPriceOf(query);
  }

  private operatorPriceOf(query: PriceQuery): AppliedPrice | null {
    if (this.operatorPrices.isEmpty) return null;
    const { provider, models, atMs } = query;
    for (const model of models) {
      const found = this.operatorPrices.find({ provider, model, atMs });
      if (found === null || isAnotherModel(model, query)) continue;
      return { row: found.row, region: null, operatorPriceId: found.id, listed: found.listed };
    }
    return null;
  }

  private listedPriceOf({ baseUrl, models, atMs }: PriceQuery): AppliedPrice | null {
    if (baseUrl === null) return null;
    for (const model of models) {
      const listed = findPrice({ model, atMs, baseUrl });
      if (listed === null || (listed.foundBy === 'maker' && !this.isSandbox(baseUrl))) continue;
      return { row: listed.row, region: listed.region, operatorPriceId: null, listed };
    }
    return null;
  }

  /**
   * A host that the list does not know can be a server of one's own, whose models do not cost what their makers charge. Outside
   * production, a provider on this machine is the sandbox or a test, and has the makers' prices.
   */
  private isSandbox({ hostname }: URL): boolean {
    return !this.config.production && isLoopback(hostname);
  }
}

/**
 * Whether the provider served a model other than `model`, as routers do with fallbacks. Both names are then in the list, with different
 * prices. A deployment or alias is not in the list.
 */
function isAnotherModel(model: string, { models, baseUrl, atMs }: PriceQuery): boolean {
  const [responding] = models;
  if (responding === undefined || responding === model) return false;
  const place = { atMs, ...(baseUrl !== null && { baseUrl }) };
  const [served, named] = [findPrice({ ...place, model: responding }), findPrice({ ...place, model })];
  return served !== null && named !== null && served.row.model !== named.row.model;
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

/** Usage that the response does not show is not free. */
function withoutUnits(kinds: UsageKinds, { details, models }: PricedRequest): PricedUsage {
  const unmeasured = details?.unmeasured ?? null;
  if (unmeasured === null) return { kinds, nanos: 0n, unpriced: false, cost: null, price: null };
  const priced = withoutPrice(kinds, details);
  return priced.unpriced ? { ...priced, unpricedPart: { model: models[0] ?? '', units: { [unmeasured]: 0 } } } : priced;
}

/** Some providers state the amount in the response. It is the only source for a model that the list lacks. */
function withoutPrice(kinds: UsageKinds, details: UsageDetails | null): PricedUsage {
  const stated = details?.reportedCostNanoUsd ?? null;
  if (stated === null) return { kinds, nanos: null, unpriced: true, cost: null, price: null };
  return { kinds, nanos: BigInt(stated), unpriced: false, cost: null, price: 'provider' };
}

function priceIdentity({ operatorPriceId, listed }: AppliedPrice): string {
  if (operatorPriceId === null) return listed?.identity ?? '';
  return listed === null ? `operator ${operatorPriceId}` : `operator ${operatorPriceId} ${listed.identity}`;
}

function hasUnits({ units }: UsageKinds): boolean {
  for (const kind in units) if (kind !== 'requests') return true;
  return false;
}
