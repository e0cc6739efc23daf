import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';

/** Compares like `toEqual`, which would take most of the CPU time of a test that compares thousands of values. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
