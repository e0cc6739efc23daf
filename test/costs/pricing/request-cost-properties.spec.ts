import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CostFactor, costOf, type RequestCost } from '../../../src/costs/pricing/request-cost.rules.js';
import { PRICE_FACTORS } from '../../../src/costs/pricing/price-factors.data.js';
import type { Prices } from '../../../src/costs/pricing/price-row.js';
import { kindsOf, type UsageKinds } from '../../../src/costs/pricing/request-units.rules.js';
import { USAGE_KIND_NAMES, USAGE_KINDS, type UsageKind } from '../../../src/costs/usage-kinds.data.js';
import { NO_DETAILS, priceRow, reported } from './reports.js';

const TOKENS_MAX = 2 ** 31;

const count = fc.oneof(
  fc.integer({ min: 1, max: 3000 }),
  fc.integer({ min: 1, max: TOKENS_MAX }),
  fc.constant(2 ** 48),
);
const price = fc.oneof(
  fc.integer({ min: 0, max: 10 ** 5 }).map((micros) => micros * 1000),
  fc.integer({ min: 0, max: 10 ** 12 }),
  fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER),
);
const someOf = (value: fc.Arbitrary<number>) =>
  fc.dictionary(fc.constantFrom(...USAGE_KIND_NAMES.filter((kind) => kind !== 'reasoning')), value) as fc.Arbitrary<
    Partial<Record<UsageKind, number>>
  >;

const usage = fc.record({ units: someOf(count), inputTokens: count }).map(({ units, inputTokens }): UsageKinds => ({
  units,
  inputTokens,
  reasoning: Math.floor((units.output ?? 0) / 2),
  imageSize: '1024x1024',
  imageQuality: null,
  mediaOnly: false,
  unmeasured: [],
  corrected: [],
}));
const prices: fc.Arbitrary<Prices> = fc
  .tuple(someOf(price), price, price, fc.boolean())
  .map(([some, input, output, reasoning]) => ({ ...some, input, output, ...(reasoning && { reasoning: output }) }));
const ownFactors = fc.array(
  fc.record({
    serviceTier: fc.constantFrom('flex', 'batch'),
    numerator: fc.integer({ min: 0, max: 20 }),
    denominator: fc.constantFrom(1, 2, 3, 11, 1_000_000),
  }),
  { maxLength: 3 },
);
const published = PRICE_FACTORS.filter(({ provider }) => provider === 'openai');
const row = fc
  .record({
    base: prices,
    high: prices,
    above: count,
    factors: fc.oneof(fc.constant(published), ownFactors),
    minimum: fc.boolean(),
    image: fc.boolean(),
  })
  .map(({ base, high, above, factors, minimum, image }) =>
    priceRow({
      prices: base,
      tiers: [{ above, prices: high }],
      factors,
      minimums: minimum ? { audio_seconds: 10, web_searches: 2 } : {},
      images: image ? [{ size: null, quality: null, price: 40_000_000_000_000 }] : [],
    }),
  );
const context = fc.record({
  serviceTier: fc.constantFrom(null, 'default', 'flex', 'batch', 'priority', 'unknown'),
  region: fc.constantFrom(null, 'eu', 'global'),
});

/** The nano-dollars of lines as a fraction. */
function exactSum(lines: RequestCost['lines'], factor: CostFactor): [numerator: bigint, denominator: bigint] {
  let [numerator, denominator] = [0n, 1n];
  for (const line of lines) {
    const { per, token } = USAGE_KINDS[line.kind];
    const top = BigInt(line.units) * BigInt(line.price) * BigInt(token ? factor.numerator : 1);
    const bottom = BigInt(per) * BigInt(token ? factor.denominator : 1);
    [numerator, denominator] = [numerator * bottom + top * denominator, denominator * bottom];
  }
  return [numerator, denominator];
}

