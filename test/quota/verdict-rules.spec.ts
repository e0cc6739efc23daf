import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  figuresOf,
  verdictsOf,
  type QuotaLimits,
  type StoredCounts,
  type Verdict,
} from '../../src/quota/verdict.rules.js';
import { dayNumberOf, dayResetsAtMs, minuteOf, minuteResetsAtMs, monthOf } from '../../src/quota/utc-windows.rules.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const LIMITS: QuotaLimits = {
  rpmLimit: 10,
  rpdLimit: 20,
  monthlyLimit: null,
  monthlyTokenLimit: null,
  tokenCounting: 'specification',
};

const countsWith = (minuteUsed: number, dayUsed: number, monthUsed: number, tokens: number): StoredCounts => ({
  version: 7,
  nowMs: NOON,
  minute: minuteOf(NOON),
  day: dayNumberOf(NOON),
  month: monthOf(NOON),
  minuteUsed,
  dayUsed,
  monthUsed,
  tokens,
  additionalTokens: 90,
});

/** The reference implementation, which checks one request after the other. */
function oneAtATime(
  counts: StoredCounts,
  limits: QuotaLimits,
  requests: number,
): { granted: number; outcomes: string[] } {
  let { minuteUsed, dayUsed, monthUsed } = counts;
  let granted = 0;
  const outcomes: string[] = [];
  for (let i = 0; i < requests; i++) {
    let rejectedBy: string | null = null;
    if (limits.monthlyTokenLimit !== null && counts.tokens >= limits.monthlyTokenLimit) rejectedBy = 'tokens';
    if (limits.monthlyLimit !== null && monthUsed >= limits.monthlyLimit) rejectedBy = 'month';
    if (dayUsed >= limits.rpdLimit) rejectedBy = 'day';
    if (minuteUsed >= limits.rpmLimit) rejectedBy = 'minute';
    if (rejectedBy === null) {
      [minuteUsed, dayUsed, monthUsed] = [minuteUsed + 1, dayUsed + 1, monthUsed + 1];
      granted += 1;
    }
    outcomes.push(
      `${rejectedBy === null ? 'admitted' : `rejected ${rejectedBy}`} ${minuteUsed} ${dayUsed} ${monthUsed}`,
    );
  }
  return { granted, outcomes };
}

function outcomeOf(verdict: Verdict): string {
  if (verdict.kind !== 'admitted' && verdict.kind !== 'rejected') return verdict.kind;
  const { minute, day, month } = verdict.figures;
  const outcome = verdict.kind === 'admitted' ? 'admitted' : `${verdict.kind} ${verdict.limit}`;
  return `${outcome} ${minute.used} ${day.used} ${month.used}`;
}

describe('verdictsOf', () => {
  test('the verdicts for a batch match those for the same requests checked one at a time', () => {
    const used = fc.integer({ min: 0, max: 12 });
    const limit = fc.integer({ min: 1, max: 12 });
    const limitOrNone = fc.option(limit, { nil: null });
    fc.assert(
      fc.property(
        fc.tuple(used, used, used, used),
        fc.record({
          rpmLimit: limit,
          rpdLimit: limit,
          monthlyLimit: limitOrNone,
          monthlyTokenLimit: limitOrNone,
          tokenCounting: fc.constant('specification' as const),
        }),
        fc.integer({ min: 1, max: 15 }),
        (stored, limits, requests) => {
          const counts = countsWith(...stored);
          const { granted, outcomes } = oneAtATime(counts, limits, requests);
          expect(verdictsOf({ kind: 'decided', granted, counts }, limits, requests).map(outcomeOf)).toEqual(outcomes);
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    ['stale', { kind: 'stale', version: 8 }],
    ['unknown', { kind: 'unknown' }],
  ] as const)('all requests of a key that is %s get that verdict', (kind, response) => {
    expect(verdictsOf(response, LIMITS, 3)).toEqual([{ kind }, { kind }, { kind }]);
  });
});

test('figures contain the limits, counts and ends of all windows at one time', () => {
  const limits = { ...LIMITS, monthlyTokenLimit: 500 };
  const monthEnd = Date.UTC(2030, 5, 1);
  expect(figuresOf(countsWith(2, 3, 4, 400), limits)).toEqual(figuresOf(countsWith(1, 2, 3, 400), limits, 1));
  expect(figuresOf(countsWith(1, 2, 3, 400), limits, 1)).toEqual({
    nowMs: NOON,
    minute: { limit: 10, used: 2, resetsAtMs: minuteResetsAtMs(minuteOf(NOON)) },
    day: { limit: 20, used: 3, resetsAtMs: dayResetsAtMs(dayNumberOf(NOON)) },
    month: { limit: null, used: 4, resetsAtMs: monthEnd },
    tokens: { limit: 500, used: 400, resetsAtMs: monthEnd },
  });
});

test('figures of a key that counts all tokens include the additional tokens', () => {
  const limits = { ...LIMITS, monthlyTokenLimit: 500, tokenCounting: 'all' } as const;
  expect(figuresOf(countsWith(1, 2, 3, 400), limits).tokens).toMatchObject({ limit: 500, used: 490 });
});
