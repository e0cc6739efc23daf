import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatNanos, parsePrice } from '../../../src/costs/pricing/price-text.rules.js';

describe('parsePrice', () => {
  test.each([
    ['0', 0],
    ['0.0375', 37_500_000],
    ['1.25', 1_250_000_000],
    ['15', 15_000_000_000],
    ['0.000001', 1000],
    ['0.1', 100_000_000],
    ['0.3', 300_000_000],
    ['1.10', 1_100_000_000],
    ['40000', 40_000_000_000_000],
    ['9007199.25474', 9_007_199_254_740_000],
  ])('reads %s exactly', (text, nanos) => expect(parsePrice(text)).toBe(nanos));

  test.each([
    ['an empty text', ''],
    ['a sign', '-1'],
    ['a plus sign', '+1'],
    ['an exponent', '1e3'],
    ['a leading zero', '01'],
    ['a missing whole part', '.5'],
    ['a missing fraction', '1.'],
    ['seven decimals', '0.0000001'],
    ['ten digits', '1234567890'],
    ['a space', ' 1'],
    ['a line break', '1\n'],
    ['a separator', '1,000'],
    ['a decimal comma', '1,5'],
    ['a hexadecimal number', '0x10'],
    ['a word', 'NaN'],
    ['infinity', 'Infinity'],
    ['digits of another script', '١'],
    ['more than 2^53 - 1 nano-dollars', '9007199.254741'],
  ])('rejects %s', (_name, text) => expect(parsePrice(text)).toBeNull());

  test('reads every price that it can format', () => {
    const price = fc.integer({ min: 0, max: 9_007_199_254_740 }).map((micros) => micros * 1000);
    fc.assert(fc.property(price, (nanos) => parsePrice(formatNanos(nanos)) === nanos));
  });
});

describe('formatNanos', () => {
  test.each([
    [0n, '0'],
    [1n, '0.000000001'],
    [-500_000_000n, '-0.5'],
    [-1n, '-0.000000001'],
    [37_500_000n, '0.0375'],
    [1_000_000_000n, '1'],
    [12_345_678_901_234_567_890n, '12345678901.23456789'],
  ])('formats %s', (nanos, text) => expect(formatNanos(nanos)).toBe(text));
});
