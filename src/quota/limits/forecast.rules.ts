import { ROLLING_PARTS, type LimitPeriod } from './limit-terms.data.js';

/**
 * - `linear_in_period`: usage continues at the rate of the elapsed part of the period.
 * - `average_of_period`: usage continues at the rate of the filled part of a rolling period.
 * - `average_of_7_days`: usage continues at the rate of the last seven days.
 */
export const FORECAST_METHODS = ['linear_in_period', 'average_of_period', 'average_of_7_days'] as const;
export type ForecastMethod = (typeof FORECAST_METHODS)[number];

export interface Forecast {
  /** When the limit will be reached. Null if not within the period and the time that the forecast covers. */
  readonly reachedAtMs: number | null;
  /** Usage at the end of the period, in the unit of the limit. Null for periods without an end. */
  readonly amountAtReset: bigint | null;
  readonly method: ForecastMethod;
}

/** Amounts are in the unit of the limit. Times are whole milliseconds since 1970. */
export interface ForecastBasis {
  readonly period: LimitPeriod;
  readonly used: bigint;
  readonly amount: bigint;
  readonly nowMs: number;
  /**
   * The start of `usedSince`: the start of the period, or the first usage in a rolling period. For `total`, the start of the first of
   * the last seven days that has usage. Null if there is no usage.
   */
  readonly sinceMs: number | null;
  /** Usage since `sinceMs`. */
  readonly usedSince: bigint;
  /** The end of the period. Null if it has no end. */
  readonly endMs: number | null;
  /** When the limit itself ends. */
  readonly limitEndsAtMs: number | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The shortest part of a period on which a forecast is based. In a shorter part, a single request would dominate. */
const BASIS_SHARE = 1 / 24;
const TOTAL_BASIS_MS = HOUR_MS;
/** A later date would be a guess. */
const TOTAL_REACH_MS = 365 * DAY_MS;

/** Predicts when a limit is reached if usage continues at the same rate. Returns null if there is too little usage. */
export function limitForecastOf(basis: ForecastBasis): Forecast | null {
  const { used, amount, nowMs, sinceMs, usedSince, endMs, limitEndsAtMs } = basis;
  if (sinceMs === null || usedSince <= 0n || nowMs <= sinceMs) return null;
  const elapsedMs = nowMs - sinceMs;
  const { method, shortestMs, untilMs } = reachOf(basis, sinceMs);
  if (elapsedMs < shortestMs) return null;
  const elapsed = BigInt(elapsedMs);
  const usedIn = (ms: number) => (usedSince * BigInt(ms) + elapsed / 2n) / elapsed;
  const left = amount - used;
  const atMs = left <= 0n ? nowMs : nowMs + Number((left * elapsed + usedSince - 1n) / usedSince);
  return {
    reachedAtMs: atMs <= Math.min(untilMs, limitEndsAtMs ?? Infinity) ? atMs : null,
    amountAtReset: endMs === null ? null : used + usedIn(Math.max(0, endMs - nowMs)),
    method,
  };
}

const ALERT_PERIODS: readonly LimitPeriod[] = ['day', 'rolling_7d', 'week', 'month', 'total'];
const TOTAL_ALERT_MS = 30 * DAY_MS;

/** Shorter periods would end before an operator reads the alert. For `total`, the date must be within 30 days. */
export function isWorthAnAlert(period: LimitPeriod, forecast: Forecast | null, nowMs: number): boolean {
  const reachedAtMs = forecast?.reachedAtMs ?? null;
  if (reachedAtMs === null || !ALERT_PERIODS.includes(period)) return false;
  return period !== 'total' || reachedAtMs <= nowMs + TOTAL_ALERT_MS;
}

function reachOf(
  { period, nowMs, endMs }: ForecastBasis,
  sinceMs: number,
): { readonly method: ForecastMethod; readonly shortestMs: number; readonly untilMs: number } {
  const rolling = ROLLING_PARTS[period];
  if (endMs !== null)
    return { method: 'linear_in_period', shortestMs: (endMs - sinceMs) * BASIS_SHARE, untilMs: endMs };
  // Usage expires once the rolling period is full. A limit that is not reached by then is never reached at this rate.
  if (rolling !== undefined) {
    const lengthMs = rolling.partMs * rolling.parts;
    return { method: 'average_of_period', shortestMs: lengthMs * BASIS_SHARE, untilMs: sinceMs + lengthMs };
  }
  return { method: 'average_of_7_days', shortestMs: TOTAL_BASIS_MS, untilMs: nowMs + TOTAL_REACH_MS };
}