function expectExact({ nanos, lines, factor }: RequestCost): void {
  const [numerator, denominator] = exactSum(lines, factor);
  expect(nanos! * denominator).toBeGreaterThanOrEqual(numerator);
  expect((nanos! - 1n) * denominator).toBeLessThan(numerator);
}

describe('costOf, for any usage and any price,', () => {
  test('a cost is the exact sum of its lines, rounded up by less than a nano-dollar', () => {
    fc.assert(
      fc.property(usage, row, context, (units, price, ctx) => {
        const cost = costOf(units, price, ctx);
        if (cost.nanos === null) expect(cost.lines).toEqual([]);
        else expectExact(cost);
      }),
      { numRuns: 3000 },
    );
  });

  test('a cost is exact for usual requests at realistic prices', () => {
    const tokens = fc.integer({ min: 0, max: 200_000 });
    const micros = fc.integer({ min: 0, max: 75_000_000 }).map((each) => each * 1000);
    fc.assert(
      fc.property(tokens, tokens, tokens, fc.tuple(micros, micros, micros), (input, cached, output, given) => {
        fc.pre(input + cached + output > 0);
        const kinds = kindsOf(reported(input + cached, output), { ...NO_DETAILS, cachedInput: cached });
        const price = priceRow({ prices: { input: given[0], cached_input: given[1], output: given[2] } });
        expectExact(costOf(kinds, price, { serviceTier: 'default', region: null }));
      }),
      { numRuns: 2000 },
    );
  });

  test('a cost prices or names each unit exactly once', () => {
    fc.assert(
      fc.property(usage, row, context, (units, price, ctx) => {
        const { lines, unpriced } = costOf(units, price, ctx);
        const billed = (kind: UsageKind) => lines.find((line) => line.kind === kind)?.units ?? 0;
        expect(new Set(lines.map(({ kind }) => kind)).size).toBe(lines.length);
        for (const [kind, used] of Object.entries(units.units) as [UsageKind, number][]) {
          if (kind === 'output') expect(billed('output') + billed('reasoning')).toBe(used);
          else if (USAGE_KINDS[kind].token) expect(billed(kind)).toBe(used);
          else expect(billed(kind) > 0 && unpriced.includes(kind)).toBe(false);
        }
      }),
    );
  });

  test('a cost is never negative', () => {
    fc.assert(
      fc.property(usage, row, context, (units, price, ctx) => {
        const { nanos, lines } = costOf(units, price, ctx);
        expect(nanos ?? 0n).toBeGreaterThanOrEqual(0n);
        for (const line of lines) expect(line.units * line.price).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('a cost does not fall if the usage of a kind grows within a price tier', () => {
    // Reasoning is a part of the output, and not a kind of its own in the reported units.
    const reported = fc.constantFrom(...USAGE_KIND_NAMES.filter((kind) => kind !== 'reasoning'));
    fc.assert(
      fc.property(usage, row, context, reported, count, (units, price, ctx, kind, more) => {
        const grown = { ...units, units: { ...units.units, [kind]: (units.units[kind] ?? 0) + more } };
        const before = costOf(units, price, ctx).nanos ?? 0n;
        expect(costOf(grown, price, ctx).nanos ?? 0n).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  test('a cost does not overflow with the most tokens at the highest price', () => {
    const highest = Number.MAX_SAFE_INTEGER;
    const units: UsageKinds = {
      units: { input: TOKENS_MAX, output: TOKENS_MAX },
      inputTokens: TOKENS_MAX,
      reasoning: 0,
      imageSize: null,
      imageQuality: null,
      mediaOnly: false,
      unmeasured: [],
      corrected: [],
    };
    const high = priceRow({ prices: { input: highest, output: highest } });
    const cost = costOf(units, high, { serviceTier: null, region: null });
    // 2^32 × (2^53 - 1) / 1,000,000, rounded up
    expect(cost.nanos).toBe(38_685_626_227_668_129_296n);
  });
});
