import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/config.js';
import { modelNotPriced, usageNotMetered } from '../../platform/errors/error-factories.js';
import { ASKED_MAX, type LimitClaim, type LimitClaims, type ReservedClaim } from '../limit-claims.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import type { Reservation } from '../../platform/request-context/reservation.js';
import type { GatewayRouteSpec } from '../../platform/routes/route-spec.js';
import type { ActiveLimit } from './limit.js';
import { ApplicableLimits } from './applicable-limits.service.js';
import { CostBounds, outputTokensIn, type PossiblePrices } from './cost-bounds.service.js';
import { asksForReasoning } from './estimate/hidden-reasoning.service.js';
import { RequestEstimate, type EstimateLevel, type EstimateScope } from './estimate/request-estimate.js';
import { requireCountableResults } from './estimate/requested-output.rules.js';
import type { UsageKinds } from '../../costs/pricing/request-units.rules.js';
import type { RouteEstimate } from './estimate/route-estimates.data.js';
import { estimateOf, isMeteredRoute } from './estimate/route-estimates.js';
import {
  LimitReservation,
  LimitSettlement,
  NothingReserved,
  isMetered,
  tokensUnder,
  type ClaimedAmounts,
  type ClaimedLimit,
  type ExpectedOutput,
} from './limit-reservation.js';

/** The claims of one request, with what `reservationOf` needs. */
export interface RequestClaims extends LimitClaims {
  readonly claimed: readonly ClaimedLimit[];
  readonly output: ExpectedOutput;
}

const NO_OUTPUT: ExpectedOutput = { choices: 0, models: [], asksForReasoning: false };

/**
 * Computes the claims of a request before its admission, and the amounts that replace them when it ends. Without limits, it only
 * compares the size of the set with 0.
 */
@Injectable()
export class RequestLimits {
  private none: RequestClaims = { setVersion: -1, items: [], claimed: [], output: NO_OUTPUT };
  private nothing: NothingReserved;

  constructor(
    private readonly limits: ApplicableLimits,
    private readonly bounds: CostBounds,
    private readonly settlement: LimitSettlement,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.nothing = new NothingReserved(settlement, -1);
  }

  /**
   * Claims requests and concurrent requests for every counted route, and tokens and cost for routes that use them.
   *
   * @throws GatewayError `model_not_priced` or `usage_not_metered`, if an enforced token or cost limit cannot count the request, or
   *   `invalid_value`, if parsers could read its body differently
   */
  claimsOf(ctx: RequestContext): RequestClaims {
    const { route } = ctx;
    const limits = this.limits.of(ctx);
    if (limits.length === 0 || route?.kind !== 'gateway') return this.withoutClaims();
    if (ctx.body.ambiguity !== null) throw ctx.body.ambiguity;
    const kind = estimateOf(route, ctx.method);
    const usage = limits.some(isMetered) ? this.usageOf(ctx, kind) : null;
    const items: LimitClaim[] = [];
    const claimed: ClaimedLimit[] = [];
    for (const limit of limits) {
      const amounts = isMetered(limit) ? this.amountsUnder(limit, ctx, kind, usage) : SINGLE;
      if (amounts === null) continue;
      claimed.push({ limit, amounts });
      // A request that cannot cost anything fits into a limit that is used up.
      if (amounts.most === 0) continue;
      items.push({ limitId: limit.id, ...reservedUnder(limit, amounts), holds: limit.measure !== 'requests' });
    }
    return { setVersion: this.limits.version, items, claimed, output: this.outputOf(ctx, usage) };
  }

  /** @param reserved what admission reserved for these claims */
  reservationOf({ setVersion, claimed, output }: RequestClaims, reserved: readonly ReservedClaim[]): Reservation {
    if (claimed.length > 0) return new LimitReservation(this.settlement, setVersion, claimed, reserved, output);
    if (this.none.setVersion === setVersion) return this.nothing;
    return new NothingReserved(this.settlement, setVersion);
  }

  private outputOf({ model, body }: RequestContext, usage: ExpectedUsage | null): ExpectedOutput {
    if (usage === null || usage.estimate.choices === 0) return NO_OUTPUT;
    const { names } = usage.estimate.fallbacks;
    return {
      choices: usage.estimate.choices,
      models: model === null ? names : [model, ...names],
      asksForReasoning: asksForReasoning(body.json),
    };
  }

  private withoutClaims(): RequestClaims {
    const { version } = this.limits;
    if (this.none.setVersion !== version) {
      this.none = { ...this.none, setVersion: version };
      this.nothing = new NothingReserved(this.settlement, version);
    }
    return this.none;
  }

