import { describe, expect, test } from '@jest/globals';
import {
  isSimulable,
  simulatePeriods,
  simulateRollingDays,
  type UsageDay,
} from '../../../src/quota/limits/simulation.rules.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-06-01T00:00:00Z');

/** Usage of consecutive UTC days, with one request per ten units. */
const daysOf = (units: readonly number[]): UsageDay[] =>
  units.map((each, at) => ({ startMs: START + at * DAY, lengthMs: DAY, units: BigInt(each), requests: each / 10 }));
const plain = (amount: bigint) => ({ amount, carryOver: null });
const days = (count: number, offsetMs = 0) =>
  Array.from({ length: count }, (_, at) => ({
    startMs: START + at * DAY + offsetMs,
    endMs: START + (at + 1) * DAY + offsetMs,
  }));

describe('calendar periods', () => {
  test('a period is reached at the time at which even usage reaches the amount', () => {
    const [first, second] = simulatePeriods(daysOf([400, 90]), days(2), plain(100n));
    expect(first).toEqual({
      startMs: START,
      endMs: START + DAY,
      used: 400n,
      reachedAtMs: START + 6 * HOUR,
      rejectedUnits: 300n,
      rejectedRequests: 30,
    });
    expect(second).toMatchObject({ used: 90n, reachedAtMs: null, rejectedUnits: 0n, rejectedRequests: 0 });
  });

  test('the usage of a period of several days adds up', () => {
    const week = [{ startMs: START, endMs: START + 7 * DAY }];
    expect(simulatePeriods(daysOf([50, 100, 100]), week, plain(100n))).toEqual([
      {
        ...week[0]!,
        used: 250n,
        reachedAtMs: START + 36 * HOUR,
        rejectedUnits: 150n,
        rejectedRequests: 15,
      },
    ]);
  });

  test('periods that begin within a UTC day get a share of that day', () => {
    const [first, second] = simulatePeriods(daysOf([240, 480]), days(2, -6 * HOUR), plain(1000n));
    expect([first!.used, second!.used]).toEqual([180n, 60n + 360n]);
  });

  test('periods that have not ended count the elapsed part of today', () => {
    const today = [{ startMs: START, lengthMs: 6 * HOUR, units: 60n, requests: 6 }];
    expect(simulatePeriods(today, days(1), plain(30n))).toMatchObject([
      { used: 60n, reachedAtMs: START + 3 * HOUR, rejectedUnits: 30n, rejectedRequests: 3 },
    ]);
  });

  test('a period carries over the remainder of the previous period', () => {
    const given = { amount: 100n, carryOver: 50n };
    const used = daysOf([30, 140, 100]);
    expect(simulatePeriods(used, days(3), given).map(({ rejectedUnits }) => rejectedUnits)).toEqual([0n, 0n, 0n]);
    expect(simulatePeriods(used, days(3), plain(100n)).map(({ rejectedUnits }) => rejectedUnits)).toEqual([
      0n,
      40n,
      0n,
    ]);
    expect(simulatePeriods(daysOf([30, 160]), days(2), given)[1]).toMatchObject({ rejectedUnits: 10n });
  });

  test('periods with an amount of 0 are reached at their start', () => {
    expect(simulatePeriods(daysOf([10, 0]), days(2), plain(0n))).toMatchObject([
      { reachedAtMs: START, rejectedUnits: 10n, rejectedRequests: 1 },
      { reachedAtMs: null, rejectedUnits: 0n },
    ]);
  });
});

describe('a rolling week', () => {
  test('a rolling week rejects usage until earlier usage has left, part by part', () => {
    const simulated = simulateRollingDays(daysOf([60, 60, 0, 0, 0, 0, 0, 70, 70]), 100n);
    // The second day has room for 40. On the eighth and ninth day, room appears one part of two hours after the usage of a week before.
    expect(simulated.map(({ rejectedUnits }) => rejectedUnits)).toEqual([0n, 20n, 0n, 0n, 0n, 0n, 0n, 15n, 25n]);
    expect(simulated[8]).toMatchObject({
      startMs: START + 2 * DAY,
      endMs: START + 9 * DAY,
      reachedAtMs: START + 8 * DAY + 2 * HOUR,
    });
  });

  test('a rolling week shows the highest usage of seven days without the limit', () => {
    const [first, second] = simulateRollingDays(daysOf([100, 50]), 10n);
    expect([first!.used, second!.used]).toEqual([100n, 150n]);
  });

  test('a rolling week ignores days that are not stored', () => {
    const [first, , , , , , , , last] = daysOf([100, 0, 0, 0, 0, 0, 0, 0, 100]);
    expect(simulateRollingDays([first!, last!], 100n).map(({ rejectedUnits }) => rejectedUnits)).toEqual([0n, 0n]);
  });
});

test('only periods of at least a day can be simulated', () => {
  const simulable = (['minute', 'hour', 'rolling_5h', 'day', 'rolling_7d', 'week', 'month', 'total'] as const).filter(
    (period) => isSimulable(period, false),
  );
  expect(simulable).toEqual(['day', 'rolling_7d', 'week', 'month', 'total']);
  expect(isSimulable('total', true)).toBe(false);
});
