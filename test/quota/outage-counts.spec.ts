import { describe, expect, test } from '@jest/globals';
import { countsAt, grantedOf } from '../../src/quota/last-counts.js';
import type { StoredCounts, QuotaLimits } from '../../src/quota/verdict.rules.js';
import { dayNumberOf, minuteOf, monthOf } from '../../src/quota/utc-windows.rules.js';

const NOW = Date.UTC(2030, 5, 15, 12, 30, 30);
const MINUTE = 60_000;
const DAY = 86_400_000;
const SEEN: StoredCounts = {
  version: 7,
  nowMs: NOW,
  minute: minuteOf(NOW),
  day: dayNumberOf(NOW),
  month: monthOf(NOW),
  minuteUsed: 1,
  dayUsed: 20,
  monthUsed: 300,
  tokens: 4000,
  additionalTokens: 500,
};

describe('countsAt', () => {
  const KEPT = { ...SEEN, minuteUsed: 3, dayUsed: 22, monthUsed: 302 };
  const windowsAt = (nowMs: number) => ({ minute: minuteOf(nowMs), day: dayNumberOf(nowMs), month: monthOf(nowMs) });

  test.each<[string, number, Partial<StoredCounts>]>([
    ['adds two requests in the same minute', NOW + 29_000, {}],
    ['keeps the minute if the clock is set back by one minute', NOW - MINUTE, {}],
    [
      'restarts the minute if the clock is set back by two minutes',
      NOW - 2 * MINUTE,
      { minute: minuteOf(NOW) - 2, minuteUsed: 0 },
    ],
    ['restarts the minute in the next minute', NOW + MINUTE, { minute: minuteOf(NOW) + 1, minuteUsed: 0 }],
    ['keeps the day if the clock is set back by one day', NOW - DAY, { minute: minuteOf(NOW - DAY), minuteUsed: 0 }],
    [
      'restarts the day if the clock is set back by two days',
      NOW - 2 * DAY,
      { ...windowsAt(NOW - 2 * DAY), minuteUsed: 0, dayUsed: 0 },
    ],
    ['restarts the day on the next day', NOW + DAY, { ...windowsAt(NOW + DAY), minuteUsed: 0, dayUsed: 0 }],
    [
      'keeps the month and its tokens if the clock is set back by one month',
      Date.UTC(2030, 4, 15),
      { ...windowsAt(Date.UTC(2030, 4, 15)), minuteUsed: 0, dayUsed: 0, month: monthOf(NOW) },
    ],
    [
      'restarts all windows and the tokens in the next month',
      Date.UTC(2030, 6, 1),
      { ...windowsAt(Date.UTC(2030, 6, 1)), minuteUsed: 0, dayUsed: 0, monthUsed: 0, tokens: 0, additionalTokens: 0 },
    ],
  ])('countsAt %s', (_effect, nowMs, changed) => {
    expect(countsAt(SEEN, 2, nowMs)).toEqual({ ...KEPT, nowMs, ...changed });
  });
});

describe('grantedOf', () => {
  const LIMITS: QuotaLimits = {
    rpmLimit: 10,
    rpdLimit: 100,
    monthlyLimit: null,
    monthlyTokenLimit: null,
    tokenCounting: 'specification',
  };
  test.each<[string, Partial<QuotaLimits>, number]>([
    ['all requests if every window has room', {}, 5],
    ['as many requests as the minute has room for', { rpmLimit: 4 }, 3],
    ['as many requests as the day has room for', { rpdLimit: 22 }, 2],
    ['as many requests as the month has room for', { monthlyLimit: 301 }, 1],
    ['no requests if a window is over its limit', { rpdLimit: 19 }, 0],
    ['no requests if the tokens are used up', { monthlyTokenLimit: 4000 }, 0],
    ['all requests if one token is left', { monthlyTokenLimit: 4001 }, 5],
    ['no requests if all kinds of tokens are used up', { monthlyTokenLimit: 4500, tokenCounting: 'all' }, 0],
    ['all requests if one token of any kind is left', { monthlyTokenLimit: 4501, tokenCounting: 'all' }, 5],
  ])('grantedOf admits %s', (_requests, limits, granted) => {
    expect(grantedOf(SEEN, { ...LIMITS, ...limits }, 5)).toBe(granted);
  });
});
