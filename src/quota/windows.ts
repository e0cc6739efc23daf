/**
 * Calendar windows in UTC (D13), identified by number: minutes and days since 1970, months as year * 12 + month - 1.
 * The store's SQL statements use the same numbers.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

export function monthOf(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Returns the first millisecond of the next window. */
export const minuteResetsAtMs = (minute: number): number => (minute + 1) * MINUTE_MS;
export const dayResetsAtMs = (day: number): number => (day + 1) * DAY_MS;
export const monthResetsAtMs = (month: number): number => Date.UTC(Math.floor((month + 1) / 12), (month + 1) % 12, 1);

/** Whole seconds, rounded up, at least 1. A client that waits this long is not refused again for the same window. */
export const secondsUntil = (atMs: number, nowMs: number): number => Math.max(1, Math.ceil((atMs - nowMs) / 1000));
