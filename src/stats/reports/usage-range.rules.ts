import { DAY_MS, dayAfter, dayOf, type Days } from '../../costs/days.rules.js';

const DEFAULT_DAYS = 30;
/** The earliest day that both the database and ISO 8601 write with a four-digit year. */
const FIRST_DAY = '0001-01-01';

/**
 * Without `toMs` the range ends today, or on the day of a `fromMs` in the future. Without `fromMs` it is 30 days long. All
 * times are milliseconds since 1970, in the years 1 to 9999.
 * @param fromMs not on a later day than `toMs`
 */
export function usageRange(fromMs: number | undefined, toMs: number | undefined, nowMs: number): Days {
  const to = dayOf(toMs ?? Math.max(nowMs, fromMs ?? -Infinity));
  if (fromMs !== undefined) return { from: dayOf(fromMs), to };
  const from = dayAfter(to, 1 - DEFAULT_DAYS);
  return { from: from < FIRST_DAY ? FIRST_DAY : from, to };
}

/** @param day days since 1970 */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
