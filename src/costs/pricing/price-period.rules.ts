import type { DailyHours, PriceRow } from './price-row.js';

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

/** Whether both contain a time of the day. */
export const shareTime = (a: DailyHours, b: DailyHours): boolean =>
  rangesOf(a).some(([start, end]) => rangesOf(b).some(([from, to]) => start < to && from < end));

const rangesOf = ({ start, end }: DailyHours): (readonly [start: number, end: number])[] =>
  start <= end
    ? [[start, end]]
    : [
        [start, DAY_SECONDS],
        [0, end],
      ];

const HOURS = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/** Reads hours such as `16:30-00:30`. Returns null for another form, and for hours that contain no time. */
export function parseHours(text: string): DailyHours | null {
  const parts = HOURS.exec(text);
  if (parts === null) return null;
  const [, startHour, startMinute, endHour, endMinute] = parts.map(Number) as [unknown, number, number, number, number];
  const [start, end] = [startHour * 3600 + startMinute * 60, endHour * 3600 + endMinute * 60];
  return start === end ? null : { start, end };
}

/** The published list has no seconds either. */
export const formatHours = ({ start, end }: DailyHours): string => `${timeOf(start)}-${timeOf(end)}`;

const timeOf = (second: number): string =>
  [Math.floor(second / 3600) % 24, Math.floor(second / 60) % 60].map((each) => String(each).padStart(2, '0')).join(':');
