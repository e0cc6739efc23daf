import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OperatorPriceIndex } from '../../src/costs/operator-price-index.js';
import { parseHours } from '../../src/costs/pricing/price-row.js';
import { firstConflict, stateOf } from '../../src/costs/operator-price-periods.rules.js';
import type { GivenPrice, OperatorPrice } from '../../src/costs/price-terms.js';

const SLOTS = 12;
const HOUR_MS = 3_600_000;
const timeOf = (slot: number) => new Date(Date.UTC(2026, 0, 1) + slot * HOUR_MS);

interface Span {
  readonly provider: string;
  readonly model: string;
  readonly from: number;
  readonly to: number | null;
}

const span: fc.Arbitrary<Span> = fc
  .record({
    provider: fc.constantFrom('*', 'openai'),
    model: fc.constantFrom('a', 'b*'),
    from: fc.nat(SLOTS - 1),
    length: fc.option(fc.integer({ min: 1, max: SLOTS })),
  })
  .map(({ length, ...rest }) => ({ ...rest, to: length === null ? null : rest.from + length }));

let serial = 0;
const priceOf = ({ provider, model, from, to }: Span): OperatorPrice => ({
  provider,
  model,
  validFrom: timeOf(from),
  validTo: to === null ? null : timeOf(to),
  terms: { prices: { input: 1 } },
  id: `price-${++serial}`,
  note: null,
  createdAt: new Date(),
  createdBy: 'admin_key',
});
const givenOf = (each: Span): GivenPrice => priceOf(each);

/** The model: the slots of a price, one by one. */
const slotsOf = ({ from, to }: Span) =>
  Array.from({ length: SLOTS * 3 }, (_, slot) => slot).filter((slot) => slot >= from && (to === null || slot < to));

function conflictsInModel(a: Span, b: Span): boolean {
  if (a.provider !== b.provider || a.model !== b.model) return false;
  if (a.from === b.from) return true;
  return a.to !== null && b.to !== null && slotsOf(a).some((slot) => slotsOf(b).includes(slot));
}

