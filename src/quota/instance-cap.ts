import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { monthOf, monthResetsAtMs, secondsUntil } from './windows.js';

/**
 * A safety valve: how many requests this instance has admitted in the UTC month, in memory only, so a restart begins
 * anew. Requests that are being judged at the same moment may pass it by a few.
 */
@Injectable()
export class InstanceCap {
  private month = 0;
  private used = 0;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Called once for each request that has passed stage 6. */
  count(): void {
    const month = monthOf(this.clock.now());
    if (month !== this.month) {
      this.month = month;
      this.used = 0;
    }
    this.used += 1;
  }

  /** Null while there is room; otherwise whole seconds to the next month. */
  secondsUntilRoom(): number | null {
    if (this.used < this.config.instanceMonthlyCap) return null;
    const nowMs = this.clock.now();
    return monthOf(nowMs) === this.month ? secondsUntil(monthResetsAtMs(this.month), nowMs) : null;
  }
}
