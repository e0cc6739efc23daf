/** UTC days such as `2026-07-31`, both inclusive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export const DAY_MS = 86_400_000;

/** The UTC day of a time in milliseconds since 1970, such as `2026-07-31`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

export const dayAfter = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS);

/** The number of days. Both are included. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export const isWithin = (day: string, { from, to }: Days): boolean => from <= day && day <= to;

/** Joins ranges that overlap. */
export function mergedDays(a: Days, b: Days): Days[] {
  const [first, second] = a.from <= b.from ? [a, b] : [b, a];
  if (first.to < second.from) return [first, second];
  return [{ from: first.from, to: first.to > second.to ? first.to : second.to }];
}

export interface Month extends Days {
  /** Such as `2026-07`. */
  readonly name: string;
  readonly today: string;
  /** In days. */
  readonly length: number;
}

/** The UTC month of a time in milliseconds since 1970. */
export function monthAt(ms: number): Month {
  const date = new Date(ms);
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const today = dayOf(ms);
  const name = today.slice(0, 'YYYY-MM'.length);
  return { name, from: `${name}-01`, to: `${name}-${length}`, today, length };
}

export function monthBefore(ms: number): Month {
  const date = new Date(ms);
  return monthAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0));
}

/** Last month and this month. */
export const recentDays = (nowMs: number): Days => ({ from: monthBefore(nowMs).from, to: monthAt(nowMs).to });