describe('price periods', () => {
  test('periods conflict exactly if they begin together, or if both end and overlap', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 8 }), fc.array(span, { minLength: 1, maxLength: 8 }), (stored, added) => {
        const known = stored.map(priceOf);
        const result = firstConflict(known, added.map(givenOf));
        const expected = added.findIndex(
          (each, at) =>
            stored.some((other) => conflictsInModel(other, each)) ||
            added.slice(0, at).some((other) => conflictsInModel(other, each)),
        );
        expect(result?.at ?? -1).toBe(expected);
        if (result === null) return;
        const other = typeof result.other === 'number' ? added[result.other]! : stored[known.indexOf(result.other)]!;
        expect(conflictsInModel(other, added[result.at]!)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('periods without conflicts have one price at each time: the one that began last', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 10 }), fc.nat(SLOTS * 2), (spans, slot) => {
        const accepted: { readonly span: Span; readonly price: OperatorPrice }[] = [];
        for (const each of spans) {
          const price = priceOf(each);
          if (
            firstConflict(
              accepted.map((other) => other.price),
              [price],
            ) === null
          )
            accepted.push({ span: each, price });
        }
        const all = accepted.map(({ price }) => price);
        const index = new OperatorPriceIndex(all);
        const rank = ({ span: { provider } }: (typeof accepted)[number]) => (provider === '*' ? 1 : 0);
        const covering = accepted
          .filter((each) => each.span.model === 'a' && slotsOf(each.span).includes(slot))
          .sort((a, b) => rank(a) - rank(b) || b.span.from - a.span.from);
        const [found] = index.applying('openai', 'a', timeOf(slot).getTime());
        expect(found?.price.id).toBe(covering[0]?.price.id);
        const states = all
          .filter(({ provider, model }) => provider === 'openai' && model === 'a')
          .map((price) => stateOf(price, all, timeOf(slot).getTime()));
        const own = covering.filter(({ span: { provider } }) => provider === 'openai');
        expect(states.filter((state) => state === 'active')).toHaveLength(Math.min(1, own.length));
        expect(states.filter((state) => state === 'superseded')).toHaveLength(Math.max(0, own.length - 1));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('prices at hours of the day', () => {
  const day = (hour: number, minute = 0) => Date.UTC(2026, 3, 1, hour, minute);
  const price = (hours: string | null, from = 0, to: number | null = null): OperatorPrice => {
    const usual = priceOf({ provider: '*', model: 'a', from, to });
    return hours === null ? usual : { ...usual, terms: { ...usual.terms, hours: parseHours(hours)! } };
  };
  const appliedAt = (prices: readonly OperatorPrice[], atMs: number) => {
    const [found] = new OperatorPriceIndex(prices).applying('openai', 'a', atMs);
    return found?.price.id ?? null;
  };

  test('prices with hours apply only at their hours, and precede prices without hours, even if those began later', () => {
    const [night, usual] = [price('16:30-00:30', 0), price(null, 5)];
    const all = [usual, night];
    for (const at of [day(16, 30), day(23, 59), day(0, 0), day(0, 29)]) expect(appliedAt(all, at)).toBe(night.id);
    for (const at of [day(0, 30), day(12), day(16, 29)]) expect(appliedAt(all, at)).toBe(usual.id);
    expect(appliedAt([night], day(12))).toBeNull();
  });

  test('prices with hours conflict only if they share a time of day', () => {
    const conflictOf = (known: OperatorPrice, added: OperatorPrice) => firstConflict([known], [added])?.at ?? null;
    expect(conflictOf(price(null), price('01:00-02:00'))).toBeNull();
    expect(conflictOf(price('01:00-02:00'), price('02:00-03:00'))).toBeNull();
    expect(conflictOf(price('22:00-02:00'), price('02:00-22:00'))).toBeNull();
    expect(conflictOf(price('22:00-02:00'), price('01:59-03:00'))).toBe(0);
    expect(conflictOf(price('22:00-02:00', 1), price('01:59-03:00', 2))).toBeNull();
    expect(conflictOf(price('22:00-02:00', 1, 9), price('23:00-03:00', 2, 5))).toBe(0);
  });

  test('prices with hours are superseded only by prices with the same hours', () => {
    const all = [price('01:00-02:00', 0), price('01:00-02:00', 1), price('01:00-03:00', 2), price(null, 3)];
    const states = all.map((each) => stateOf(each, all, timeOf(20).getTime()));
    expect(states).toEqual(['superseded', 'active', 'active', 'active']);
  });

  test.each(['16:30', '16:30-16:30', '24:00-01:00', '1:00-2:00', '01:00-02:60', '01:00 - 02:00', ''])(
    'a price cannot have the hours "%s"',
    (text) => expect(parseHours(text)).toBeNull(),
  );
});

describe('the most specific price', () => {
  const find = (prices: readonly [provider: string, model: string][], model: string, provider = 'openai') => {
    const all = prices.map(([given, priced], n) => priceOf({ provider: given, model: priced, from: n % 3, to: null }));
    const [found] = new OperatorPriceIndex(all).applying(provider, model, timeOf(20).getTime());
    return found === undefined ? null : `${found.price.provider} ${found.price.model}`;
  };

  test.each([
    [
      'a price of the upstream wins over one of all upstreams',
      [
        ['*', 'gpt-5'],
        ['openai', 'gpt-*'],
      ],
      'gpt-5',
      'openai gpt-*',
    ],
    [
      'a price of an ID wins over a pattern',
      [
        ['*', 'gpt-*'],
        ['*', 'gpt-5'],
      ],
      'gpt-5',
      '* gpt-5',
    ],
    [
      'a price of a longer pattern wins',
      [
        ['*', '*'],
        ['*', 'gpt-5*'],
        ['*', 'gpt-*'],
      ],
      'gpt-5-mini',
      '* gpt-5*',
    ],
    ['a price of an ID applies to its dated snapshots', [['*', 'gpt-5-mini']], 'gpt-5-mini-2025-08-07', '* gpt-5-mini'],
    [
      'a price of an ID applies to compact dates',
      [['*', 'claude-opus-4-1']],
      'claude-opus-4-1-20250805',
      '* claude-opus-4-1',
    ],
    [
      'a price of a snapshot wins over its model',
      [
        ['*', 'm'],
        ['*', 'm-2025-08-07'],
      ],
      'm-2025-08-07',
      '* m-2025-08-07',
    ],
    [
      'a price of a model wins over a pattern for a snapshot',
      [
        ['*', 'm-*'],
        ['*', 'm'],
      ],
      'm-2025-08-07',
      '* m',
    ],
    ['a price of an ID does not apply to other models', [['*', 'gpt-5']], 'gpt-5-mini', null],
    ['a price of another upstream does not apply', [['azure', 'gpt-5']], 'gpt-5', null],
  ] as [string, [string, string][], string, string | null][])('%s', (_title, prices, model, expected) => {
    expect(find(prices, model)).toBe(expected);
  });
});
