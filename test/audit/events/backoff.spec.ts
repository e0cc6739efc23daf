import { expect, test } from '@jest/globals';
import { retryDelayMs } from '../../../src/audit/events/delivery/delivery-retry.rules.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** Returns all pauses of a delivery that never succeeds and whose attempts take no time. */
function pausesOf(random: number): number[] {
  const pauses: number[] = [];
  for (let sinceFirstMs = 0; ;) {
    const pauseMs = retryDelayMs(pauses.length + 1, sinceFirstMs, random);
    if (pauseMs === null) return pauses;
    pauses.push(pauseMs);
    sinceFirstMs += pauseMs;
  }
}
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

test('retries start after 10 s, and the pauses grow to 4 hours', () => {
  const pauses = pausesOf(0);
  expect(pauses.slice(0, 4)).toEqual([10 * SECOND, 30 * SECOND, 90 * SECOND, 270 * SECOND]);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses.at(-1)).toBe(4 * HOUR);
});

test.each([0, 0.5, 0.999])('the last retry is 19 to 24 hours after the first attempt, with jitter %d', (random) => {
  const pauses = pausesOf(random);
  expect(sum(pauses)).toBeLessThanOrEqual(24 * HOUR);
  expect(sum(pauses)).toBeGreaterThan(19 * HOUR);
  expect(pauses.length).toBeGreaterThan(10);
});

test('jitter lengthens a pause by at most 10%', () => {
  expect(retryDelayMs(1, 0, 1)).toBe(11 * SECOND);
  expect(retryDelayMs(9, 0, 1)).toBe(264 * 60 * SECOND);
});

test('a delivery is retried for at most a day, no matter how long its attempts take', () => {
  expect(retryDelayMs(2, 24 * HOUR - 30 * SECOND, 0)).toBe(30 * SECOND);
  expect(retryDelayMs(2, 24 * HOUR - 29 * SECOND, 0)).toBeNull();
});
