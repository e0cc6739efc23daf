// Calendar windows in UTC (D13): minutes and days since 1970, months as year * 12 + month - 1, as in the store's SQL.

const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

export const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

export function monthOf(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export const minuteResetsAtMs = (minute: number): number => (minute + 1) * MINUTE_MS;
export const dayResetsAtMs = (day: number): number => (day + 1) * DAY_MS;
export const monthResetsAtMs = (month: number): number => Date.UTC(Math.floor((month + 1) / 12), (month + 1) % 12, 1);

/** Rounded up, at least 1. A client that waits this long is not rejected again in the same window. */
export const secondsUntil = (atMs: number, nowMs: number): number => Math.max(1, Math.ceil((atMs - nowMs) / 1000));
