/** The time period of a page. Days are in UTC, as usage is counted (D13, D17). */

const DAY_MS = 86_400_000;

export const PERIOD_DAYS = [1, 7, 30, 90, 365] as const;
/** The API rejects longer ranges. */
const PERIOD_DAYS_MAX = 366;
const DEFAULT_DAYS = 30;

/** `days` ends now. `dates` includes both days, such as `2026-07-31`. */
export type Period =
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'dates'; readonly from: string; readonly to: string };

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Parses the URL parameters. Invalid values become the default of 30 days. */
export function periodOf(params: URLSearchParams): Period {
  const from = params.get('from');
  const to = params.get('to');
  if (from !== null && to !== null && datesProblem(from, to) === null) return { kind: 'dates', from, to };
  const days = Number(params.get('days'));
  return { kind: 'days', days: PERIOD_DAYS.some((offered) => offered === days) ? days : DEFAULT_DAYS };
}

/** Returns URL parameters, where null removes a parameter. */
export function paramsOf(period: Period): Record<'days' | 'from' | 'to', string | null> {
  if (period.kind === 'dates') return { days: null, from: period.from, to: period.to };
  return { days: period.days === DEFAULT_DAYS ? null : String(period.days), from: null, to: null };
}

export function linkWith(path: string, period: Period, more: Readonly<Record<string, string | null>> = {}): string {
  const entries = Object.entries({ ...paramsOf(period), ...more });
  const query = new URLSearchParams(entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

export function datesProblem(from: string, to: string): string | null {
  if (!isDate(from) || !isDate(to)) return 'Enter both days, in the year 2000 or later.';
  if (from > to) return 'The first day is after the last day.';
  if (daysBetween(from, to) > PERIOD_DAYS_MAX) return `Choose at most ${PERIOD_DAYS_MAX} days.`;
  return null;
}

/** Returns the days of a period. A relative period includes today. */
export function daysOf(period: Period, nowMs = Date.now()): DayRange {
  if (period.kind === 'dates') return { from: period.from, to: period.to };
  return { from: dateOf(nowMs - (period.days - 1) * DAY_MS), to: dateOf(nowMs) };
}

/** Returns the range of the same length before this one. */
export function daysBefore({ from, to }: DayRange): DayRange {
  const first = Date.parse(from);
  return { from: dateOf(first - daysBetween(from, to) * DAY_MS), to: dateOf(first - DAY_MS) };
}

/** Returns the bounds of a period as moments. A relative period has no `until`. */
export function momentsOf(period: Period, nowMs = Date.now()): { readonly since: string; readonly until?: string } {
  if (period.kind === 'days') return { since: new Date(nowMs - period.days * DAY_MS).toISOString() };
  return { since: `${period.from}T00:00:00.000Z`, until: `${period.to}T23:59:59.999Z` };
}

/** Counts the days, including both ends. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Rejects the partial year of a date input during typing, such as `0020`. */
const isDate = (text: string): boolean =>
  /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dateOf(Date.parse(text)) === text;

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayAndYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

export const shortDay = (date: string): string => day.format(new Date(date));
export const longDay = (date: string): string => dayAndYear.format(new Date(date));

/** Formats `the last 30 days`, `today` or `1 Jul 2026 to 31 Jul 2026`. */
export function periodText(period: Period, grain: 'day' | 'moment'): string {
  if (period.kind === 'dates') return `${longDay(period.from)} to ${longDay(period.to)}`;
  if (period.days === 1) return grain === 'day' ? 'today' : 'the last 24 hours';
  return `the last ${period.days} days`;
}