  private usageOf(ctx: RequestContext, kind: RouteEstimate | null): ExpectedUsage | null {
    if (kind === null || !isMeteredRoute(kind)) return null;
    const { key, model, route, body } = ctx;
    const { endpoint, api } = route as GatewayRouteSpec;
    const { limitDefaultOutput: outputDefault } = this.config;
    const estimate = new RequestEstimate({
      kind,
      endpoint,
      json: body.json,
      body: body.bytes,
      model,
      outputExpected: this.settlement.outputs.expected(key!.id, model, outputDefault),
      outputDefault,
    });
    const call = { api, model, json: body.json, fallbacks: estimate.fallbacks };
    return new ExpectedUsage(estimate, () => this.bounds.of(call));
  }

  /** The amounts in the unit of the limit. Null if the request claims nothing under it. */
  private amountsUnder(
    limit: ActiveLimit,
    { model, body, route }: RequestContext,
    kind: RouteEstimate | null,
    usage: ExpectedUsage | null,
  ): ClaimedAmounts | null {
    const { measure } = limit;
    if (usage === null) {
      const unmetered = kind !== null && (kind === 'unmetered' || measure === 'cost');
      if (unmetered && this.refuses(limit)) throw usageNotMetered(measure === 'cost' ? 'cost' : 'tokens');
      return null;
    }
    if (this.refuses(limit)) requireCountableResults(route as GatewayRouteSpec, body.json, this.config.validation);
    const amounts = usage.amountsUnder(limit);
    if (amounts !== null) return amounts;
    if (this.refuses(limit)) throw modelNotPriced(model !== null);
    return SINGLE;
  }

  private refuses({ mode, startsAtMs, endsAtMs }: ActiveLimit): boolean {
    const nowMs = this.clock.now();
    return (
      mode === 'enforce' && (startsAtMs === null || nowMs >= startsAtMs) && (endsAtMs === null || nowMs < endsAtMs)
    );
  }
}

/** With `typical` estimates, the request can exceed what it reserves. With `none`, the operator has accepted that any request can. */
function reservedUnder(
  { reserve }: ActiveLimit,
  { expected, most }: ClaimedAmounts,
): Pick<LimitClaim, 'asked' | 'overdraft'> {
  if (reserve === 'none') return { asked: 1, overdraft: 0 };
  return { asked: expected, overdraft: most - expected };
}

/** The amounts of a request under limits of requests, and where nothing better is known. */
const SINGLE: ClaimedAmounts = { expected: 1, typicalOfOne: 1, most: 1, mostOfOne: 1 };

/** The estimate of one request, with its costs as soon as a limit needs them. */
class ExpectedUsage {
  private prices: PossiblePrices | null | undefined;
  /** Nano-dollars. Null without a price. */
  private readonly costs = new Map<UsageKinds, number | null>();

  constructor(
    readonly estimate: RequestEstimate,
    private readonly findPrices: () => PossiblePrices | null,
  ) {}

  /** Null if the request has no price under a limit of cost. */
  amountsUnder(limit: ActiveLimit): ClaimedAmounts | null {
    const level = limit.reserve === 'full' ? 'full' : 'typical';
    const typicalOfOne = this.amountOf(limit, 'typical', 'one');
    const most = this.amountOf(limit, 'full', 'all');
    if (typicalOfOne === null || most === null) return null;
    if (most === 0) return FREE;
    const expected = claimable(this.amountOf(limit, level, 'all')!);
    return {
      expected,
      typicalOfOne: claimable(typicalOfOne),
      most: Math.max(expected, claimable(most)),
      mostOfOne: claimable(this.amountOf(limit, 'full', 'one')!),
    };
  }

  private amountOf(limit: ActiveLimit, level: EstimateLevel, scope: EstimateScope): number | null {
    const usage = this.estimate.of(level, scope);
    return limit.measure === 'cost' ? this.costOf(usage) : tokensExpected(limit, usage, level);
  }

  private costOf(usage: UsageKinds): number | null {
    let cost = this.costs.get(usage);
    if (cost === undefined) {
      if (this.prices === undefined) this.prices = this.findPrices();
      cost = this.prices?.highestCostOf(usage) ?? null;
      this.costs.set(usage, cost);
    }
    return cost;
  }
}

/** No price of the model is above 0. */
const FREE: ClaimedAmounts = { expected: 0, typicalOfOne: 0, most: 0, mostOfOne: 0 };

/** An invalid number becomes the largest claim, so that it cannot count as a small one. */
const claimable = (units: number): number => (units <= ASKED_MAX ? Math.max(1, Math.ceil(units)) : ASKED_MAX);

/** With `full`, all input can turn out to be cached. */
function tokensExpected(limit: ActiveLimit, { units, inputTokens }: UsageKinds, level: EstimateLevel): number {
  const { measure, weights } = limit;
  if (level === 'typical' || weights === null || measure === 'output_tokens') return tokensUnder(limit, units);
  const input = inputTokens * Math.max(1, weights.cachedInput, weights.cacheWrite);
  return measure === 'input_tokens' ? input : input + outputTokensIn(units);
}
