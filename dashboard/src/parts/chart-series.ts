import { dateOf, daysBetween, longDay, shortDay, type DayRange } from './period';
import { count } from './numbers';

export interface ChartPoint {
  /** The axis label of the first day. */
  readonly label: string;
  readonly endLabel?: string;
  readonly title: string;
  readonly values: Readonly<Record<string, number>>;
  /** A caveat about the values, such as requests without a price. */
  readonly note?: string;
}

export interface ChartSeries {
  readonly name: string;
  readonly label: string;
  /** A theme color, such as `indigo.6`. */
  readonly color: string;
  /** false for values without a meaningful sum, such as latencies. A value of 0 then means no data. */
  readonly additive?: boolean;
}

/** Has a contrast of at least 3:1 in both themes, and is distinguishable with red-green color blindness. */
export const CHART_COLORS = { main: 'indigo.6', second: 'orange.8', error: 'red.7' } as const;

/**
 * Colors for many stacked parts, the largest first, with the same contrast and distinguishability. Labels and the table name
 * the parts as well.
 */
export const STACK_COLORS = {
  parts: ['indigo.6', 'orange.8', 'teal.7', 'pink.6', 'cyan.8', 'lime.8'],
  others: 'gray.6',
} as const;

/** Longer ranges have one bar per week, because narrower bars are unreadable on a phone. */
const DAYS_AS_BARS = 92;
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/**
 * Returns one point per day, or per week for a long range, oldest first. Days without a row count as 0.
 * @param noteOf returns the note of a point with these rows
 */
export function pointsByDay<T extends { readonly date: string }>(
  rows: readonly T[],
  range: DayRange,
  figures: { readonly [name: string]: (row: T) => number },
  noteOf?: (rows: readonly T[]) => string | undefined,
): ChartPoint[] {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return spansOf(range, stepOf(range) === 'week' ? WEEK_DAYS : 1).map((span) => {
    const found = datesOf(span).flatMap((date) => byDate.get(date) ?? []);
    const values = Object.entries(figures).map(([name, figureOf]) => [name, sum(found.map(figureOf))] as const);
    return { ...pointOf(span, Object.fromEntries(values)), note: noteOf?.(found) };
  });
}

export const pointOf = ({ from, to }: DayRange, values: ChartPoint['values']): ChartPoint => ({
  label: shortDay(from),
  endLabel: shortDay(to),
  title: from === to ? longDay(from) : `${longDay(from)} – ${longDay(to)}`,
  values,
});

/** Splits a range into spans of `step` days. Only the first can be shorter: a short last bar would look like a drop. */
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

export const stepOf = ({ from, to }: DayRange): 'day' | 'week' =>
  daysBetween(from, to) > DAYS_AS_BARS ? 'week' : 'day';

/** The description of a chart has at most this many notes. The table has all of them. */
const NOTES_MAX = 3;

/** Describes a chart: `Requests by day, from 1 Jul 2026 to 30 Jul 2026. Errors: 0 to 43, 450 in total.` */
export function chartSummary(
  title: string,
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  format: (value: number) => string = count,
): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return `${title}: no data.`;
  const figures = series.map(({ name, label, additive = true }) => {
    const values = points.map((point) => point.values[name] ?? 0).filter((value) => additive || value > 0);
    if (values.length === 0) return `${label}: no data.`;
    const all = additive ? `, ${format(sum(values))} in total` : '';
    return `${label}: ${format(Math.min(...values))} to ${format(Math.max(...values))}${all}.`;
  });
  return [`${title}, from ${first.title} to ${last.title}.`, ...figures, ...notesOf(points)].join(' ');
}

function notesOf(points: readonly ChartPoint[]): string[] {
  const notes = points.flatMap(({ title, note }) => (note === undefined ? [] : [`${title}, ${note}.`]));
  const more = notes.length - NOTES_MAX;
  return more > 0 ? [...notes.slice(0, NOTES_MAX), `${more} more in the table.`] : notes;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
