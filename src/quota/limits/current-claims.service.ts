import { Injectable } from '@nestjs/common';
import { serviceUnavailable } from '../../platform/errors/error-factories.js';
import { GatewayError } from '../../platform/errors/gateway-error.js';
import type { OverLimit, ReservedClaim } from '../limit-claims.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import type { Reservation } from '../../platform/request-context/reservation.js';
import { LimitMetrics } from './limit-metrics.service.js';
import { limitRefusal } from './limit-refusal.rules.js';
import { LimitSet } from './limit-set.service.js';
import { RequestLimits, type RequestClaims } from './request-limits.service.js';

export type { RequestClaims } from './request-limits.service.js';

/** The time that a request spends on rereading the set. An import of many limits changes the set many times. */
const RECHECK_MS_MAX = 2000;

/** The claims of a request under the current set of limits, as the admission guard needs them. */
@Injectable()
export class CurrentClaims {
  constructor(
    private readonly requests: RequestLimits,
    private readonly set: LimitSet,
    private readonly metrics: LimitMetrics,
  ) {}

  /** Null if the set has not been read yet, or if it refuses the request and must be read again before the refusal is final. */
  known(ctx: RequestContext): RequestClaims | null {
    if (this.set.version < 0) return null;
    const claims = this.judged(ctx);
    return claims instanceof GatewayError ? null : claims;
  }

  /** Returns the refusal of a request that cannot be priced or metered. */
  judged(ctx: RequestContext): RequestClaims | GatewayError {
    try {
      return this.requests.claimsOf(ctx);
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  }

  reservationOf(claims: RequestClaims, reserved: readonly ReservedClaim[]): Reservation {
    return this.requests.reservationOf(claims, reserved);
  }

  /** If the limit has been deleted since the refusal, a retry can succeed. */
  refusal(over: OverLimit, nowMs: number): GatewayError {
    const limit = this.set.byId(over.limitId);
    if (limit === undefined) return serviceUnavailable();
    this.metrics.countRefusal(limit);
    return limitRefusal(limit, over, nowMs);
  }

  /** Reads the set again for one request, for at most 2 s. */
  rechecks(): { refresh(): Promise<void> } {
    const endsAtMs = performance.now() + RECHECK_MS_MAX;
    let reads = 0;
    return {
      refresh: async () => {
        // Two reads are always allowed, so that a stall of this process does not cause a refusal.
        reads += 1;
        if (reads > 2 && performance.now() > endsAtMs)
          throw serviceUnavailable(new Error('the limits changed repeatedly while the request was checked'));
        await this.set.refresh();
        if (this.set.version < 0) throw serviceUnavailable(new Error('the limits cannot be read'));
      },
    };
  }
}
