import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config/config.js';
import { capacityExceeded } from '../platform/errors/error-factories.js';
import { contextOf } from '../platform/request-context/context.decorator.js';
import { monthOf, monthResetsAtMs, secondsUntil } from './utc-windows.rules.js';

/** The cap is kept in memory, so a restart resets it. A request takes a slot first, so the cap is never exceeded. */
@Injectable()
export class InstanceCap {
  private month = 0;
  private used = 0;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @returns the argument for `release`, which the caller must call if the request is rejected; null if no slot is left */
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

  release(month: number): void {
    if (month === this.month) this.used -= 1;
  }

  /** Null while slots are left. */
  secondsUntilRoom(): number | null {
    if (this.used < this.config.instanceMonthlyCap) return null;
    const nowMs = this.clock.now();
    return monthOf(nowMs) === this.month ? secondsUntil(monthResetsAtMs(this.month), nowMs) : null;
  }
}

/** Stage 2 (D1). It takes no slot, because a later stage can still reject the request. */
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
