import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  dayNumberOf,
  dayResetsAtMs,
  minuteOf,
  minuteResetsAtMs,
  monthOf,
  monthResetsAtMs,
  secondsUntil,
} from '../../src/quota/utc-windows.rules.js';

const instants = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) });
const WINDOWS = [
  ['minute', minuteOf, minuteResetsAtMs, 16],
  ['day', dayNumberOf, dayResetsAtMs, 10],
  ['month', monthOf, monthResetsAtMs, 7],
] as const;

describe.each(WINDOWS)('calendar windows of a %s', (_name, numberOf, resetsAtMs, isoLength) => {
  const label = (ms: number): string => new Date(ms).toISOString().slice(0, isoLength);

  test('two times have the same window number exactly if they are in the same calendar window', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -3e9, max: 3e9 }), (ms, gap) => {
        const other = Math.max(0, ms + gap);
        expect(numberOf(ms) === numberOf(other)).toBe(label(ms) === label(other));
      }),
    );
  });

  test('a window ends when the next one starts', () => {
    fc.assert(
      fc.property(instants, (ms) => {
        const next = resetsAtMs(numberOf(ms));
        expect(next).toBeGreaterThan(ms);
        expect(label(next - 1)).toBe(label(ms));
        expect(numberOf(next)).toBe(numberOf(ms) + 1);
      }),
    );
  });
});

test.each([
  [0, 0, 1],
  [1000, 999, 1],
  [1000, 0, 1],
  [1001, 0, 2],
  [60_000, 30_500, 30],
  [0, 5000, 1],
])('secondsUntil of %i at %i is %i', (at, now, seconds) => {
  expect(secondsUntil(at, now)).toBe(seconds);
});
