import { describe, expect, test } from '@jest/globals';
import { dayCost } from '../../../src/costs/report/backfill-cost.rules.js';
import { priceRow } from '../pricing/reports.js';

const usage = (requests: number, inputTokens: number, outputTokens: number) => ({
  keyId: 'k',
  model: 'm',
  requests,
  inputTokens,
  outputTokens,
});
/** $1 and $3 per million tokens. */
const PRICES = { input: 1_000_000_000, output: 3_000_000_000 };

describe('the cost of a past day', () => {
  test('the cost of a past day is the price of its input and output tokens', () => {
    const price = { row: priceRow({ prices: PRICES }), region: null };
    expect(dayCost(usage(10, 1_000_000, 500_000), price)).toMatchObject({ nanos: 2_500_000_000n, unpricedRequests: 0 });
  });

  test('uses the price tier of the average request, not that of the sum', () => {
    const tiers = [{ above: 200_000, prices: { input: 2_000_000_000, output: 3_000_000_000 } }];
    const price = { row: priceRow({ prices: PRICES, tiers }), region: null };
    expect(dayCost(usage(10, 1_000_000, 0), price).nanos).toBe(1_000_000_000n);
    expect(dayCost(usage(4, 1_000_000, 0), price).nanos).toBe(2_000_000_000n);
  });

  test('counts all requests as unpriced without a price', () => {
    expect(dayCost(usage(10, 5, 5), null)).toMatchObject({ nanos: 0n, unpricedRequests: 10 });
    const outputOnly = { row: priceRow({ prices: {} }), region: null };
    expect(dayCost(usage(10, 5, 5), outputOnly)).toMatchObject({ nanos: 0n, unpricedRequests: 10 });
  });

  test('the cost of a past day is a known 0 without tokens', () => {
    expect(dayCost(usage(10, 0, 0), null)).toMatchObject({ nanos: 0n, unpricedRequests: 0 });
  });
});
