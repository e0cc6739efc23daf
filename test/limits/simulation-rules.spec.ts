import { describe, expect, test } from '@jest/globals';
import { isSimulable, simulatePeriods, simulateRollingDays, type UsageDay } from '../../src/limits/simulation.rules.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-06-01T00:00:00Z');

/** Usage of consecutive UTC days, with one request per ten units. */
const daysOf = (units: readonly number[]): UsageDay[] =>
  units.map((each, at) => ({ startMs: START + at * DAY, lengthMs: DAY, units: each, requests: each / 10 }));
const plain = (amount: number) => ({ amount, carryOver: null });
const days = (count: number, offsetMs = 0) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ startMs: START + at * DAY + offsetMs, endMs: START + (at + 1) * DAY + offsetMs },
  }));

describe('calendar periods', () => {
  test('a period is reached at the time at which even usage reaches the amount', () => {
    const [first, second] = simulatePeriods(daysOf([400, 90]), days(2), plain(100));
    expect(first).toEqual({
      ...{ startMs: START, endMs: START + DAY, used: 400, reachedAtMs: START + 6 * HOUR },
      ...{ refusedUnits: 300, refusedRequests: 30 },
    });
    expect(second).toMatchObject({ used: 90, reachedAtMs: null, refusedUnits: 0, refusedRequests: 0 });
  });

  test('the usage of a period of several days adds up', () => {
    const week = [{ startMs: START, endMs: START + 7 * DAY }];
    expect(simulatePeriods(daysOf([50, 100, 100]), week, plain(100))).toEqual([
      {
        ...{ ...week[0]!, used: 250, reachedAtMs: START + 36 * HOUR },
        ...{ refusedUnits: 150, refusedRequests: 15 },
      },
    ]);
  });

  test('periods that begin within a UTC day get a share of that day', () => {
    const [first, second] = simulatePeriods(daysOf([240, 480]), days(2, -6 * HOUR), plain(1000));
    expect([first!.used, second!.used]).toEqual([180, 60 + 360]);
  });

  test('periods that have not ended count the elapsed part of today', () => {
    const today = [{ startMs: START, lengthMs: 6 * HOUR, units: 60, requests: 6 }];
    expect(simulatePeriods(today, days(1), plain(30))).toMatchObject([
      { used: 60, reachedAtMs: START + 3 * HOUR, refusedUnits: 30, refusedRequests: 3 },
    ]);
  });

  test('a period carries over the remainder of the previous period', () => {
    const given = { amount: 100, carryOver: 50 };
    const used = daysOf([30, 140, 100]);
    expect(simulatePeriods(used, days(3), given).map(({ refusedUnits }) => refusedUnits)).toEqual([0, 0, 0]);
    expect(simulatePeriods(used, days(3), plain(100)).map(({ refusedUnits }) => refusedUnits)).toEqual([0, 40, 0]);
    expect(simulatePeriods(daysOf([30, 160]), days(2), given)[1]).toMatchObject({ refusedUnits: 10 });
  });

  test('periods with an amount of 0 are reached at their start', () => {
    expect(simulatePeriods(daysOf([10, 0]), days(2), plain(0))).toMatchObject([
      { reachedAtMs: START, refusedUnits: 10, refusedRequests: 1 },
      { reachedAtMs: null, refusedUnits: 0 },
    ]);
  });
});

describe('a rolling week', () => {
  test('a rolling week rejects usage that exceeds the remainder of the six previous days', () => {
    const refused = simulateRollingDays(daysOf([60, 60, 0, 0, 0, 0, 0, 70, 70]), 100);
    // The second day has room for 40. The first day has left the period on the eighth day, the second day on the ninth.
    expect(refused.map(({ refusedUnits }) => refusedUnits)).toEqual([0, 20, 0, 0, 0, 0, 0, 10, 30]);
  });

  test('a rolling week ignores days that are not stored', () => {
    const [first, , , , , , , last] = daysOf([100, 0, 0, 0, 0, 0, 0, 100]);
    expect(simulateRollingDays([first!, last!], 100).map(({ refusedUnits }) => refusedUnits)).toEqual([0, 0]);
  });
});

test('only periods of at least a day can be simulated', () => {
  const simulable = (['minute', 'hour', 'rolling_5h', 'day', 'rolling_7d', 'week', 'month', 'total'] as const).filter(
    (period) => isSimulable(period, false),
  );
  expect(simulable).toEqual(['day', 'rolling_7d', 'week', 'month', 'total']);
  expect(isSimulable('total', true)).toBe(false);
});
