import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PriceRow, Prices } from '../../../src/costs/pricing/price-row.js';
import { costOf } from '../../../src/costs/pricing/request-cost.rules.js';
import { kindsOf, type UsageKinds } from '../../../src/costs/pricing/request-units.rules.js';
import { quickTotal } from '../../../src/costs/pricing/quick-cost.rules.js';
import { USAGE_KIND_NAMES, type UsageKind } from '../../../src/costs/usage-kinds.data.js';
import { NO_DETAILS, priceRow, reported } from './reports.js';

const count = fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 2 ** 31 }), fc.constant(2 ** 48));
const price = fc.oneof(
  fc.integer({ min: 0, max: 10 ** 5 }).map((micros) => micros * 1000),
  fc.integer({ min: 0, max: 10 ** 12 }),
  fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER),
);
const byKind = (value: fc.Arbitrary<number>, kinds: readonly UsageKind[]) =>
  fc.dictionary(fc.constantFrom(...kinds), value) as fc.Arbitrary<Partial<Record<UsageKind, number>>>;

const usage = fc
  .record({
    units: byKind(
      count,
      USAGE_KIND_NAMES.filter((kind) => kind !== 'reasoning'),
    ),
    inputTokens: count,
    asRequest: fc.boolean(),
  })
  .map(({ units, inputTokens, asRequest }): UsageKinds => ({
    units: asRequest ? { ...units, requests: 1 } : units,
    inputTokens,
    reasoning: Math.floor((units.output ?? 0) / 2),
    imageSize: '1024x1024',
    imageQuality: null,
    corrected: [],
  }));
const prices: fc.Arbitrary<Prices> = fc
  .tuple(byKind(price, USAGE_KIND_NAMES), price, price)
  .map(([some, input, output]) => ({ input, output, ...some }));
const factors = fc.array(
  fc.record({
    serviceTier: fc.constantFrom('flex', 'batch'),
    numerator: fc.integer({ min: 0, max: 20 }),
    denominator: fc.constantFrom(1, 2, 3, 11, 1_000_000),
  }),
  { maxLength: 3 },
);
const row: fc.Arbitrary<PriceRow> = fc
  .record({ base: prices, high: prices, above: count, factors, minimum: fc.boolean(), image: fc.boolean() })
  .map(({ base, high, above, factors, minimum, image }) =>
    priceRow({
      prices: base,
      tiers: [{ above, prices: high }],
      factors,
      ...(minimum && { minimums: { audio_seconds: 10, web_searches: 2 } }),
      ...(image && { images: [{ size: null, quality: null, price: 40_000_000_000_000 }] }),
    }),
  );
/** Nano-dollars. Sums of more expensive requests exceed the exact integers. */
const NINE_DOLLARS = 9_000_000_000n;
const context = fc.record({
  serviceTier: fc.constantFrom(null, 'default', 'flex', 'batch'),
  region: fc.constant(null),
});

describe('the quick total', () => {
  test('the quick total is exactly the amount of the lines for any usage and price, or is left to them', () => {
    let quick = 0;
    fc.assert(
      fc.property(usage, row, context, (units, price, ctx) => {
        const total = quickTotal(units, price, ctx);
        if (total === null) return;
        quick += 1;
        const exact = costOf(units, price, ctx);
        expect(BigInt(total)).toBe(exact.nanos);
        expect(exact.unpriced).toEqual([]);
      }),
      { numRuns: 5000 },
    );
    expect(quick).toBeGreaterThan(200);
  });

  test('the quick total is exact for usual requests at realistic prices', () => {
    const tokens = fc.integer({ min: 0, max: 200_000 });
    const micros = fc.integer({ min: 0, max: 75_000_000 }).map((each) => each * 1000);
    fc.assert(
      fc.property(tokens, tokens, tokens, fc.tuple(micros, micros, micros), (input, cached, output, given) => {
        const kinds = kindsOf(reported(input + cached, output), { ...NO_DETAILS, cachedInput: cached });
        const price = priceRow({ prices: { input: given[0], cached_input: given[1], output: given[2] } });
        const ctx = { serviceTier: 'default', region: null };
        const total = quickTotal(kinds, price, ctx);
        const exact = costOf(kinds, price, ctx).nanos;
        if (total === null) expect(exact).toBeGreaterThan(NINE_DOLLARS);
        else expect(BigInt(total)).toBe(exact);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['usage without a price', { units: { web_searches: 1, input: 1 } }, { prices: { input: 1 } }],
    [
      'reasoning with a price of its own',
      { reasoning: 1, units: { output: 2 } },
      { prices: { output: 1, reasoning: 2 } },
    ],
    ['images by size', { units: { images: 1 } }, { images: [{ size: null, quality: null, price: 1 }] }],
    ['prices per hour', { units: { audio_seconds: 1 } }, { prices: { audio_seconds: 1 } }],
    ['sums above 2^53 - 1', { units: { input: 2 ** 31 } }, { prices: { input: 2 ** 23 } }],
  ])('leaves %s to the lines', (_case, usage: Partial<UsageKinds>, price: Partial<PriceRow>) => {
    const kinds = { ...kindsOf(reported(0, 0), null), ...usage };
    expect(quickTotal(kinds, priceRow(price), { serviceTier: null, region: null })).toBeNull();
  });
});
