/** Between what date inputs hold (the reader's time, without offset) and what the API takes (ISO 8601, UTC). */

const pad = (value: number): string => String(value).padStart(2, '0');
const dayOf = (date: Date): string => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

/** For an input of type datetime-local: to the minute, `2026-07-31T14:00`. */
export const localMinuteOf = (date: Date): string => `${dayOf(date)}T${pad(date.getHours())}:${pad(date.getMinutes())}`;

/** The same, to the second where it is not a whole minute; '' for what is no time. */
export function localOf(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return at.getSeconds() === 0 ? localMinuteOf(at) : `${localMinuteOf(at)}:${pad(at.getSeconds())}`;
}

/** @param local what an input of type datetime-local holds; what is no time comes back as it is, for the gateway to judge */
export const isoOf = (local: string): string => instantOf(local);

/** @param day `YYYY-MM-DD`; anything else comes back as it is */
export const startOfDay = (day: string): string => instantOf(day, 'T00:00:00');
export const endOfDay = (day: string): string => instantOf(day, 'T23:59:59.999');

function instantOf(text: string, time = ''): string {
  const at = new Date(`${text}${time}`);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}
