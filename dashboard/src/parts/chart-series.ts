import { dateOf, daysBetween, longDay, shortDay, type DayRange } from './period';
import { count } from './numbers';

/** One bar or one place on the time axis. */
export interface ChartPoint {
  /** What it is, at its axis. */
  readonly label: string;
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
  return spansOf(range).map((dates) => {
    const found = dates.flatMap((date) => byDate.get(date) ?? []);
    const values = Object.entries(figures).map(([name, figureOf]) => [name, sum(found.map(figureOf))] as const);
    const [begin = range.from] = dates;
    const end = dates.at(-1) ?? begin;
    return {
      label: shortDay(begin),
      title: begin === end ? longDay(begin) : `${longDay(begin)} – ${longDay(end)}`,
      values: Object.fromEntries(values),
    };
  });
}

/** The days of each point. The last week is a whole one: a short one at the end would look like a fall. */
function spansOf(range: DayRange): string[][] {
  const days = daysBetween(range.from, range.to);
  const step = stepOf(range) === 'week' ? WEEK_DAYS : 1;
  const first = Date.parse(range.from);
  const short = (step - (days % step)) % step;
  return Array.from({ length: Math.ceil(days / step) }, (_, index) => {
    const begin = Math.max(0, index * step - short);
    const length = (index + 1) * step - short - begin;
    return Array.from({ length }, (_, offset) => dateOf(first + (begin + offset) * DAY_MS));
  });
}

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
  const figures = series.map(({ name, label }) => {
    const values = points.map((point) => point.values[name] ?? 0);
    return `${label}: ${format(Math.min(...values))} to ${format(Math.max(...values))}, ${format(sum(values))} in all.`;
  });
  return [`${title}, first ${first.title}, last ${last.title}.`, ...figures].join(' ');
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
