import { monthOf } from '../../quota/windows.js';
import type { Retention } from '../retention.data.js';

const DAY_MS = 86_400_000;

/** Moments before this one are older than `days`. */
export const keptSinceMs = ({ days }: Pick<Retention, 'days'>, nowMs: number): number => nowMs - days * DAY_MS;

/** The first value of the column that is kept: rows below it go. */
export function keptFrom({ unit, days }: Pick<Retention, 'unit' | 'days'>, nowMs: number): string | number {
  const sinceMs = keptSinceMs({ days }, nowMs);
  switch (unit) {
    case 'instant':
      return new Date(sinceMs).toISOString();
    case 'day':
      return new Date(sinceMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
    case 'month':
      return monthOf(sinceMs);
    default:
      return unit satisfies never;
  }
}
