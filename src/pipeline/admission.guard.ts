import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { capacityExceeded, rateLimitExceeded, serviceUnavailable } from '../errors/catalogue.js';
import { Admission } from '../quota/admission.service.js';
import { InstanceCap } from '../quota/instance-cap.js';
import type { Verdict } from '../quota/verdict.rules.js';
import { contextOf } from '../request-context/context.decorator.js';
import type { RequestContext } from '../request-context/request-context.js';
import { RequestRecorder } from '../stats/request-recorder.service.js';
import { StaleKeys, RecheckLimit } from './stale-keys.service.js';

/** Stage 6: minute, day, month requests, month tokens. A request that passes it is counted, whatever comes later. */
@Injectable()
export class AdmissionGuard implements CanActivate {
  constructor(
    private readonly admission: Admission,
    private readonly staleKeys: StaleKeys,
    private readonly instanceCap: InstanceCap,
    private readonly recorder: RequestRecorder,
  ) {}

  canActivate(host: ExecutionContext): boolean | Promise<boolean> {
    const ctx = contextOf(host);
    if (ctx.route?.kind !== 'gateway') return true;
    if (ctx.route.quota === 'exempt') return this.readFigures(ctx);
    // What could not be recorded later must not be admitted now.
    if (!this.recorder.takes(ctx.key!.id))
      throw serviceUnavailable(new Error('no room to record the usage of this key'));
    const place = this.instanceCap.take();
    // Those that were judged with this one have taken the last places since stage 2.
    if (place === null) return this.staleKeys.confirm(ctx, capacityExceeded(this.instanceCap.secondsUntilRoom() ?? 1));
    return this.admission.admit(ctx.key!).then(
      (verdict) => (verdict.kind === 'admitted' ? this.accept(ctx, verdict) : this.judgeAgain(ctx, verdict, place)),
      (error: unknown) => {
        this.instanceCap.giveBack(place);
        throw error;
      },
    );
  }

  private accept(ctx: RequestContext, { figures }: Extract<Verdict, { kind: 'admitted' }>): true {
    ctx.figures = figures;
    ctx.admitted = true;
    if (ctx.response.abandoned) this.recorder.recordLate(ctx);
    return true;
  }

  /** @param place in the instance's cap, given back unless the request is admitted */
  private async judgeAgain(ctx: RequestContext, verdict: Verdict, place: number): Promise<true> {
    try {
      return await this.admitAgain(ctx, verdict);
    } finally {
      if (!ctx.admitted) this.instanceCap.giveBack(place);
    }
  }

  /** @throws GatewayError if a limit is reached, or if the current version of the key is refused */
  private async admitAgain(ctx: RequestContext, first: Verdict): Promise<true> {
    const limit = new RecheckLimit();
    for (let verdict = first; ; verdict = await this.admission.admit(ctx.key!)) {
      if (verdict.kind === 'admitted') return this.accept(ctx, verdict);
      if (verdict.kind === 'refused') {
        ctx.figures = verdict.figures;
        throw rateLimitExceeded(verdict.limit, verdict.retryAfterSeconds);
      }
      limit.spend();
      const refusal = await this.staleKeys.judgeAgain(ctx);
      if (refusal !== null) await this.staleKeys.confirm(ctx, refusal);
    }
  }

  /** An exempt route is not counted, but its key must be current (D3), and its response shows the figures (D4). */
  private async readFigures(ctx: RequestContext): Promise<boolean> {
    const limit = new RecheckLimit();
    for (;;) {
      limit.spend();
      if (await this.staleKeys.isCurrent(ctx)) return true;
      const refusal = await this.staleKeys.judgeAgain(ctx);
      if (refusal !== null) await this.staleKeys.confirm(ctx, refusal);
    }
  }
}
