import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { capacityExceeded } from '../errors/catalogue.js';
import { contextOf } from '../request-context/context.decorator.js';
import { InstanceCap } from './instance-cap.js';

/** Stage 2 (D1): 503 `capacity_exceeded` on routes that count. It only reads: what is refused later counts nowhere. */
@Injectable()
export class InstanceCapGuard implements CanActivate {
  constructor(private readonly cap: InstanceCap) {}

  canActivate(host: ExecutionContext): true {
    const { route } = contextOf(host);
    if (route?.kind !== 'gateway' || route.quota === 'exempt') return true;
    const seconds = this.cap.secondsUntilRoom();
    if (seconds !== null) throw capacityExceeded(seconds);
    return true;
  }
}
