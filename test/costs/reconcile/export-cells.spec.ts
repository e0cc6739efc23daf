import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf } from '../../../src/costs/days.rules.js';
import { parseDecimal, parseMoment } from '../../../src/costs/reconcile/export-columns.rules.js';
import { percentOf } from '../../../src/costs/reconcile/differences.rules.js';

describe('amounts', () => {
  test.each([
    ['0.8958740000000000', 895_874_000n, false],
    ['0.003835980000000000000000000000', 3_835_980n, false],
    ['1', 1_000_000_000n, false],
    ['.5', 500_000_000n, false],
    [' $1.50 ', 1_500_000_000n, false],
    ['-0.25', -250_000_000n, false],
    ['4.5e-06', 4_500n, false],
    ['1.25E+2', 125_000_000_000n, false],
    ['0.0000000004', 0n, true],
    ['0.0000000005', 1n, true],
    ['-0.0000000005', -1n, true],
    ['0.1234567891', 123_456_789n, true],
    ['0.12345678949999999999', 123_456_789n, true],
    ['123456789012345.000000001', 123_456_789_012_345_000_000_001n, false],
  ])('%s is read exactly', (text, nanos, rounded) => {
    expect(parseDecimal(text, 9)).toMatchObject({ value: nanos, rounded });
  });

  test.each([
    '',
    '-',
    '.',
    '$',
    'abc',
    '1,234',
    '1.234,5',
    '1 000',
    '1.2.3',
    '0x10',
    'NaN',
    'Infinity',
    '1e',
    '1e999',
    '1'.repeat(16),
  ])('%j is not an amount', (text) => expect(parseDecimal(text, 9)).toBeNull());

  test('amounts with up to nine decimals are read exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 23n }), (nanos) => {
        const digits = String(nanos).padStart(10, '0');
        expect(parseDecimal(`${digits.slice(0, -9)}.${digits.slice(-9)}`, 9)).toMatchObject({
          value: nanos,
          rounded: false,
        });
      }),
    );
  });

  test('reading an amount never throws, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.eE+-$ ,') }), (text) => void parseDecimal(text, 9)),
    );
  });
});

describe('counts', () => {
  test.each([
    ['10.0', 10n, false],
    ['59200', 59_200n, false],
    ['1.5', 2n, true],
  ])('%s is read exactly', (text, value, rounded) => {
    expect(parseDecimal(text, 0)).toMatchObject({ value, rounded });
  });
});

describe('days', () => {
  test.each([
    ['2026-03-31', '2026-03-31'],
    ['2026-03-31 02:00', '2026-03-31'],
    ['2026-03-31 23:59:59 UTC', '2026-03-31'],
    ['2025-10-05T00:00:00+00:00', '2025-10-05'],
    ['2025-10-05T00:00:00', '2025-10-05'],
    ['2025-10-05T00:00:00+02:00', '2025-10-04'],
    ['1759622400', '2025-10-05'],
    ['1759622400.0', '2025-10-05'],
  ])('%s is on %s (UTC)', (text, day) => {
    expect(dayOf(parseMoment(text)!)).toBe(day);
  });

  test.each(['', '10/05/2025', '2025-02-30', '20251005', 'yesterday', '1999-01-01', '2100-01-01', '1759622400000'])(
    '%j is not a date',
    (text) => expect(parseMoment(text)).toBeNull(),
  );
});

test.each([
  [-1n, 3n, '-33.33'],
  [2n, 3n, '66.67'],
  [1n, 20_000n, '0.01'],
  [-1n, 20_001n, '0.00'],
  [1n, -4n, '-25.00'],
  [10n ** 30n, 1n, `${10n ** 32n}.00`],
  [1n, 0n, null],
])('%s of %s is %s percent', (part, whole, percent) => {
  expect(percentOf(part, whole)).toBe(percent);
});
