import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countsAt, grantedOf } from '../../src/quota/last-counts.js';
import type { StoredCounts } from '../../src/quota/quota-counts.js';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import { dayOf, minuteOf, monthOf } from '../../src/quota/windows.js';
import { openStore } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';

const YEARS_END = Date.UTC(2030, 11, 31, 23, 58, 30);

let database: QuotaDatabase;
let store: QuotaStore;
beforeAll(async () => {
  database = await QuotaDatabase.create();
  store = await openStore(database.url);
});
afterAll(async () => {
  await store.onApplicationShutdown();
  await database.drop();
});

const limit = fc.integer({ min: 1, max: 12 });
const CASES = fc.record({
  limits: fc.record({
    rpmLimit: limit,
    rpdLimit: limit,
    monthlyLimit: fc.option(limit),
    monthlyTokenLimit: fc.constantFrom(null, 5, 120, 500),
    tokenCounting: fc.constantFrom('specification' as const, 'all' as const),
  }),
  calls: fc.array(fc.record({ count: fc.integer({ min: 1, max: 5 }), laterMs: fc.nat(70_000) }), {
    minLength: 1,
    maxLength: 6,
  }),
});

test('the counts in memory decide like the store across the ends of minute, day, month and year', async () => {
  await fc.assert(
    fc.asyncProperty(CASES, async ({ limits, calls }) => {
      let nowMs = YEARS_END;
      await database.setNow(nowMs);
      const key = await database.addKey(limits);
      await database.recordTokens(key.id, 2030 * 12 + 11, 100, 20);
      let seen: StoredCounts = (await store.readCounts([key.id])).get(key.id)!;
      let admitted = 0;
      for (const { count, laterMs } of calls) {
        nowMs += laterMs;
        await database.setNow(nowMs);
        const counts = countsAt(seen, admitted, nowMs);
        const granted = grantedOf(counts, limits, count);
        const response = (await store.admit([{ ...key, keyId: key.id, count }])).get(key.id);
        expect(response).toEqual({ kind: 'decided', granted, counts });
        [seen, admitted] = [counts, granted];
      }
    }),
    { numRuns: 60 },
  );
});

test('the minute is kept if the clock is set back by a minute, and restarts if it is set back further', () => {
  const noon = Date.UTC(2030, 4, 15, 12);
  const seen = {
    version: 1,
    nowMs: noon,
    day: dayOf(noon),
    dayUsed: 5,
    month: monthOf(noon),
    monthUsed: 5,
    tokens: 9,
    additionalTokens: 0,
  };
  const at = (ms: number) => countsAt({ ...seen, minute: minuteOf(noon), minuteUsed: 5 }, 1, ms);
  expect(at(noon - 60_000)).toMatchObject({ minute: minuteOf(noon), minuteUsed: 6, dayUsed: 6 });
  expect(at(noon - 120_000)).toMatchObject({ minute: minuteOf(noon) - 2, minuteUsed: 0, dayUsed: 6, tokens: 9 });
});
