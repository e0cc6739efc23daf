/** Between what date inputs hold (local, without offset) and what the API takes (ISO 8601, UTC). */

const pad = (value: number): string => String(value).padStart(2, '0');
const dayOf = (date: Date): string => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

/** For an input of type datetime-local: to the minute. */
export const localOf = (date: Date): string => `${dayOf(date)}T${pad(date.getHours())}:${pad(date.getMinutes())}`;

/** @param local what an input of type datetime-local holds; what is no time comes back as it is, for the gateway to judge */
export const isoOf = (local: string): string => instantOf(local);

/** @param day `YYYY-MM-DD`; anything else comes back as it is */
export const startOfDay = (day: string): string => instantOf(day, 'T00:00:00');
export const endOfDay = (day: string): string => instantOf(day, 'T23:59:59.999');

function instantOf(text: string, time = ''): string {
  const at = new Date(`${text}${time}`);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}
