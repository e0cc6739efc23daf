import { dateOf, daysBetween, longDay, shortDay, type DayRange } from './period';
import { count } from './numbers';

/** One bar or one place on the time axis. */
export interface ChartPoint {
  /** What it is, at its axis. */
  readonly label: string;
  /** What it ends with, at the axis, where it is more than a day. */
  readonly endLabel?: string;
  /** What it is, in full. */
  readonly title: string;
  readonly values: Readonly<Record<string, number>>;
}

export interface ChartSeries {
  /** Name of the figure in `values`. */
  readonly name: string;
  readonly label: string;
  /** A colour of the theme. */
  readonly color: string;
  /** false: its figures cannot be summed up, as latencies; 0 is then a point without a figure. */
  readonly additive?: boolean;
}

/** Colours with a contrast of 3:1 at least on both themes, and told apart by those who do not see red from green. */
export const CHART_COLORS = { main: 'indigo.6', second: 'orange.8', error: 'red.7' } as const;

/** Beyond it the days of a chart are summed up by the week: narrower bars cannot be told apart on a phone. */
const DAYS_AS_BARS = 92;
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/**
 * A point for every day of a range, or for every week of a long one, oldest first; where a day has no row its figures are 0.
 * @param rows of some days of it, in any order
 * @param figures names of the figures of a row
 */
export function pointsByDay<T extends { readonly date: string }>(
  rows: readonly T[],
  range: DayRange,
  figures: { readonly [name: string]: (row: T) => number },
): ChartPoint[] {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return spansOf(range, stepOf(range) === 'week' ? WEEK_DAYS : 1).map((span) => {
    const found = datesOf(span).flatMap((date) => byDate.get(date) ?? []);
    const values = Object.entries(figures).map(([name, figureOf]) => [name, sum(found.map(figureOf))] as const);
    return pointOf(span, Object.fromEntries(values));
  });
}

/** A point for the days from the first to the last. */
export const pointOf = ({ from, to }: DayRange, values: ChartPoint['values']): ChartPoint => ({
  label: shortDay(from),
  endLabel: shortDay(to),
  title: from === to ? longDay(from) : `${longDay(from)} – ${longDay(to)}`,
  values,
});

/**
 * The days of each point, oldest first. The last span is a whole one: a short one at the end would look like a fall.
 * @param step days in each, 1 or more
 */
export function spansOf(range: DayRange, step: number): DayRange[] {
  const days = daysBetween(range.from, range.to);
  const first = Date.parse(range.from);
  const short = (step - (days % step)) % step;
  return Array.from({ length: Math.ceil(days / step) }, (_, index) => ({
    from: dateOf(first + Math.max(0, index * step - short) * DAY_MS),
    to: dateOf(first + ((index + 1) * step - short - 1) * DAY_MS),
  }));
}

const datesOf = ({ from, to }: DayRange): string[] =>
  Array.from({ length: daysBetween(from, to) }, (_, offset) => dateOf(Date.parse(from) + offset * DAY_MS));

/** What one point of `pointsByDay` stands for. */
export const stepOf = ({ from, to }: DayRange): 'day' | 'week' =>
  daysBetween(from, to) > DAYS_AS_BARS ? 'week' : 'day';

/** The chart in words: `Requests by day, first 1 Jul 2026, last 30 Jul 2026. Answered: 0 to 4,300, 45,000 in all.` */
export function chartSummary(
  title: string,
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  format: (value: number) => string = count,
): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return `${title}: no figures.`;
  const figures = series.map(({ name, label, additive = true }) => {
    const values = points.map((point) => point.values[name] ?? 0).filter((value) => additive || value > 0);
    if (values.length === 0) return `${label}: no figures.`;
    const all = additive ? `, ${format(sum(values))} in all` : '';
    return `${label}: ${format(Math.min(...values))} to ${format(Math.max(...values))}${all}.`;
  });
  return [`${title}, first ${first.title}, last ${last.title}.`, ...figures].join(' ');
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
