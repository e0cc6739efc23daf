import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { rateLimitExceeded, serviceUnavailable } from '../errors/catalogue.js';
import { Admission } from '../quota/admission.service.js';
import { InstanceCap } from '../quota/instance-cap.js';
import type { Verdict } from '../quota/verdict.js';
import { contextOf } from '../request-context/context.decorator.js';
import type { RequestContext } from '../request-context/request-context.js';
import { RequestRecorder } from '../stats/request-recorder.service.js';
import { Reevaluation, Patience } from './reevaluation.service.js';

/** Stage 6: minute, day, month requests, month tokens. A request that passes it is counted, whatever comes later. */
@Injectable()
export class AdmissionGuard implements CanActivate {
  constructor(
    private readonly admission: Admission,
    private readonly reevaluation: Reevaluation,
    private readonly instanceCap: InstanceCap,
    private readonly recorder: RequestRecorder,
  ) {}

  canActivate(host: ExecutionContext): boolean | Promise<boolean> {
    const ctx = contextOf(host);
    if (ctx.route?.kind !== 'gateway') return true;
    if (ctx.route.quota === 'exempt') return this.look(ctx);
    // What could not be recorded later must not be admitted now.
    if (!this.recorder.takes(ctx.key!.id))
      throw serviceUnavailable(new Error('no room to record the usage of this key'));
    return this.admission.admit(ctx.key!).then((verdict) => this.carryOut(ctx, verdict));
  }

  private carryOut(ctx: RequestContext, verdict: Verdict): boolean | Promise<boolean> {
    switch (verdict.kind) {
      case 'admitted':
        ctx.figures = verdict.figures;
        ctx.admitted = true;
        this.instanceCap.count();
        if (ctx.abandoned) this.recorder.recordLate(ctx);
        return true;
      case 'refused':
        ctx.figures = verdict.figures;
        throw rateLimitExceeded(verdict.limit, verdict.retryAfterSeconds);
      case 'stale':
      case 'unknown':
        return this.admitAnew(ctx);
      default:
        return verdict satisfies never;
    }
  }

  private async admitAnew(ctx: RequestContext): Promise<boolean> {
    const patience = new Patience();
    for (;;) {
      patience.spend();
      const refusal = await this.reevaluation.judgeAnew(ctx);
      if (refusal !== null) await this.reevaluation.confirm(ctx, refusal);
      const verdict = await this.admission.admit(ctx.key!);
      if (verdict.kind !== 'stale' && verdict.kind !== 'unknown') return this.carryOut(ctx, verdict);
    }
  }

  /** An exempt route counts nothing, yet its key must be the current one (D3), and its answer shows the figures (D4). */
  private async look(ctx: RequestContext): Promise<boolean> {
    const patience = new Patience();
    for (;;) {
      patience.spend();
      const look = await this.admission.look(ctx.key!);
      if (look !== null && look.version === ctx.key!.version) {
        ctx.figures = look.figures;
        return true;
      }
      const refusal = await this.reevaluation.judgeAnew(ctx);
      if (refusal !== null) await this.reevaluation.confirm(ctx, refusal);
    }
  }
}
