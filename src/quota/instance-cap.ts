import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { capacityExceeded } from '../errors/catalogue.js';
import { contextOf } from '../request-context/context.decorator.js';
import { monthOf, monthResetsAtMs, secondsUntil } from './windows.js';

/**
 * A safety limit on the requests that this instance admits in a UTC month. In memory only, so a restart resets it. It is
 * never exceeded: a place is taken before a request is admitted, and given back if it is not admitted.
 */
@Injectable()
export class InstanceCap {
  private month = 0;
  private used = 0;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes a place for one request, to be given back unless the request is admitted.
   * @returns the argument for `giveBack`; null: no place is left
   */
  take(): number | null {
    const month = monthOf(this.clock.now());
    if (month !== this.month) {
      this.month = month;
      this.used = 0;
    }
    if (this.used >= this.config.instanceMonthlyCap) return null;
    this.used += 1;
    return month;
  }

  /** @param month in which the place was taken; in another month all places are free again */
  giveBack(month: number): void {
    if (month === this.month) this.used -= 1;
  }

  /** Null while places are left; otherwise whole seconds to the next month. */
  secondsUntilRoom(): number | null {
    if (this.used < this.config.instanceMonthlyCap) return null;
    const nowMs = this.clock.now();
    return monthOf(nowMs) === this.month ? secondsUntil(monthResetsAtMs(this.month), nowMs) : null;
  }
}

/** Stage 2 (D1): 503 `capacity_exceeded` on routes that count. It takes no place, since the request can still be refused. */
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
