import { dollars, nanosOf } from '../../parts/dollars';
import { count } from '../../parts/numbers';
import type { Limit, LimitAmount, LimitMeasure } from './limit-types';
import { MEASURES, PERIODS } from './limit-words.data';

export type NamedLimit = Pick<Limit, 'name' | 'measure' | 'period'>;

/** Returns `Cost per month` for a limit without a name. */
export const titleOf = ({ name, measure, period }: NamedLimit): string => name ?? kindOf({ measure, period });

/** Formats `Cost per month`. Concurrent requests have no period. */
export function kindOf({ measure, period }: Pick<Limit, 'measure' | 'period'>): string {
  const what = MEASURES[measure];
  return period === null || measure === 'concurrent_requests' ? what : `${what} ${PERIODS[period]}`;
}

/** Formats `$12.50` or `1,000`, without the unit. */
export const amountText = (measure: LimitMeasure, amount: LimitAmount): string =>
  measure === 'cost' ? dollars(String(amount)) : count(Number(amount));

export const UNITS: Readonly<Record<LimitMeasure, string>> = {
  cost: 'dollars',
  requests: 'requests',
  tokens: 'tokens',
  input_tokens: 'input tokens',
  output_tokens: 'output tokens',
  concurrent_requests: 'concurrent requests',
};

export const amountWithUnit = (measure: LimitMeasure, amount: LimitAmount): string =>
  measure === 'cost' ? amountText(measure, amount) : `${amountText(measure, amount)} ${UNITS[measure]}`;

/** Returns an exact integer: nano-dollars, requests or tokens. */
export const unitsOf = (measure: LimitMeasure, amount: LimitAmount): bigint =>
  measure === 'cost' ? nanosOf(String(amount)) : BigInt(amount);

/** Percentages of the amount, which add up to at most 100. */
export interface Shares {
  readonly used: number;
  readonly reserved: number;
}

const FULL = 100;

/** An amount of 0 is always reached. */
export function sharesOf({ measure, used, reserved, effective_amount }: Limit): Shares {
  const whole = unitsOf(measure, effective_amount);
  const part = (amount: LimitAmount) =>
    whole <= 0n ? FULL : Number((unitsOf(measure, amount) * 10_000n) / whole) / 100;
  const usedShare = Math.min(FULL, part(used));
  const reservedShare = whole <= 0n ? 0 : part(reserved);
  return { used: usedShare, reserved: Math.min(FULL - usedShare, reservedShare) };
}

export type LimitState = 'paused' | 'scheduled' | 'ended' | 'reached' | 'active';

export function stateOf(limit: Limit, nowMs: number): LimitState {
  const { enabled, starts_at, ends_at, measure, used, effective_amount } = limit;
  if (!enabled) return 'paused';
  if (ends_at !== null && Date.parse(ends_at) <= nowMs) return 'ended';
  if (starts_at !== null && Date.parse(starts_at) > nowMs) return 'scheduled';
  return unitsOf(measure, used) >= unitsOf(measure, effective_amount) ? 'reached' : 'active';
}

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Formats `on 14 Dec`, or `at 14:05` within a day. */
export function dateInWords(at: string, nowMs: number): string {
  const date = new Date(at);
  const ahead = date.getTime() - nowMs;
  if (ahead < DAY_MS) return `at ${time.format(date)}`;
  return `on ${(ahead < YEAR_MS ? day : dayAndYear).format(date)}`;
}

/** Describes the forecast at the current rate, or returns null without one. */
export function forecastText(limit: Limit, nowMs: number): string | null {
  const { forecast, measure } = limit;
  const state = stateOf(limit, nowMs);
  if (state === 'reached') return 'Reached now';
  if (state !== 'active' || forecast === null) return null;
  if (forecast.reached_at !== null) return `Will be reached ${dateInWords(forecast.reached_at, nowMs)} at this rate`;
  if (forecast.amount_at_reset === null) return null;
  return `${amountWithUnit(measure, forecast.amount_at_reset)} at the next reset at this rate`;
}

export const zoneText = (zone: string): string => (zone === 'UTC' ? 'UTC' : zone.replaceAll('_', ' '));
