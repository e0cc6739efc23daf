import { dayOf } from '../days.rules.js';
import type { Days } from './cost-query.js';

export interface DatedNanos {
  /** Such as `2026-07-31`. */
  readonly day: string;
  readonly nanos: bigint;
}

export interface Month {
  /** Such as `2026-07`. */
  readonly name: string;
  readonly first: string;
  readonly last: string;
  readonly today: string;
  /** Number of days. */
  readonly length: number;
}

/** The UTC month of a time in milliseconds since 1970. */
export function monthAt(ms: number): Month {
  const date = new Date(ms);
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const today = dayOf(ms);
  const name = today.slice(0, 'YYYY-MM'.length);
  return { name, first: `${name}-01`, last: `${name}-${length}`, today, length };
}

export function monthBefore(ms: number): Month {
  const date = new Date(ms);
  return monthAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0));
}

/** Last month and this month. */
export const recentDays = (nowMs: number): Days => ({ from: monthBefore(nowMs).first, to: monthAt(nowMs).last });
