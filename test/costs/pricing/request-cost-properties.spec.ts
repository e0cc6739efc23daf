import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PRICE_FACTORS } from '../../../src/costs/pricing/price-factors.data.js';
import type { Prices } from '../../../src/costs/pricing/price-row.js';
import { costOf } from '../../../src/costs/pricing/request-cost.rules.js';
import type { UsageKinds } from '../../../src/costs/pricing/request-units.rules.js';
import { USAGE_KIND_NAMES, USAGE_KINDS, type UsageKind } from '../../../src/costs/usage-kinds.data.js';
import { priceRow } from './reports.js';

const TOKENS_MAX = 2 ** 31;

const count = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: TOKENS_MAX }));
const price = fc.oneof(fc.integer({ min: 0, max: 10 ** 12 }), fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER));
const someOf = (value: fc.Arbitrary<number>) =>
  fc.dictionary(fc.constantFrom(...USAGE_KIND_NAMES.filter((kind) => kind !== 'reasoning')), value) as fc.Arbitrary<
    Partial<Record<UsageKind, number>>
  >;

const usage = fc.record({ units: someOf(count), inputTokens: count }).map(({ units, inputTokens }): UsageKinds => ({
  units,
  inputTokens,
  reasoning: Math.floor((units.output ?? 0) / 2),
  imageSize: null,
  imageQuality: null,
  corrected: [],
}));
const prices: fc.Arbitrary<Prices> = fc
  .tuple(someOf(price), price, price, fc.boolean())
  .map(([some, input, output, reasoning]) => ({ ...some, input, output, ...(reasoning && { reasoning: output }) }));
const row = fc.tuple(prices, prices, count).map(([base, high, above]) =>
  priceRow({
    prices: base,
    tiers: [{ above, prices: high }],
    factors: PRICE_FACTORS.filter(({ provider }) => provider === 'openai'),
  }),
);
const context = fc.record({
  serviceTier: fc.constantFrom(null, 'flex', 'batch', 'priority', 'unknown'),
  region: fc.constantFrom(null, 'eu', 'global'),
});

describe('costOf, for any usage and any price,', () => {
  test('a cost is the exact sum of its lines, rounded up by less than a nano-dollar', () => {
    fc.assert(
      fc.property(usage, row, context, (units, price, ctx) => {
        const { nanos, lines, denominator, factor } = costOf(units, price, ctx);
        if (nanos === null) return expect(lines).toEqual([]);
        // The same sum with a denominator of its own: units × price × factor / per.
        let [numerator, divisor] = [0n, 1n];
        for (const line of lines) {
          const { per, token } = USAGE_KINDS[line.kind];
          const top = BigInt(line.units) * BigInt(line.price) * BigInt(token ? factor.numerator : 1);
          const bottom = BigInt(per) * BigInt(token ? factor.denominator : 1);
          [numerator, divisor] = [numerator * bottom + top * divisor, divisor * bottom];
          expect(line.numerator * bottom).toBe(top * denominator);
        }
        expect(nanos * divisor).toBeGreaterThanOrEqual(numerator);
        expect((nanos - 1n) * divisor).toBeLessThan(numerator);
      }),
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
        for (const { numerator } of lines) expect(numerator).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  test('a cost does not fall if the usage of a kind grows within a price tier', () => {
    fc.assert(
      fc.property(usage, row, context, fc.constantFrom(...USAGE_KIND_NAMES), count, (units, price, ctx, kind, more) => {
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
      corrected: [],
    };
    const high = priceRow({ prices: { input: highest, output: highest } });
    const cost = costOf(units, high, { serviceTier: null, region: null });
    // 2^32 × (2^53 - 1) / 1,000,000, rounded up
    expect(cost.nanos).toBe(38_685_626_227_668_129_296n);
  });
});
