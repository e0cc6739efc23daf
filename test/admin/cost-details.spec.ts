import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { costLines } from '../../src/admin/logs/cost-details.dto.js';
import { costRecordOf, type StoredCost } from '../../src/costs/request-costs.service.js';
import { parsePrice } from '../../src/costs/pricing/price-text.rules.js';
import { costOf } from '../../src/costs/pricing/request-cost.rules.js';
import type { PriceRow } from '../../src/costs/pricing/price-row.js';
import type { UsageKinds } from '../../src/costs/pricing/request-units.rules.js';
import { USAGE_KIND_NAMES, USAGE_KINDS, type UsageKind } from '../../src/costs/usage-kinds.data.js';

const KINDS = USAGE_KIND_NAMES.filter((kind) => kind !== 'reasoning');
const count = fc.integer({ min: 1, max: 2 ** 40 });
const price = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const CASES = fc.record({
  units: fc.dictionary(fc.constantFrom(...KINDS), count, { minKeys: 1 }),
  prices: fc.dictionary(fc.constantFrom(...USAGE_KIND_NAMES), price, { minKeys: 1 }),
  factor: fc.tuple(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 2, 3, 7, 10, 16, 100, 3000)),
});

interface Case {
  readonly units: Readonly<Partial<Record<UsageKind, number>>>;
  readonly prices: Readonly<Partial<Record<UsageKind, number>>>;
  readonly factor: readonly [number, number];
}

function storedOf({ units, prices, factor: [numerator, denominator] }: Case) {
  const kinds: UsageKinds = {
    units,
    inputTokens: 0,
    reasoning: 0,
    imageSize: null,
    imageQuality: null,
    mediaOnly: false,
    unmeasured: [],
    corrected: [],
  };
  const row: PriceRow = {
    source: 'list',
    provider: 'p',
    model: 'm',
    validFromMs: null,
    validToMs: null,
    hours: null,
    prices,
    tiers: [],
    images: [],
    minimums: {},
    factors: [{ serviceTier: 'x', numerator, denominator }],
  };
  const cost = costOf(kinds, row, { serviceTier: 'x', region: null });
  const priced = { kinds, nanos: cost.nanos, unpriced: false, cost, price: 'list 1 p/m' };
  const record = costRecordOf(priced, { provider: 'default', estimated: false });
  return { nanos: cost.nanos, stored: JSON.parse(JSON.stringify(record)) as StoredCost };
}

/** Dollars with up to 21 decimals as an integer. */
function scaled(dollars: string): bigint {
  const [whole = '', decimals = ''] = dollars.split('.');
  return BigInt(whole + decimals.padEnd(21, '0'));
}

describe('lines of a stored cost', () => {
  test('their sum, rounded up once to a nano-dollar, is the cost of the request', () => {
    const nano = 10n ** 12n;
    fc.assert(
      fc.property(CASES, (given) => {
        const { nanos, stored } = storedOf(given);
        const sum = costLines(stored).reduce((total, { amount }) => total + scaled(amount), 0n);
        expect((sum + nano - 1n) / nano).toBe(nanos ?? 0n);
      }),
      { numRuns: 2000 },
    );
  });

  test('an amount is units × price × factor ÷ per, without rounding', () => {
    const { stored } = storedOf({ units: { input: 3 }, prices: { input: parsePrice('0.15')! }, factor: [1, 2] });
    expect(costLines(stored)).toEqual([
      {
        kind: 'input',
        unit: 'token',
        units: 3,
        price: '0.15',
        per: 1_000_000,
        priced_as: 'input',
        fallback: false,
        factor: { numerator: 1, denominator: 2 },
        amount: '0.000000225',
        model: null,
        model_price: null,
      },
    ]);
  });

  test('a factor does not change a price that is not per token', () => {
    const given = {
      units: { web_searches: 2 },
      prices: { web_searches: parsePrice('10000')! },
      factor: [1, 2],
    } as const;
    expect(costLines(storedOf(given).stored)[0]).toMatchObject({ factor: null, amount: '0.02' });
  });

  test('a kind with the price of another kind is a fallback', () => {
    const given = { units: { cached_input: 10 }, prices: { input: parsePrice('1')! }, factor: [1, 1] } as const;
    expect(costLines(storedOf(given).stored)[0]).toMatchObject({
      kind: 'cached_input',
      priced_as: 'input',
      fallback: true,
    });
  });

  test('audio is priced per 1,000 hours', () => {
    const given = {
      units: { audio_seconds: 7 },
      prices: { audio_seconds: parsePrice('100')! },
      factor: [1, 1],
    } as const;
    const [line] = costLines(storedOf(given).stored);
    expect(line).toMatchObject({ unit: 'second', per: USAGE_KINDS.audio_seconds.per });
    expect(line!.amount).toBe('0.000194444444444444444');
  });

  test('a kind of another release is shown as it was stored', () => {
    const lines = [{ kind: 'holograms', units: 2, price: 5_000_000_000, per: 1 }];
    expect(costLines({ provider: 'p', price: 'x', unpriced: [], lines })).toEqual([
      {
        kind: 'holograms',
        unit: 'unit',
        units: 2,
        price: '5',
        per: 1,
        priced_as: 'holograms',
        fallback: false,
        factor: null,
        amount: '10',
        model: null,
        model_price: null,
      },
    ]);
  });
});
