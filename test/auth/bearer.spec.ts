import { describe, expect, test } from '@jest/globals';
import { bareKeyOf, bearerOf } from '../../src/auth/bearer-token.js';

describe('bearerOf', () => {
  test.each([undefined, '', '   ', '\t'])('the Authorization header %j counts as missing', (header) =>
    expect(bearerOf(header)).toEqual({ kind: 'missing' }),
  );

  test.each(['Bearer abc', 'bearer abc', 'BEARER abc', 'bEaReR   abc', ' Bearer\tabc '])(
    'the Authorization header %j contains a token',
    (header) => expect(bearerOf(header)).toEqual({ kind: 'token', token: 'abc' }),
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
  ])('the Authorization header %j is malformed', (header) => expect(bearerOf(header).kind).toBe('malformed'));

  test('long Authorization headers are parsed in less than 500 ms', () => {
    const started = performance.now();
    for (const header of [`Bearer ${' '.repeat(16_000)}`, `Bearer ${'a '.repeat(8_000)}`, 'Bearer\t'.repeat(2_000)])
      bearerOf(header);
    // It takes milliseconds. A pattern that backtracks would take seconds.
    expect(performance.now() - started).toBeLessThan(500);
  });
});

test('x-api-key contains the bare key', () => {
  expect(bareKeyOf(' abc ')).toEqual({ kind: 'token', token: 'abc' });
  expect(bareKeyOf('')).toEqual({ kind: 'missing' });
  expect(bareKeyOf(undefined)).toEqual({ kind: 'missing' });
});
