import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { modelNotPriced, usageNotMetered } from '../errors/error-factories.js';
import { Admission } from '../quota/admission.service.js';
import { ASKED_MAX, type LimitClaim, type LimitClaims, type ReservedClaim } from '../quota/limit-claims.js';
import type { RequestContext } from '../request-context/request-context.js';
import type { Reservation } from '../request-context/reservation.js';
import type { GatewayRouteSpec } from '../routes/route-spec.js';
import type { ActiveLimit } from './limit.js';
import { ApplicableLimits } from './applicable-limits.service.js';
import { CostBounds, outputTokensIn } from './cost-bounds.service.js';
import { RequestEstimate, type EstimateLevel } from './estimate/request-estimate.js';
import type { RouteEstimate } from './estimate/route-estimates.data.js';
import { estimateOf, isMeteredRoute } from './estimate/route-estimates.js';
import { TypicalOutputs } from './estimate/typical-outputs.js';
import {
  LimitReservation,
  NothingReserved,
  isMetered,
  tokensUnder,
  type ClaimedLimit,
  type Settlement,
} from './limit-reservation.js';

/** The claims of one request, with what `reservationOf` needs. */
export interface RequestClaims extends LimitClaims {
  readonly claimed: readonly ClaimedLimit[];
  /** The number of responses that the provider generates. 0 if the output is not recorded. */
  readonly choices: number;
}

/** The estimate of one request, with its costs as soon as a limit needs them. */
interface ExpectedUsage {
  readonly estimate: RequestEstimate;
  /** Nano-dollars. Null without a price. */
  readonly costs: Map<EstimateLevel, number | null>;
}

/**
 * Computes the claims of a request before its admission, and the amounts that replace them when it ends. Without limits, it only
 * compares the size of the set with 0.
 */
@Injectable()
export class RequestLimits {
  private readonly outputs = new TypicalOutputs();
  private readonly settlement: Settlement;
  private none: RequestClaims = { setVersion: -1, items: [], claimed: [], choices: 0 };
  private nothing: NothingReserved;

  constructor(
    private readonly limits: ApplicableLimits,
    private readonly bounds: CostBounds,
    ledger: Admission,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.settlement = { limits, bounds, ledger, outputs: this.outputs };
    this.nothing = new NothingReserved(this.settlement, -1);
  }

  /**
   * Claims requests and concurrent requests for every counted route, and tokens and cost for routes that use them.
   *
   * @throws GatewayError `model_not_priced` or `usage_not_metered`, if an enforced token or cost limit cannot count the request
   */
  claimsOf(ctx: RequestContext): RequestClaims {
    const { route } = ctx;
    const limits = this.limits.of(ctx);
    if (limits.length === 0 || route?.kind !== 'gateway') return this.withoutClaims();
    const kind = estimateOf(route, ctx.method);
    const usage = limits.some(isMetered) ? this.usageOf(ctx, kind) : null;
    const items: LimitClaim[] = [];
    const claimed: ClaimedLimit[] = [];
    for (const limit of limits) {
      const expected = isMetered(limit) ? this.expectedUnder(limit, ctx, kind, usage) : 1;
      if (expected === null) continue;
      claimed.push({ limit, expected });
      const asked = limit.reserve === 'none' ? 1 : expected;
      items.push({ limitId: limit.id, asked, holds: limit.measure !== 'requests' });
    }
    return { setVersion: this.limits.version, items, claimed, choices: usage?.estimate.choices ?? 0 };
  }

  /** @param reserved what admission reserved for these claims */
  reservationOf({ setVersion, claimed, choices }: RequestClaims, reserved: readonly ReservedClaim[]): Reservation {
    if (claimed.length > 0) return new LimitReservation(this.settlement, setVersion, claimed, reserved, choices);
    if (this.none.setVersion === setVersion) return this.nothing;
    return new NothingReserved(this.settlement, setVersion);
  }

  private withoutClaims(): RequestClaims {
    const { version } = this.limits;
    if (this.none.setVersion !== version) {
      this.none = { ...this.none, setVersion: version };
      this.nothing = new NothingReserved(this.settlement, version);
    }
    return this.none;
  }

  private usageOf({ key, model, route, body }: RequestContext, kind: RouteEstimate | null): ExpectedUsage | null {
    if (kind === null || !isMeteredRoute(kind)) return null;
    const { limitDefaultOutput: outputDefault } = this.config;
    const outputExpected = this.outputs.expected(key!.id, model, outputDefault);
    const { endpoint } = route as GatewayRouteSpec;
    const estimate = new RequestEstimate({
      ...{ kind, endpoint, json: body.json, body: body.bytes, model, outputExpected, outputDefault },
    });
    return { estimate, costs: new Map() };
  }

  /** The expected usage in the unit of the limit, from 1 to `ASKED_MAX`. Null if the request claims nothing under it. */
  private expectedUnder(
    limit: ActiveLimit,
    ctx: RequestContext,
    kind: RouteEstimate | null,
    usage: ExpectedUsage | null,
  ): number | null {
    const { measure } = limit;
    if (usage === null) {
      const unmetered = kind !== null && (kind === 'unmetered' || measure === 'cost');
      if (unmetered && this.refuses(limit)) throw usageNotMetered(measure === 'cost' ? 'cost' : 'tokens');
      return null;
    }
    const level = limit.reserve === 'full' ? 'full' : 'typical';
    if (measure !== 'cost') return claimable(tokensExpected(limit, usage.estimate, level));
    const nanos = this.costOf(ctx, usage, level);
    if (nanos === null && this.refuses(limit)) throw modelNotPriced(ctx.model !== null);
    return claimable(nanos ?? 1);
  }

  private costOf({ route, model, body }: RequestContext, usage: ExpectedUsage, level: EstimateLevel): number | null {
    const { estimate, costs } = usage;
    const known = costs.get(level);
    if (known !== undefined) return known;
    const { api } = route as GatewayRouteSpec;
    const { fallbacks } = estimate;
    const nanos = this.bounds.of({ api, model, json: body.json, fallbacks }, estimate.of(level));
    costs.set(level, nanos);
    return nanos;
  }

  private refuses({ mode, startsAtMs, endsAtMs }: ActiveLimit): boolean {
    const nowMs = this.clock.now();
    return (
      mode === 'enforce' && (startsAtMs === null || nowMs >= startsAtMs) && (endsAtMs === null || nowMs < endsAtMs)
    );
  }
}

/** An invalid number becomes the largest claim, so that it cannot count as a small one. */
const claimable = (units: number): number => (units <= ASKED_MAX ? Math.max(1, Math.ceil(units)) : ASKED_MAX);

/** With `full`, all input can turn out to be cached. */
function tokensExpected(limit: ActiveLimit, usage: RequestEstimate, level: EstimateLevel): number {
  const { units, inputTokens } = usage.of(level);
  const { measure, weights } = limit;
  if (level === 'typical' || weights === null || measure === 'output_tokens') return tokensUnder(limit, units);
  const input = inputTokens * Math.max(1, weights.cachedInput, weights.cacheWrite);
  return measure === 'input_tokens' ? input : input + outputTokensIn(units);
}
