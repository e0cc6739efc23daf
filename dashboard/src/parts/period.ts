/**
 * The span of time that a page looks at. Days are those of UTC, as usage is counted (D13, D17). Free of React, so that a link
 * to another page can carry the same span.
 */

const DAY_MS = 86_400_000;

/** The lengths that are offered, in days. */
export const PERIOD_DAYS = [1, 7, 30, 90, 365] as const;
/** The longest span that may be asked for by dates. */
const PERIOD_DAYS_MAX = 366;
const DEFAULT_DAYS = 30;

/** `days`: up to now; `dates`: from the first to the last day, both whole and both in it, as `2026-07-31`. */
export type Period =
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'dates'; readonly from: string; readonly to: string };

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** What the address bar says; what it says wrongly is the default of 30 days. */
export function periodOf(params: URLSearchParams): Period {
  const from = params.get('from');
  const to = params.get('to');
  if (from !== null && to !== null && datesProblem(from, to) === null) return { kind: 'dates', from, to };
  const days = Number(params.get('days'));
  return { kind: 'days', days: PERIOD_DAYS.some((offered) => offered === days) ? days : DEFAULT_DAYS };
}

/** What keeps a period in the address bar; null takes a parameter away. */
export function paramsOf(period: Period): Record<'days' | 'from' | 'to', string | null> {
  if (period.kind === 'dates') return { days: null, from: period.from, to: period.to };
  return { days: period.days === DEFAULT_DAYS ? null : String(period.days), from: null, to: null };
}

/** `/usage` with the same period and what else it is to show. */
export function linkWith(path: string, period: Period, more: Readonly<Record<string, string | null>> = {}): string {
  const entries = Object.entries({ ...paramsOf(period), ...more });
  const query = new URLSearchParams(entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** What is wrong with two dates; null: nothing. */
export function datesProblem(from: string, to: string): string | null {
  if (!isDate(from) || !isDate(to)) return 'Give both days, from the year 2000 on.';
  if (from > to) return 'The first day is after the last.';
  if (daysBetween(from, to) > PERIOD_DAYS_MAX) return `At most ${PERIOD_DAYS_MAX} days.`;
  return null;
}

/** The days of a period, for figures that are kept by the day: today is the last of them. */
export function daysOf(period: Period, nowMs = Date.now()): DayRange {
  if (period.kind === 'dates') return { from: period.from, to: period.to };
  return { from: dateOf(nowMs - (period.days - 1) * DAY_MS), to: dateOf(nowMs) };
}

/** As many days right before them. */
export function daysBefore({ from, to }: DayRange): DayRange {
  const first = Date.parse(from);
  return { from: dateOf(first - daysBetween(from, to) * DAY_MS), to: dateOf(first - DAY_MS) };
}

/** The bounds of a period, for figures that go by the moment; no `until`: up to now. */
export function momentsOf(period: Period, nowMs = Date.now()): { readonly since: string; readonly until?: string } {
  if (period.kind === 'days') return { since: new Date(nowMs - period.days * DAY_MS).toISOString() };
  return { since: `${period.from}T00:00:00.000Z`, until: `${period.to}T23:59:59.999Z` };
}

/** How many days there are from one to the other, both counted. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** What a date input gives; a year still being typed (`0020`) is none. */
const isDate = (text: string): boolean =>
  /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dateOf(Date.parse(text)) === text;

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayAndYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** `31 Jul`, of `2026-07-31`. */
export const shortDay = (date: string): string => day.format(new Date(date));
/** `31 Jul 2026`, in the reader's order. */
export const longDay = (date: string): string => dayAndYear.format(new Date(date));

/** `the last 30 days`, `1 Jul 2026 to 31 Jul 2026`; `today` where a single day is meant by the day. */
export function periodText(period: Period, grain: 'day' | 'moment'): string {
  if (period.kind === 'dates') return `${longDay(period.from)} to ${longDay(period.to)}`;
  if (period.days === 1) return grain === 'day' ? 'today' : 'the last 24 hours';
  return `the last ${period.days} days`;
}
