import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { monthOf, monthResetsAtMs, secondsUntil } from './windows.js';

/**
 * A safety valve: how many requests this instance has admitted in the UTC month, in memory only, so a restart begins
 * anew. Hard: a place is taken before a request is admitted, and given back where it is not.
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
   * One request's place, to be given back unless it is admitted.
   * @returns what `giveBack` wants; null: there is none left
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

  /** @param month in which it was taken: another one's places are all free again */
  giveBack(month: number): void {
    if (month === this.month) this.used -= 1;
  }

  /** Null while there is room; otherwise whole seconds to the next month. */
  secondsUntilRoom(): number | null {
    if (this.used < this.config.instanceMonthlyCap) return null;
    const nowMs = this.clock.now();
    return monthOf(nowMs) === this.month ? secondsUntil(monthResetsAtMs(this.month), nowMs) : null;
  }
}
