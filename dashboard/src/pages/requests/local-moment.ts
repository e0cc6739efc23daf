/** Between an input of type datetime-local (the reader's time, without offset) and what the API takes (ISO 8601, UTC). */

const pad = (value: number): string => String(value).padStart(2, '0');

/** `2026-07-31T14:00`, to the second where it is not a whole minute; '' for what is no time. */
export function localOf(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  const minute = `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
  return at.getSeconds() === 0 ? minute : `${minute}:${pad(at.getSeconds())}`;
}

/** null for what is not whole yet: a year is typed digit by digit. */
export function isoOf(local: string): string | null {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) || at.getFullYear() < 2000 || at.getFullYear() > 9999 ? null : at.toISOString();
}
