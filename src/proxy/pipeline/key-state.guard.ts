import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { contextOf } from '../../platform/request-context/context.decorator.js';
import { keyStateRefusal } from '../../keys/key-state.rules.js';
import { RefusalRecheck } from './refusal-recheck.service.js';

/** Stage 3, second half (D1). Requests without an API key pass. */
@Injectable()
export class KeyStateGuard implements CanActivate {
  constructor(
    private readonly clock: Clock,
    private readonly recheck: RefusalRecheck,
  ) {}

  /** Only a refusal waits for the store, because it can be based on an outdated state. */
  canActivate(host: ExecutionContext): true | Promise<true> {
    const ctx = contextOf(host);
    const refusal = ctx.key && keyStateRefusal(ctx.key, this.clock.now());
    return refusal === null ? true : this.recheck.confirm(ctx, refusal);
  }
}
