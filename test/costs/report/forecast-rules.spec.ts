import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { monthAt, monthBefore, recentDays } from '../../../src/costs/days.rules.js';
import { costForecastOf } from '../../../src/costs/report/forecast.rules.js';

const at = (day: string) => Date.parse(`${day}T15:00:00Z`);
const days = (nanos: Readonly<Record<string, bigint>>) =>
  Object.entries(nanos).map(([day, each]) => ({ day, nanos: each }));

describe('the forecast of a month', () => {
  test('adds the average of the complete days for today and each remaining day', () => {
    const costs = days({ '2026-06-01': 100n, '2026-06-02': 200n, '2026-06-04': 5n });
    // Two of three complete days have costs: 300 / 3 = 100 for each of the 27 other days.
    expect(costForecastOf(costs, true, at('2026-06-04'))).toEqual({
      nanos: 3000n,
      method: 'linear_by_complete_days',
      basedOnDays: 3,
    });
  });

  test('counts today with its cost if that is above the average', () => {
    const costs = days({ '2026-06-01': 100n, '2026-06-02': 1000n });
    expect(costForecastOf(costs, true, at('2026-06-02'))!.nanos).toBe(100n + 1000n + 28n * 100n);
  });

  test('rounds upwards, so that it is never below the average', () => {
    const costs = days({ '2026-06-28': 1n, '2026-06-29': 1n });
    // 2 / 29 of a nano-dollar for today, which is the last day.
    expect(costForecastOf(costs, true, at('2026-06-30'))!.nanos).toBe(3n);
  });

  test('the forecast does not exist on the first day of the month', () => {
    expect(costForecastOf(days({ '2026-06-01': 5n }), true, at('2026-06-01'))).toBeNull();
  });

  test('the forecast starts at the first day with costs if the gateway was not in use before', () => {
    const costs = days({ '2026-06-20': 10n, '2026-06-21': 20n });
    expect(costForecastOf(costs, false, at('2026-06-22'))).toMatchObject({ basedOnDays: 2, nanos: 30n + 15n + 120n });
    expect(costForecastOf(days({ '2026-06-22': 7n }), false, at('2026-06-22'))).toBeNull();
    expect(costForecastOf([], false, at('2026-06-22'))).toBeNull();
  });

  test('the forecast is never below the cost so far, and equals the sum if every day costs the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 2, max: 31 }), (nanos, today) => {
        const costs = Array.from({ length: today }, (_, n) => ({
          day: `2026-07-${String(n + 1).padStart(2, '0')}`,
          nanos,
        }));
        const forecast = costForecastOf(costs, true, Date.UTC(2026, 6, today, 23, 59))!;
        expect(forecast.nanos).toBe(31n * nanos);
        expect(forecast.basedOnDays).toBe(today - 1);
      }),
    );
  });
});

describe('months', () => {
  test('months have their first and last day in UTC, also in leap years and over the turn of the year', () => {
    expect(monthAt(Date.UTC(2028, 1, 29, 23, 59, 59, 999))).toEqual({
      name: '2028-02',
      from: '2028-02-01',
      to: '2028-02-29',
      today: '2028-02-29',
      length: 29,
    });
    expect(monthBefore(at('2027-01-01'))).toMatchObject({ name: '2026-12', from: '2026-12-01', to: '2026-12-31' });
    expect(recentDays(at('2027-01-31'))).toEqual({ from: '2026-12-01', to: '2027-01-31' });
  });
});
