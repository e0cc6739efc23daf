import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { capacityExceeded, rateLimitExceeded, serviceUnavailable } from '../../platform/errors/error-factories.js';
import type { RequestClaims } from '../../quota/limits/limit-reservation.js';
import { RequestLimits } from '../../quota/limits/request-limits.service.js';
import { Admission } from '../../quota/admission.service.js';
import { InstanceCap } from '../../quota/instance-cap.js';
import type { Verdict } from '../../quota/verdict.rules.js';
import { contextOf } from '../../platform/request-context/context.decorator.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { RequestRecorder } from '../../stats/request-recorder.service.js';
import { RefusalRecheck, RecheckLimit } from './refusal-recheck.service.js';

type Admitted = Extract<Verdict, { kind: 'admitted' }>;

/**
 * Stage 6: rate limits and monthly quotas of the key, and the limits of its account, team and tags. An admitted request is counted even if a
 * later stage rejects it.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  constructor(
    private readonly admission: Admission,
    private readonly recheck: RefusalRecheck,
    private readonly instanceCap: InstanceCap,
    private readonly recorder: RequestRecorder,
    private readonly claims: RequestLimits,
  ) {}

  canActivate(host: ExecutionContext): boolean | Promise<boolean> {
    const ctx = contextOf(host);
    if (ctx.route?.kind !== 'gateway') return true;
    if (ctx.route.quota === 'exempt') return this.readFigures(ctx);
    // A request whose usage cannot be recorded must not be admitted.
    if (!this.recorder.takes(ctx.key!.id))
      throw serviceUnavailable(new Error('no room to record the usage of this key'));
    const place = this.instanceCap.take();
    if (place === null) return this.recheck.confirm(ctx, capacityExceeded(this.instanceCap.secondsUntilRoom() ?? 1));
    const claims = this.claims.known(ctx);
    if (claims === null) return this.admitAfter(ctx, { kind: 'stale-limits' }, place);
    return this.admission.admit(ctx.key!, claims).then(
      (verdict) =>
        verdict.kind === 'admitted' ? this.accept(ctx, claims, verdict) : this.admitAfter(ctx, verdict, place),
      (error: unknown) => {
        this.instanceCap.release(place);
        throw error;
      },
    );
  }

  private accept(ctx: RequestContext, claims: RequestClaims, { figures, reserved }: Admitted): true {
    ctx.figures = figures;
    ctx.admitted = true;
    ctx.reservation = this.claims.reservationOf(claims, reserved ?? []);
    if (ctx.response.abandoned) this.recorder.recordLate(ctx);
    return true;
  }

  private async admitAfter(ctx: RequestContext, verdict: Verdict, place: number): Promise<true> {
    try {
      return await this.admitAgain(ctx, verdict);
    } finally {
      if (!ctx.admitted) this.instanceCap.release(place);
    }
  }

  private async admitAgain(ctx: RequestContext, first: Verdict): Promise<true> {
    const [keys, limits] = [new RecheckLimit(), this.claims.rechecks()];
    let settled = false;
    for (let verdict = first; ;) {
      if (verdict.kind === 'rejected') {
        ctx.figures = verdict.figures;
        throw rateLimitExceeded(verdict.limit, verdict.retryAfterSeconds);
      }
      if (verdict.kind === 'over-limit') {
        ctx.figures = verdict.figures;
        if (settled || !this.admission.isSettling(verdict.over))
          throw this.claims.rejection(verdict.over, verdict.figures.nowMs);
        // Waits for settlements once, because a client can send its next request before the end of the previous one is stored.
        settled = true;
        await this.admission.settled();
      } else if (verdict.kind === 'stale-limits') await limits.refresh();
      else {
        keys.spend();
        const rejection = await this.recheck.judgeAgain(ctx);
        if (rejection !== null) await this.recheck.confirm(ctx, rejection);
      }
      const claims = await this.claimsOf(ctx);
      verdict = await this.admission.admit(ctx.key!, claims);
      if (verdict.kind === 'admitted') return this.accept(ctx, claims, verdict);
    }
  }

  /** Computes the claims of a request. A rejection counts only if it is confirmed for the current key. */
  private async claimsOf(ctx: RequestContext): Promise<RequestClaims> {
    for (;;) {
      const claims = this.claims.judged(ctx);
      if (!(claims instanceof Error)) return claims;
      await this.recheck.confirm(ctx, claims);
    }
  }

  /** Handles routes that are not counted. The key must be current (D3), and the response shows its usage (D4). */
  private async readFigures(ctx: RequestContext): Promise<boolean> {
    const limit = new RecheckLimit();
    for (;;) {
      limit.spend();
      if (await this.recheck.readIfCurrent(ctx)) return true;
      const rejection = await this.recheck.judgeAgain(ctx);
      if (rejection !== null) await this.recheck.confirm(ctx, rejection);
    }
  }
}
