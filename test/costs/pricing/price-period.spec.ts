import { describe, expect, test } from '@jest/globals';
import { appliesAt } from '../../../src/costs/pricing/price-row.js';
import { priceRow } from './reports.js';

const ms = (time: string) => Date.parse(`2026-01-02T${time}Z`);

describe('a price', () => {
  test('a price applies from its start until before its end', () => {
    const row = priceRow({ validFromMs: ms('10:00:00'), validToMs: ms('11:00:00') });
    const times = ['09:59:59.999', '10:00:00', '10:59:59.999', '11:00:00'];
    expect(times.map((time) => appliesAt(row, ms(time)))).toEqual([false, true, true, false]);
  });

  test('a price applies at any time without a period', () => {
    expect([0, Number.MAX_SAFE_INTEGER].map((time) => appliesAt(priceRow({}), time))).toEqual([true, true]);
  });

  test.each([
    [{ start: 3600, end: 7200 }, [false, true, true, false]],
    [{ start: 7200, end: 3600 }, [true, false, false, true]],
    [{ start: 3600, end: 3600 }, [false, false, false, false]],
  ])('a price applies at the hours %j', (hours, expected) => {
    const times = ['00:59:59.999', '01:00:00', '01:59:59.999', '02:00:00'];
    expect(times.map((time) => appliesAt(priceRow({ hours }), ms(time)))).toEqual(expected);
  });

  test('a price applies only where the period and the hours overlap', () => {
    const row = priceRow({ validFromMs: ms('01:30:00'), hours: { start: 3600, end: 7200 } });
    expect(['01:15:00', '01:45:00'].map((time) => appliesAt(row, ms(time)))).toEqual([false, true]);
  });
});
