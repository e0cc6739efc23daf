// Calendar windows in UTC (D13): minutes and days since 1970, months as year * 12 + month - 1, as in the store's SQL.
// The periods of limits have time zones. They are computed in `ledger/functions/limit_period_start.sql`.

const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

export const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);
export const dayNumberOf = (ms: number): number => Math.floor(ms / DAY_MS);

export function monthOf(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export const minuteResetsAtMs = (minute: number): number => (minute + 1) * MINUTE_MS;
export const dayResetsAtMs = (day: number): number => (day + 1) * DAY_MS;
export const monthResetsAtMs = (month: number): number => Date.UTC(Math.floor((month + 1) / 12), (month + 1) % 12, 1);

/** Rounded up, at least 1. A client that waits this long is not rejected again in the same window. */
export const secondsUntil = (atMs: number, nowMs: number): number => Math.max(1, Math.ceil((atMs - nowMs) / 1000));

/** A minute, a day and a month, as numbered here. */
export interface Windows {
  readonly minute: number;
  readonly day: number;
  readonly month: number;
}

/** Requests of a key by window: a total, or a change to one. A change is negative if the store has counted too many. */
export interface KeyCounts extends Windows {
  readonly keyId: string;
  readonly minuteCount: number;
  readonly dayCount: number;
  readonly monthCount: number;
}

/** `count` requests, which count in the minute, in the day and in the month. */
export function requestsIn({ minute, day, month }: Windows, keyId: string, count: number): KeyCounts {
  return { keyId, minute, minuteCount: count, day, dayCount: count, month, monthCount: count };
}
