import { expect, test } from '@jest/globals';
import { pauseAfter } from '../../src/events/delivery/delivery-retry.rules.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** All pauses of one delivery that never succeeds and whose attempts take no time. */
function pausesOf(random: number): number[] {
  const pauses: number[] = [];
  for (let sinceFirstMs = 0; ;) {
    const pauseMs = pauseAfter(pauses.length + 1, sinceFirstMs, random);
    if (pauseMs === null) return pauses;
    pauses.push(pauseMs);
    sinceFirstMs += pauseMs;
  }
}
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

test('the first retry comes after 10 s, and each pause is longer than the one before, up to 4 hours', () => {
  const pauses = pausesOf(0);
  expect(pauses.slice(0, 4)).toEqual([10 * SECOND, 30 * SECOND, 90 * SECOND, 270 * SECOND]);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses.at(-1)).toBe(4 * HOUR);
});

test.each([0, 0.5, 0.999])('the last retry lies within a day, and less than a pause before its end (%d)', (random) => {
  const pauses = pausesOf(random);
  expect(sum(pauses)).toBeLessThanOrEqual(24 * HOUR);
  expect(sum(pauses)).toBeGreaterThan(19 * HOUR);
  expect(pauses.length).toBeGreaterThan(10);
});

test('a pause is made longer by a tenth at most', () => {
  expect(pauseAfter(1, 0, 1)).toBe(11 * SECOND);
  expect(pauseAfter(9, 0, 1)).toBe(264 * 60 * SECOND);
});

test('however long the first attempts took, a delivery is tried for a day and no longer', () => {
  expect(pauseAfter(2, 24 * HOUR - 30 * SECOND, 0)).toBe(30 * SECOND);
  expect(pauseAfter(2, 24 * HOUR - 29 * SECOND, 0)).toBeNull();
});
