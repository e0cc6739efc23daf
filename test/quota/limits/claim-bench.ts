import { Clock } from '../../../src/platform/clock.js';
import { Config } from '../../../src/platform/config/config.js';
import type { ActiveLimit } from '../../../src/quota/limits/limit.js';
import type { ApplicableLimits } from '../../../src/quota/limits/applicable-limits.service.js';
import type { CostBounds } from '../../../src/quota/limits/cost-bounds.service.js';
import { HiddenReasoning } from '../../../src/quota/limits/estimate/hidden-reasoning.service.js';
import type { LimitMetrics } from '../../../src/quota/limits/limit-metrics.service.js';
import { LimitSettlement } from '../../../src/quota/limits/limit-reservation.js';
import { RequestLimits } from '../../../src/quota/limits/request-limits.service.js';
import { ModelRegistry } from '../../../src/model-policy/registry/model-registry.js';
import type { Admission } from '../../../src/quota/admission.service.js';
import type { LimitCharge, ReservedClaim } from '../../../src/quota/limit-claims.js';
import type { KeySnapshot } from '../../../src/platform/request-context/key-snapshot.js';
import { RequestContext } from '../../../src/platform/request-context/request-context.js';
import type { ActualUsage } from '../../../src/platform/request-context/reservation.js';
import type { GatewayRouteSpec } from '../../../src/platform/routes/route-spec.js';
import { activeLimit } from '../../support/active-limits.js';

const KEY = { id: 'key-1' } as KeySnapshot;
const ADMITTED_AT_MS = 1_800_000_000_000.5;
const PERIOD = 1_700_000_000_000_000;

/** `RequestLimits` with a given set of limits and prices, and a ledger that keeps what it gets. */
export class ClaimBench {
  version = 5;
  limits: readonly ActiveLimit[];
  price: number | null = 2_000_000;
  assumed: number | null = null;
  /** How often a price was computed. */
  priced = 0;
  readonly settled: (readonly [limitId: number, asked: number, spent: number])[] = [];
  readonly charged: LimitCharge[] = [];
  readonly requests: RequestLimits;

  constructor(...limits: readonly Partial<ActiveLimit>[]) {
    this.limits = limits.map((limit, at) => activeLimit({ id: at + 1, ...limit }));
    const applicable = Object.defineProperty({ of: () => this.limits, fallbacksOf: () => [] }, 'version', {
      get: () => this.version,
    }) as unknown as ApplicableLimits;
    const priceOf = () => {
      this.priced += 1;
      return this.price;
    };
    const prices = { highestCostOf: priceOf };
    const bounds = { of: () => prices, assumed: () => this.assumed } as unknown as CostBounds;
    const ledger = {
      settle: (claims: readonly ReservedClaim[], spent: readonly number[]) =>
        claims.forEach(({ limitId, asked }, at) => this.settled.push([limitId, asked, spent[at]!])),
      charge: (charges: readonly LimitCharge[]) => this.charged.push(...charges),
    } as unknown as Admission;
    const reasoning = new HiddenReasoning(new ModelRegistry());
    const metrics = { countRejection: () => undefined } as unknown as LimitMetrics;
    const settlement = new LimitSettlement(applicable, ledger, bounds, reasoning);
    this.requests = new RequestLimits(applicable, settlement, metrics, new Clock(), Config.from({}));
  }

  claims(ctx = contextOf()) {
    return this.requests.claimsOf(ctx).items.map(({ asked, holds }) => [asked, holds]);
  }

  /** Admits the request as the store does: every claim in its own period. */
  admit(ctx = contextOf()) {
    const claims = this.requests.claimsOf(ctx);
    const reserved = claims.items.map((claim) => ({ ...claim, period: PERIOD, servedAtUs: null }));
    ctx.reservation = this.requests.reservationOf(claims, reserved);
    return ctx.reservation;
  }
}

export const CHAT = { endpoint: '/v1/chat/completions', usage: 'chat', api: 'openai' } as const;

export function contextOf(
  route: Partial<GatewayRouteSpec> = CHAT,
  json: object = { max_tokens: 100 },
  method = 'POST',
) {
  const ctx = new RequestContext('request-1', method);
  ctx.route = { kind: 'gateway', body: 'json', bodyBytesMax: 1, model: 'gated', quota: 'counted', ...CHAT, ...route };
  ctx.key = KEY;
  ctx.model = 'gpt-4o';
  ctx.body.json = json as Record<string, unknown>;
  ctx.body.bytes = Buffer.alloc(1000);
  ctx.figures = { nowMs: ADMITTED_AT_MS } as RequestContext['figures'];
  return ctx;
}

export const used = (changes: Partial<ActualUsage> = {}): ActualUsage => ({
  units: { input: 300, cached_input: 100, cache_write_1h: 10, output: 50, requests: 1 },
  costNanodollars: 12_345n,
  hasUnpricedUsage: false,
  proof: 'reported',
  choices: 1,
  ...changes,
});
