import { describe, expect, test } from '@jest/globals';
import { usageRange } from '../../../src/stats/reports/usage-range.rules.js';

const at = (iso: string) => Date.parse(iso);
const range = (now: string, from?: string, to?: string) => {
  const days = usageRange(from === undefined ? undefined : at(from), to === undefined ? undefined : at(to), at(now));
  return `${days.from} ${days.to}`;
};

describe('usageRange', () => {
  test.each([
    ['2026-07-31T23:59:59.999Z', '2026-07-02 2026-07-31'],
    ['2026-08-01T00:00:00.000Z', '2026-07-03 2026-08-01'],
    ['2024-03-01T12:00:00Z', '2024-02-01 2024-03-01'],
    ['2025-03-01T12:00:00Z', '2025-01-31 2025-03-01'],
    ['2024-02-29T00:00:00Z', '2024-01-31 2024-02-29'],
    ['2026-01-01T00:00:00Z', '2025-12-03 2026-01-01'],
  ])('at %s the default range is the last 30 days including today: %s', (now, expected) => {
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
  ])('the range from %s to %s includes the days of both bounds: %s', (from, to, expected) => {
    expect(range('2026-08-15T00:00:00Z', from, to)).toBe(expected);
  });

  test('a range without `to` ends today, or on its first day if that is in the future', () => {
    expect(range('2026-08-15T10:00:00Z', '2026-01-01')).toBe('2026-01-01 2026-08-15');
    expect(range('2026-08-15T10:00:00Z', '2030-01-01')).toBe('2030-01-01 2030-01-01');
  });

  test('a range without `from` has 30 days, or fewer after 0001-01-01', () => {
    expect(range('2026-08-15T10:00:00Z', undefined, '2024-03-01')).toBe('2024-02-01 2024-03-01');
    expect(range('2026-08-15T10:00:00Z', undefined, '2040-01-30')).toBe('2040-01-01 2040-01-30');
    expect(range('2026-08-15T10:00:00Z', undefined, '0001-01-05')).toBe('0001-01-01 0001-01-05');
  });
});
