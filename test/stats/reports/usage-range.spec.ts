import { describe, expect, test } from '@jest/globals';
import { dateAt, usageRange } from '../../../src/stats/reports/usage-range.rules.js';

const at = (iso: string) => Date.parse(iso);
const range = (now: string, from?: string, to?: string) => {
  const days = usageRange(from === undefined ? undefined : at(from), to === undefined ? undefined : at(to), at(now));
  return `${days.from} ${days.to}`;
};

describe('the days of usage', () => {
  test.each([
    ['2026-07-31T23:59:59.999Z', '2026-07-02 2026-07-31'],
    ['2026-08-01T00:00:00.000Z', '2026-07-03 2026-08-01'],
    ['2024-03-01T12:00:00Z', '2024-02-01 2024-03-01'],
    ['2025-03-01T12:00:00Z', '2025-01-31 2025-03-01'],
    ['2024-02-29T00:00:00Z', '2024-01-31 2024-02-29'],
    ['2026-01-01T00:00:00Z', '2025-12-03 2026-01-01'],
  ])('are at %s without bounds the last 30, today among them: %s', (now, expected) => {
    expect(range(now)).toBe(expected);
    const [from, to] = expected.split(' ').map(at) as [number, number];
    expect((to - from) / 86_400_000 + 1).toBe(30);
  });

  test.each([
    ['2026-07-01', '2026-07-31', '2026-07-01 2026-07-31'],
    ['2026-07-01T23:59:59.999Z', '2026-07-31T00:00:00Z', '2026-07-01 2026-07-31'],
    ['2026-07-31T22:00:00-03:00', '2026-08-01', '2026-08-01 2026-08-01'],
    ['2024-02-29', '2024-02-29T12:00:00Z', '2024-02-29 2024-02-29'],
    ['0001-01-01', '9999-12-31', '0001-01-01 9999-12-31'],
  ])('from %s to %s are all that these lie on, both included', (from, to, expected) => {
    expect(range('2026-08-15T00:00:00Z', from, to)).toBe(expected);
  });

  test('end today without an end, or on the first where that lies ahead', () => {
    expect(range('2026-08-15T10:00:00Z', '2026-01-01')).toBe('2026-01-01 2026-08-15');
    expect(range('2026-08-15T10:00:00Z', '2030-01-01')).toBe('2030-01-01 2030-01-01');
  });

  test('are 30 up to the end without a first, where the calendar has as many', () => {
    expect(range('2026-08-15T10:00:00Z', undefined, '2024-03-01')).toBe('2024-02-01 2024-03-01');
    expect(range('2026-08-15T10:00:00Z', undefined, '2040-01-30')).toBe('2040-01-01 2040-01-30');
    expect(range('2026-08-15T10:00:00Z', undefined, '0001-01-05')).toBe('0001-01-01 0001-01-05');
  });

  test('before 1970 begin at midnight too', () => {
    expect([dateAt(-1), dateAt(0), dateAt(-86_400_000)]).toEqual(['1969-12-31', '1970-01-01', '1969-12-31']);
  });
});
