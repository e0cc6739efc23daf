import { describe, expect, test } from '@jest/globals';
import { countsAt, grantedOf } from '../../src/quota/last-counts.js';
import type { StoredCounts } from '../../src/quota/quota-counts.js';
import { dayOf, minuteOf, monthOf } from '../../src/quota/windows.js';

const NOW = Date.UTC(2030, 5, 15, 12, 30, 30);
const MINUTE = 60_000;
const DAY = 86_400_000;
const SEEN: StoredCounts = {
  ...{ version: 7, nowMs: NOW, minute: minuteOf(NOW), day: dayOf(NOW), month: monthOf(NOW) },
  ...{ minuteUsed: 1, dayUsed: 20, monthUsed: 300, tokens: 4000 },
};

describe('what the store would hold by now', () => {
  const KEPT = { ...SEEN, minuteUsed: 3, dayUsed: 22, monthUsed: 302 };
  const windowsAt = (nowMs: number) => ({ minute: minuteOf(nowMs), day: dayOf(nowMs), month: monthOf(nowMs) });

  test.each<[string, number, Partial<StoredCounts>]>([
    ['in the same minute: two more', NOW + 29_000, {}],
    ['in the minute before, the clock having been put back: the same', NOW - MINUTE, {}],
    ['two minutes before: the minute begins anew', NOW - 2 * MINUTE, { minute: minuteOf(NOW) - 2, minuteUsed: 0 }],
    ['in the next minute: it begins anew', NOW + MINUTE, { minute: minuteOf(NOW) + 1, minuteUsed: 0 }],
    ['on the day before: the day stands', NOW - DAY, { minute: minuteOf(NOW - DAY), minuteUsed: 0 }],
    [
      'two days before: the day too begins anew',
      NOW - 2 * DAY,
      { ...windowsAt(NOW - 2 * DAY), minuteUsed: 0, dayUsed: 0 },
    ],
    ['on the next day: so it does', NOW + DAY, { ...windowsAt(NOW + DAY), minuteUsed: 0, dayUsed: 0 }],
    [
      'in the month before: the month and its tokens stand',
      Date.UTC(2030, 4, 15),
      { ...windowsAt(Date.UTC(2030, 4, 15)), minuteUsed: 0, dayUsed: 0, month: monthOf(NOW) },
    ],
    [
      'in the next month: all begin anew, the tokens too',
      Date.UTC(2030, 6, 1),
      { ...windowsAt(Date.UTC(2030, 6, 1)), minuteUsed: 0, dayUsed: 0, monthUsed: 0, tokens: 0 },
    ],
  ])('%s', (_when, nowMs, changed) => {
    expect(countsAt(SEEN, 2, nowMs)).toEqual({ ...KEPT, nowMs, ...changed });
  });
});

describe('of the requests that ask', () => {
  const LIMITS = { rpmLimit: 10, rpdLimit: 100, monthlyLimit: null, monthlyTokenLimit: null };
  test.each<[string, Partial<typeof LIMITS> | Record<string, number>, number]>([
    ['all pass where every window has room', {}, 5],
    ['so many as the minute has room for', { rpmLimit: 4 }, 3],
    ['so many as the day has room for', { rpdLimit: 22 }, 2],
    ['so many as the month has room for', { monthlyLimit: 301 }, 1],
    ['none where a window is over its limit', { rpdLimit: 19 }, 0],
    ['none where the tokens are used up', { monthlyTokenLimit: 4000 }, 0],
    ['all where one token is left', { monthlyTokenLimit: 4001 }, 5],
  ])('%s', (_what, limits, granted) => {
    expect(grantedOf(SEEN, { ...LIMITS, ...limits }, 5)).toBe(granted);
  });
});
