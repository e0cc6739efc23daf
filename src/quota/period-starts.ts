import type { LimitTimes, PeriodBounds } from './seen-limit.rules.js';

type Calendar = Pick<LimitTimes, 'per' | 'zone'>;

const PERIODS = ['minute', 'hour', 'day', 'week', 'month'];
/** Their periods all have the same length. */
const FIXED = ['minute', 'hour'];
const UNKNOWN: PeriodBounds = { startUs: null, endUs: null };

/**
 * The starts of the current period and of the next ones, as the database computes them (`limit_period_start`). With them, this process
 * begins new periods during an outage without a calendar of its own.
 */
export class PeriodStarts {
  /** By period and time zone, which are few. */
  private readonly known = new Map<string, readonly number[]>();

  set({ per, zone }: Calendar, startsUs: readonly number[]): void {
    this.known.set(nameOf(per, zone), startsUs);
  }

  /** The calendars whose starts must be read: unknown ones, and those whose first period has ended. */
  missing(calendars: Iterable<Calendar>, nowUs: number): Calendar[] {
    const missing = new Map<string, Calendar>();
    for (const { per, zone } of calendars) {
      if (!PERIODS.includes(per)) continue;
      const [, second] = this.known.get(nameOf(per, zone)) ?? [];
      if (second === undefined || nowUs >= second) missing.set(nameOf(per, zone), { per, zone });
    }
    return [...missing.values()];
  }

  /** The last known period stays the current one. If the clock was set back, the first one does. */
  around({ per, zone }: Calendar, nowUs: number): PeriodBounds {
    const starts = this.known.get(nameOf(per, zone));
    const [first, second] = starts ?? [];
    if (starts === undefined || first === undefined || second === undefined) return UNKNOWN;
    if (FIXED.includes(per)) {
      const lengthUs = second - first;
      const startUs = first + Math.max(0, Math.floor((nowUs - first) / lengthUs)) * lengthUs;
      return { startUs, endUs: startUs + lengthUs };
    }
    const next = starts.findIndex((startUs) => startUs > nowUs);
    if (next === -1) return { startUs: starts.at(-1)!, endUs: null };
    const at = Math.max(1, next);
    return { startUs: starts[at - 1]!, endUs: starts[at]! };
  }
}

const nameOf = (per: string, zone: string): string => `${per} ${zone}`;
