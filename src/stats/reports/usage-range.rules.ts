import type { Days } from '../../costs/days.rules.js';
import { DAY_MS, dayOf } from '../../quota/utc-windows.rules.js';

const DEFAULT_DAYS = 30;
/** The earliest day that both the database and ISO 8601 write with a four-digit year. */
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z') / DAY_MS;

/**
 * Without `toMs` the range ends today, or on the day of a `fromMs` in the future. Without `fromMs` it is 30 days long. All
 * times are milliseconds since 1970, in the years 1 to 9999.
 * @param fromMs not on a later day than `toMs`
 */
export function usageRange(fromMs: number | undefined, toMs: number | undefined, nowMs: number): Days {
  const from = fromMs === undefined ? undefined : dayOf(fromMs);
  const to = toMs === undefined ? Math.max(dayOf(nowMs), from ?? -Infinity) : dayOf(toMs);
  return { from: dateOf(from ?? Math.max(FIRST_DAY, to - DEFAULT_DAYS + 1)), to: dateOf(to) };
}

export const dateAt = (ms: number): string => dateOf(dayOf(ms));

/** @param day days since 1970 */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
