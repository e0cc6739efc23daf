import { describe, expect, test } from '@jest/globals';
import { bareKeyOf, bearerOf } from '../../src/auth/credentials.js';

describe('an Authorization header', () => {
  test.each([undefined, '', '   ', '\t'])('%j is none', (header) =>
    expect(bearerOf(header)).toEqual({ kind: 'missing' }),
  );

  test.each(['Bearer abc', 'bearer abc', 'BEARER abc', 'bEaReR   abc', ' Bearer\tabc '])('%j holds a token', (header) =>
    expect(bearerOf(header)).toEqual({ kind: 'token', token: 'abc' }),
  );

  test.each([
    'Bearer',
    'Bearer ',
    'Bearerabc',
    'Bearer: abc',
    'Basic abc',
    'abc',
    'Bearer a b',
    'Bearer Bearer abc',
    'x Bearer abc',
  ])('%j holds none', (header) => expect(bearerOf(header).kind).toBe('malformed'));

  test('of any length is read in no time', () => {
    const started = performance.now();
    for (const header of [`Bearer ${' '.repeat(16_000)}`, `Bearer ${'a '.repeat(8_000)}`, 'Bearer\t'.repeat(2_000)])
      bearerOf(header);
    // Milliseconds in truth; a pattern that goes back and forth would take seconds.
    expect(performance.now() - started).toBeLessThan(500);
  });
});

test('x-api-key holds the bare key', () => {
  expect(bareKeyOf(' abc ')).toEqual({ kind: 'token', token: 'abc' });
  expect(bareKeyOf('')).toEqual({ kind: 'missing' });
  expect(bareKeyOf(undefined)).toEqual({ kind: 'missing' });
});
