import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { keyStateRejection } from '../../keys/key-state.rules.js';
import { Clock } from '../../platform/clock.js';
import { contextOf } from '../../platform/request-context/context.decorator.js';
import { RefusalRecheck } from './refusal-recheck.service.js';

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
