import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { capacityExceeded } from '../errors/catalogue.js';
import { routeSpecOf } from '../routes/route-spec.js';
import { InstanceCap } from './instance-cap.js';

/** Stage 2 (D1): 503 `capacity_exceeded` on routes that count. It only reads: what is refused later counts nowhere. */
@Injectable()
export class InstanceCapGuard implements CanActivate {
  constructor(private readonly cap: InstanceCap) {}

  canActivate(context: ExecutionContext): true {
    const spec = routeSpecOf(context.getHandler());
    if (spec?.kind !== 'gateway' || spec.quota === 'exempt') return true;
    const seconds = this.cap.secondsUntilRoom();
    if (seconds !== null) throw capacityExceeded(seconds);
    return true;
  }
}
