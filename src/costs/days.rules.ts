import type { Days } from './report/cost-query.js';

export const DAY_MS = 86_400_000;

/** The UTC day of a time in milliseconds since 1970, such as `2026-07-31`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

export const dayAfter = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS);

/** The number of days. Both are included. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export const isWithin = (day: string, { from, to }: Days): boolean => from <= day && day <= to;
