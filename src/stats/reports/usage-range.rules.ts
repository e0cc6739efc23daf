const DAY_MS = 86_400_000;
const DAYS_BY_DEFAULT = 30;
/** The first day that the database and ISO 8601 both write with four digits: 0001-01-01. */
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z') / DAY_MS;

/** Days of UTC, as `2026-07-31`; both are in it. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/**
 * The days of a usage range: from the day of `fromMs` to the day of `toMs`. Without `toMs` it ends today, or on the day of a
 * `fromMs` in the future; without `fromMs` it is 30 days long.
 * @param fromMs milliseconds since 1970, in the years 1 to 9999, as the others; not on a later day than `toMs`
 */
export function usageRange(fromMs: number | undefined, toMs: number | undefined, nowMs: number): DayRange {
  const from = fromMs === undefined ? undefined : dayOf(fromMs);
  const to = toMs === undefined ? Math.max(dayOf(nowMs), from ?? -Infinity) : dayOf(toMs);
  return { from: dateOf(from ?? Math.max(FIRST_DAY, to - DAYS_BY_DEFAULT + 1)), to: dateOf(to) };
}

/** The day of a moment, as `2026-07-31`. */
export const dateAt = (ms: number): string => dateOf(dayOf(ms));

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
