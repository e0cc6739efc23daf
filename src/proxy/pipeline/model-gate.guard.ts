import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { contextOf } from '../../platform/request-context/context.decorator.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { isModelName } from '../../platform/validation/model-name.rules.js';
import { requestedModel } from '../../model-policy/requested-model.rules.js';
import { ModelGate } from '../../model-policy/model-gate.service.js';
import { RefusalRecheck } from './refusal-recheck.service.js';

/** Stage 5 of D1: writes the requested model to the context and runs the model gate. Returns a promise only if it must wait. */
@Injectable()
export class ModelGateGuard implements CanActivate {
  constructor(
    private readonly gate: ModelGate,
    private readonly recheck: RefusalRecheck,
  ) {}

  canActivate(host: ExecutionContext): boolean | Promise<boolean> {
    const ctx = contextOf(host);
    const { route } = ctx;
    if (route?.kind !== 'gateway' || route.model === 'none') return true;
    const model = ctx.body.json === null ? undefined : requestedModel(ctx.body.json, route);
    if (isModelName(model)) ctx.model = model;
    return this.gate.ready ? this.judge(ctx) : this.gate.whenReady().then(() => this.judge(ctx));
  }

  private judge(ctx: RequestContext): boolean | Promise<boolean> {
    const refusal = this.gate.judge(ctx);
    return refusal === null ? true : this.recheck.confirm(ctx, refusal);
  }
}
