import type { PriceRow } from './price-row.js';

const DAY_SECONDS = 86_400;

/** Whether a price applies at a time: within its period, and at its hours of the day. */
export function appliesAt({ validFromMs, validToMs, hours }: PriceRow, atMs: number): boolean {
  if (validFromMs !== null && atMs < validFromMs) return false;
  if (validToMs !== null && atMs >= validToMs) return false;
  if (hours === null) return true;
  const second = Math.floor(atMs / 1000) % DAY_SECONDS;
  return hours.start <= hours.end
    ? second >= hours.start && second < hours.end
    : second >= hours.start || second < hours.end;
}
