import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { keyStateRejection } from '../../keys/key-state.rules.js';
import { requestedModel } from '../../model-policy/model-gate.rules.js';
import { ModelGate } from '../../model-policy/model-gate.service.js';
import { Clock } from '../../platform/clock.js';
import { contextOf } from '../../platform/request-context/context.decorator.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { isModelName } from '../../platform/validation/model-name.rules.js';
import { RefusalRecheck } from './refusal-recheck.service.js';

// `RefusalRecheck` repeats these two stages with the current key before a rejection is final.

/** Second half of stage 3 (D1): checks the state of the caller's key. */
@Injectable()
export class KeyStateGuard implements CanActivate {
  constructor(
    private readonly clock: Clock,
    private readonly recheck: RefusalRecheck,
  ) {}

  /** Only a rejection waits for the store, because it can be based on an outdated state. */
  canActivate(host: ExecutionContext): true | Promise<true> {
    const ctx = contextOf(host);
    const rejection = ctx.key && keyStateRejection(ctx.key, this.clock.now());
    return rejection === null ? true : this.recheck.confirm(ctx, rejection);
  }
}

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
    const rejection = this.gate.judge(ctx);
    return rejection === null ? true : this.recheck.confirm(ctx, rejection);
  }
}
