import { sumOfAmounts } from '../../parts/dollars';
import { dateOf, type DayRange } from '../../parts/period';
import type { CostGroup } from '../costs/cost-calls';

export interface MonthToDate {
  /** The first day of this month to today (UTC). */
  readonly now: DayRange;
  /** Last month to the same day, or to its last day if it is shorter. */
  readonly before: DayRange;
}

export function monthToDate(nowMs: number): MonthToDate {
  const today = new Date(nowMs);
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return {
    now: { from: dateOf(Date.UTC(year, month, 1)), to: dateOf(nowMs) },
    before: {
      from: dateOf(Date.UTC(year, month - 1, 1)),
      to: dateOf(Date.UTC(year, month - 1, Math.min(day, lastDay))),
    },
  };
}

export interface SpanCosts {
  /** null if no request has a price. */
  readonly cost: string | null;
  readonly requests: number;
  readonly unpriced: number;
}

/** Adds the groups of these days. Without requests, the cost is 0. */
export function costsIn(groups: readonly CostGroup[], { from, to }: DayRange): SpanCosts {
  const days = groups.filter(({ day = '' }) => day >= from && day <= to);
  return {
    cost: days.length === 0 ? '0' : sumOfAmounts(days.map(({ cost }) => cost)),
    requests: days.reduce((sum, { requests }) => sum + requests, 0),
    unpriced: days.reduce((sum, { unpriced_requests }) => sum + unpriced_requests, 0),
  };
}
