import { monthAt } from '../days.rules.js';

export interface CostForecast {
  readonly nanos: bigint;
  readonly method: typeof FORECAST_METHOD;
  /** Complete days of this month that the average is computed from. */
  readonly basedOnDays: number;
}

/** The average of this month's complete days, for each remaining day. */
export const FORECAST_METHOD = 'linear_by_complete_days';

interface DatedNanos {
  /** Such as `2026-07-31`. */
  readonly day: string;
  readonly nanos: bigint;
}

/**
 * The expected cost of the current month. Today counts with the average, or with its cost if that is already higher. The average
 * starts at the first day with a cost, unless `before` shows that the gateway was in use earlier.
 *
 * @param days the days of this month that have costs
 * @param before whether there were costs before this month
 * @returns null without a complete day
 */
export function costForecastOf(days: readonly DatedNanos[], before: boolean, nowMs: number): CostForecast | null {
  const { from: first, today, length } = monthAt(nowMs);
  const complete = days.filter(({ day }) => day >= first && day < today);
  const start = before ? first : complete.map(({ day }) => day).toSorted()[0];
  if (start === undefined) return null;
  const count = dayOfMonth(today) - dayOfMonth(start);
  if (count === 0) return null;
  const spent = complete.reduce((sum, { nanos }) => sum + nanos, 0n);
  const todaysNanos = days.find(({ day }) => day === today)?.nanos ?? 0n;
  const expected = spent > todaysNanos * BigInt(count) ? roundedUp(spent, count) : todaysNanos;
  const after = BigInt(length - dayOfMonth(today));
  return {
    nanos: spent + expected + roundedUp(spent * after, count),
    method: FORECAST_METHOD,
    basedOnDays: count,
  };
}

const dayOfMonth = (day: string): number => Number(day.slice('YYYY-MM-'.length));

const roundedUp = (nanos: bigint, by: number): bigint => (nanos + BigInt(by) - 1n) / BigInt(by);
