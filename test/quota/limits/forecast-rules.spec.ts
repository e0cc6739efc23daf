import { describe, expect, test } from '@jest/globals';
import { type ForecastBasis, limitForecastOf, isWorthAnAlert } from '../../../src/quota/limits/forecast.rules.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-06-01T00:00:00Z');
const END = Date.parse('2026-07-01T00:00:00Z');

const basis = (fields: Partial<ForecastBasis> = {}): ForecastBasis => ({
  period: 'month',
  used: 100n,
  amount: 200n,
  nowMs: START + 10 * DAY,
  sinceMs: START,
  usedSince: fields.used ?? 100n,
  endMs: END,
  limitEndsAtMs: null,
  ...fields,
});
const rolling = (fields: Partial<ForecastBasis>): ForecastBasis => basis({ endMs: null, ...fields });

describe('the forecast for a period with an end', () => {
  test('usage continues at the rate of the elapsed part', () => {
    expect(limitForecastOf(basis())).toEqual({
      reachedAtMs: START + 20 * DAY,
      amountAtReset: 300n,
      method: 'linear_in_period',
    });
  });

  test('a limit that is not reached before the end has no date', () => {
    expect(limitForecastOf(basis({ amount: 301n }))).toMatchObject({ reachedAtMs: null, amountAtReset: 300n });
    expect(limitForecastOf(basis({ amount: 300n }))).toMatchObject({ reachedAtMs: END });
  });

  test('a limit that is already reached has the current time as its date', () => {
    expect(limitForecastOf(basis({ used: 200n }))).toMatchObject({ reachedAtMs: START + 10 * DAY });
  });

  test('usage counts from a reset within the period', () => {
    const sinceMs = START + 9 * DAY;
    expect(limitForecastOf(basis({ sinceMs, amount: 300n }))).toMatchObject({ reachedAtMs: START + 12 * DAY });
  });

  test('a limit that ends before it is reached has no date', () => {
    expect(limitForecastOf(basis({ limitEndsAtMs: START + 19 * DAY }))).toMatchObject({ reachedAtMs: null });
  });

  test.each<[string, Partial<ForecastBasis>]>([
    ['without usage', { used: 0n }],
    ['in the first 24th of the period', { nowMs: START + 29 * HOUR }],
    ['before the period', { nowMs: START - 1 }],
  ])('there is no forecast %s', (_when, fields) => {
    expect(limitForecastOf(basis(fields))).toBeNull();
  });
});

describe('the forecast for a rolling period', () => {
  test('usage continues at the rate of the filled part, and the limit is reached before usage expires', () => {
    const nowMs = START + DAY;
    // The first usage leaves the period after 7 days and 2 hours.
    expect(limitForecastOf(rolling({ period: 'rolling_7d', nowMs, amount: 708n }))).toEqual({
      reachedAtMs: START + 7.08 * DAY,
      amountAtReset: null,
      method: 'average_of_period',
    });
    expect(limitForecastOf(rolling({ period: 'rolling_7d', nowMs, amount: 709n }))).toMatchObject({
      reachedAtMs: null,
    });
    expect(limitForecastOf(rolling({ period: 'rolling_5h', nowMs: START + HOUR, amount: 500n }))).toMatchObject({
      reachedAtMs: START + 5 * HOUR,
    });
  });

  test('a limit that a full period does not reach has no date', () => {
    const nowMs = START + 7 * DAY + 2 * HOUR;
    expect(limitForecastOf(rolling({ period: 'rolling_7d', nowMs, amount: 101n }))).toMatchObject({
      reachedAtMs: null,
    });
  });
});

describe('the forecast for a total', () => {
  const total = { period: 'total', used: 5000n, amount: 6000n, usedSince: 700n, nowMs: START + 7 * DAY } as const;

  test('usage continues at the rate of the last seven days', () => {
    expect(limitForecastOf(rolling(total))).toEqual({
      reachedAtMs: START + 17 * DAY,
      amountAtReset: null,
      method: 'average_of_7_days',
    });
  });

  test('a date after more than a year is not reported', () => {
    expect(limitForecastOf(rolling({ ...total, amount: 5000n + 36_501n }))).toMatchObject({ reachedAtMs: null });
  });

  test('a total without usage in these days has no forecast', () => {
    expect(limitForecastOf(rolling({ ...total, usedSince: 0n, sinceMs: null }))).toBeNull();
  });
});

describe('an alert', () => {
  const at = (reachedAtMs: number | null) =>
    ({ reachedAtMs, amountAtReset: null, method: 'linear_in_period' }) as const;

  test('an alert needs a date, and a period of at least a day', () => {
    expect(isWorthAnAlert('month', at(END), START)).toBe(true);
    expect(isWorthAnAlert('month', at(null), START)).toBe(false);
    expect(isWorthAnAlert('month', null, START)).toBe(false);
    for (const period of ['minute', 'hour', 'rolling_5h'] as const)
      expect(isWorthAnAlert(period, at(END), START)).toBe(false);
  });

  test('an alert about a total needs a date within 30 days', () => {
    expect(isWorthAnAlert('total', at(START + 30 * DAY), START)).toBe(true);
    expect(isWorthAnAlert('total', at(START + 31 * DAY), START)).toBe(false);
  });
});
