import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/config.js';
import { modelNotPriced, serviceUnavailable, usageNotMetered } from '../../platform/errors/error-factories.js';
import { GatewayError } from '../../platform/errors/gateway-error.js';
import { ASKED_MAX, type LimitClaim, type OverLimit, type ReservedClaim } from '../limit-claims.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import type { Reservation } from '../../platform/request-context/reservation.js';
import type { GatewayRouteSpec } from '../../platform/routes/route-spec.js';
import type { ActiveLimit } from './limit.js';
import { ApplicableLimits } from './applicable-limits.service.js';
import { outputTokensIn, type PossiblePrices } from './cost-bounds.service.js';
import { asksForReasoning } from './estimate/hidden-reasoning.service.js';
import { RequestEstimate, type EstimateLevel, type EstimateScope } from './estimate/request-estimate.js';
import { requireCountableResults } from './estimate/requested-output.rules.js';
import type { UsageKinds } from '../../costs/pricing/request-units.rules.js';
import type { RouteEstimate } from './estimate/route-estimates.data.js';
import { estimateOf, isMeteredRoute } from './estimate/route-estimates.js';
import { LimitMetrics } from './limit-metrics.service.js';
import { limitRejection } from './limit-rejection.rules.js';
import {
  LimitReservation,
  LimitSettlement,
  NothingReserved,
  isMetered,
  tokensUnder,
  type ClaimedAmounts,
  type ClaimedLimit,
  type ExpectedOutput,
  type RequestClaims,
} from './limit-reservation.js';

/** The time that a request spends on rereading the set. An import of many limits changes the set many times. */
const RECHECK_MS_MAX = 2000;
const NO_OUTPUT: ExpectedOutput = { choices: 0, models: [], asksForReasoning: false };

/**
 * Claims what a request can use under its limits, before admission. Without limits, it only compares the size of the set with 0.
 */
@Injectable()
export class RequestLimits {
  private noClaims: RequestClaims = { setVersion: -1, items: [], claimed: [], output: NO_OUTPUT };
  private nothingReserved: NothingReserved;

  constructor(
    private readonly limits: ApplicableLimits,
    private readonly settlement: LimitSettlement,
    private readonly metrics: LimitMetrics,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.nothingReserved = new NothingReserved(settlement, this.noClaims);
  }

  /** Null if the set has not been read yet, or if it rejects the request and must be read again before the rejection is final. */
  known(ctx: RequestContext): RequestClaims | null {
    if (this.limits.version < 0) return null;
    const claims = this.judged(ctx);
    return claims instanceof GatewayError ? null : claims;
  }

  /** Like `claimsOf`, but returns the error. */
  judged(ctx: RequestContext): RequestClaims | GatewayError {
    try {
      return this.claimsOf(ctx);
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
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
    return { setVersion: this.limits.version, items, claimed, output: outputOf(ctx, usage) };
  }

  reservationOf(claims: RequestClaims, reserved: readonly ReservedClaim[]): Reservation {
    if (claims.claimed.length > 0) return new LimitReservation(this.settlement, claims, reserved);
    return claims === this.noClaims ? this.nothingReserved : new NothingReserved(this.settlement, claims);
  }

  /** If the limit has been deleted since the rejection, a retry can succeed. */
  rejection(over: OverLimit, nowMs: number): GatewayError {
    const limit = this.limits.set.byId(over.limitId);
    if (limit === undefined) return serviceUnavailable();
    this.metrics.countRejection(limit);
    return limitRejection(limit, over, nowMs);
  }

  /** Reads the set again for one request, for at most 2 s. */
  rechecks(): { refresh(): Promise<void> } {
    const { set } = this.limits;
    const endsAtMs = performance.now() + RECHECK_MS_MAX;
    let reads = 0;
    return {
      refresh: async () => {
        // Two reads are always allowed, so that a stall of this process does not cause a rejection.
        reads += 1;
        if (reads > 2 && performance.now() > endsAtMs)
          throw serviceUnavailable(new Error('the limits changed repeatedly while the request was checked'));
        await set.refresh();
        if (set.version < 0) throw serviceUnavailable(new Error('the limits cannot be read'));
      },
    };
  }

  /** All requests without limits share one object, until the set changes. */
  private withoutClaims(): RequestClaims {
    const { version } = this.limits;
    if (this.noClaims.setVersion !== version) {
      this.noClaims = { ...this.noClaims, setVersion: version };
      this.nothingReserved = new NothingReserved(this.settlement, this.noClaims);
    }
    return this.noClaims;
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
      routeFallbacks: this.limits.fallbacksOf(model, api),
      outputExpected: this.settlement.outputs.expected(key!.id, model, outputDefault),
      outputDefault,
    });
    const call = { api, model, json: body.json, fallbacks: estimate.fallbacks };
    return new ExpectedUsage(estimate, () => this.settlement.bounds.of(call));
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
      if (unmetered && this.rejects(limit)) throw usageNotMetered(measure === 'cost' ? 'cost' : 'tokens');
      return null;
    }
    if (this.rejects(limit)) requireCountableResults(route as GatewayRouteSpec, body.json, this.config.validation);
    const amounts = usage.amountsUnder(limit);
    if (amounts !== null) return amounts;
    if (this.rejects(limit)) throw modelNotPriced(model !== null);
    return SINGLE;
  }

  private rejects({ mode, startsAtMs, endsAtMs }: ActiveLimit): boolean {
    const nowMs = this.clock.now();
    return (
      mode === 'enforce' && (startsAtMs === null || nowMs >= startsAtMs) && (endsAtMs === null || nowMs < endsAtMs)
    );
  }
}

function outputOf({ model, body }: RequestContext, usage: ExpectedUsage | null): ExpectedOutput {
  if (usage === null || usage.estimate.choices === 0) return NO_OUTPUT;
  const { otherModels } = usage.estimate;
  return {
    choices: usage.estimate.choices,
    models: model === null ? otherModels : [model, ...otherModels],
    asksForReasoning: asksForReasoning(body.json),
  };
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
  /** Nano-dollars. Null if there is no price. */
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
