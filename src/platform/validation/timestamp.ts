/** `parseTimestamp` also checks the calendar. */
export const TIMESTAMP_PATTERN =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?$/;
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
/** The latest time that ISO 8601 writes with a four-digit year. */
export const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses ISO 8601 in its extended format (D16). A date alone is midnight UTC, and a time without an offset is UTC. Digits
 * after the milliseconds are dropped. Years 1 to 9999 are accepted.
 * @returns milliseconds since 1970, or null if the text or its calendar date is invalid
 */
export function parseTimestamp(text: string): number | null {
  const match = TIMESTAMP_PATTERN.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = match;
  const at = { year: Number(year), month: Number(month), day: Number(day) };
  const time = { hour: Number(hour ?? 0), minute: Number(minute ?? 0), second: Number(second ?? 0) };
  const offset = { hour: Number(offsetHour ?? 0), minute: Number(offsetMinute ?? 0) };
  if (time.hour > 23 || time.minute > 59 || time.second > 59 || offset.hour > 23 || offset.minute > 59) return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const offsetMs = (offset.hour * 60 + offset.minute) * (sign === '-' ? -60_000 : 60_000);
  const midnight = utcMidnight(at);
  if (midnight === null) return null;
  const ms = midnight + ((time.hour * 60 + time.minute) * 60 + time.second) * 1000 + milliseconds - offsetMs;
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? ms : null;
}

/** @param ms milliseconds since 1970 */
export const isoTimestamp = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export const TIMESTAMP_EXPECTED = 'an ISO 8601 timestamp such as 2030-01-31T12:00:00Z';

/** Null for a day that does not exist. `Date.UTC` would read the years 0 to 99 as 19xx. */
function utcMidnight({ year, month, day }: { year: number; month: number; day: number }): number | null {
  const date = new Date(0);
  const ms = date.setUTCFullYear(year, month - 1, day);
  // `setUTCFullYear` moves an invalid day into another month.
  return date.getUTCMonth() === month - 1 ? ms : null;
}
