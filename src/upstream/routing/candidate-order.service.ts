import { Injectable } from '@nestjs/common';
import { AppliedPrices } from '../../costs/applied-price.service.js';
import { costOf } from '../../costs/pricing/request-cost.rules.js';
import { kindsOf } from '../../costs/pricing/request-units.rules.js';
import type { Candidate, ModelCandidates } from '../../model-policy/upstream-candidates.service.js';
import { Clock } from '../../platform/clock.js';
import type { TokenUsage } from '../../platform/request-context/token-usage.js';
import type { RequestKind } from '../request-kind.rules.js';
import type { Upstream } from '../upstream.js';
import { orderCandidates, type Ranking } from './candidate-order.rules.js';
import { UpstreamDrains } from './upstream-drains.service.js';

/** The usage whose cost is compared. Most requests have several times more input than output. */
const COMPARED: TokenUsage = { inputTokens: 3_000, outputTokens: 1_000, provenance: 'reported' };

/** Orders the candidates of a request by the strategy of its route, and by the state of each upstream. */
@Injectable()
export class CandidateOrder {
  constructor(
    private readonly prices: AppliedPrices,
    private readonly clock: Clock,
    private readonly drains: UpstreamDrains,
  ) {}

  /**
   * @param stickyKey as in `OrderInputs`. Computed only if there is a choice
   * @param ofObject the request names an object that a draining upstream might hold, so draining upstreams come last
   * @returns none if all candidates are draining
   */
  of(
    { candidates, strategy }: ModelCandidates,
    kind: RequestKind,
    stickyKey: () => string | null,
    ofObject: boolean,
  ): readonly Candidate[] {
    const isOpen = ({ upstream }: Candidate) => !upstream.isNamed || this.drains.of(upstream.name) === undefined;
    if (candidates.length === 1 && isOpen(candidates[0]!)) return candidates;
    const open = orderCandidates(candidates.filter(isOpen), {
      stickyKey: stickyKey(),
      ranking: this.rankingOf(strategy),
      shareOf: ({ upstream, model }) => upstream.pressure.shareOf(model, kind),
      statusOf: ({ upstream, model }) => upstream.pressure.statusOf(model, kind),
      isBlocked: ({ upstream }) => upstream.breaker.blocking || isBusy(upstream),
      random: Math.random,
    });
    return ofObject ? [...open, ...candidates.filter((candidate) => !isOpen(candidate))] : open;
  }

  private rankingOf(strategy: ModelCandidates['strategy']): Ranking | null {
    switch (strategy) {
      case 'order':
      case 'weight':
        return null;
      case 'latency':
        return { of: ({ upstream, model }) => upstream.history.latencies.of(model), explores: true };
      case 'price': {
        const atMs = this.clock.now();
        return { of: (candidate) => this.priceOf(candidate, atMs), explores: false };
      }
      default:
        return strategy satisfies never;
    }
  }

  /** In nano-dollars, with the price that the request's cost would be computed with. Null without a price. */
  private priceOf({ upstream: { name, baseUrl }, model, requested }: Candidate, atMs: number): number | null {
    const models = [...new Set([model, requested])];
    const price = this.prices.priceOf({ provider: name, baseUrl, models, atMs });
    if (price === null) return null;
    const { nanos } = costOf(kindsOf(COMPARED, null), price.row, { serviceTier: null, region: price.region });
    return nanos === null ? null : Number(nanos);
  }
}

/** Whether a request would have to wait for a connection. */
const isBusy = ({ permits }: Upstream): boolean => permits.free === 0 || permits.waiting > 0;
