import { describe, expect, test } from '@jest/globals';
import { bareKeyOf, bearerOf } from '../../src/auth/bearer-token.js';
import { growthOf, LINEAR_GROWTH_MAX } from '../support/cpu-time.js';

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

  test.each([
    ['spaces', (size: number) => `Bearer ${' '.repeat(size)}`],
    ['words', (size: number) => `Bearer ${'a '.repeat(size)}`],
    ['schemes', (size: number) => 'Bearer\t'.repeat(size)],
  ])('long Authorization headers of %s are parsed in linear time', (_what, headerOf) => {
    expect(growthOf(headerOf, 2_000, bearerOf)).toBeLessThan(LINEAR_GROWTH_MAX);
  });
});

test('x-api-key contains the bare key', () => {
  expect(bareKeyOf(' abc ')).toEqual({ kind: 'token', token: 'abc' });
  expect(bareKeyOf('')).toEqual({ kind: 'missing' });
  expect(bareKeyOf(undefined)).toEqual({ kind: 'missing' });
});
