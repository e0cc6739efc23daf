/** Converts between date inputs (local time without offset) and the API (ISO 8601, UTC). */

const pad = (value: number): string => String(value).padStart(2, '0');
const dayOf = (date: Date): string => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

/** Formats `2026-07-31T14:00` for a `datetime-local` input. */
export const localMinuteOf = (date: Date): string => `${dayOf(date)}T${pad(date.getHours())}:${pad(date.getMinutes())}`;

/** Formats like `localMinuteOf`, with seconds unless they are 0. An invalid time becomes ''. */
export function localOf(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return at.getSeconds() === 0 ? localMinuteOf(at) : `${localMinuteOf(at)}:${pad(at.getSeconds())}`;
}

/** @param local value of a `datetime-local` input. An invalid value is returned unchanged, and the gateway rejects it. */
export const isoOf = (local: string): string => instantOf(local);

/** @param day `YYYY-MM-DD`. An invalid value is returned unchanged. */
export const startOfDay = (day: string): string => instantOf(day, 'T00:00:00');
export const endOfDay = (day: string): string => instantOf(day, 'T23:59:59.999');

function instantOf(text: string, time = ''): string {
  const at = new Date(`${text}${time}`);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}
