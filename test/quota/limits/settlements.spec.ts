import { describe, expect, test } from '@jest/globals';
import type { ActiveLimit } from '../../../src/quota/limits/limit.js';
import type { ActualUsage, UsageProof } from '../../../src/platform/request-context/reservation.js';
import { activeLimit } from '../../support/active-limits.js';
import { CHAT, ClaimBench, contextOf, used } from './claim-bench.js';

describe('a settlement', () => {
  const measures = ['requests', 'tokens', 'input_tokens', 'output_tokens', 'cost', 'concurrent_requests'] as const;
  const all = () => new ClaimBench(...measures.map((measure) => ({ measure })));

  test('replaces each claim with the actual usage, except claims of requests', () => {
    const bench = all();
    const ctx = contextOf();
    bench.admit(ctx).settle(ctx, used());
    expect(bench.settled).toEqual([
      [6, 1, 0],
      [2, 504, 460],
      [3, 404, 410],
      [4, 100, 50],
      [5, 2_000_000, 12_345],
    ]);
  });

  test('counts nothing for a request that was not sent', () => {
    const bench = all();
    const ctx = contextOf();
    bench.admit(ctx).settle(ctx, null);
    expect(bench.settled.map(([, , spent]) => spent)).toEqual([0, 0, 0, 0, 0]);
  });

  test('happens once', () => {
    const bench = all();
    const ctx = contextOf();
    const reservation = bench.admit(ctx);
    reservation.releaseConcurrency();
    reservation.releaseConcurrency();
    expect(bench.settled).toEqual([[6, 1, 0]]);
    reservation.settle(ctx, used());
    reservation.settle(ctx, null);
    reservation.releaseConcurrency();
    expect(bench.settled.map(([limitId]) => limitId)).toEqual([6, 2, 3, 4, 5]);
  });

  test('weighs cached tokens, and rounds up', () => {
    const bench = new ClaimBench({ measure: 'tokens', weights: { cachedInput: 0.001, cacheWrite: 1.25 } });
    const ctx = contextOf();
    bench.admit(ctx).settle(ctx, used());
    expect(bench.settled[0]![2]).toBe(300 + 50 + 13);
  });

  describe.each([
    ['gpt-4o', false],
    ['o3', true],
    ['a-model-that-nobody-knows', true],
  ])('of usage that the provider has not proven (%s)', (model, canHide) => {
    const tokens = (
      proof: UsageProof,
      known: number,
      limit: Partial<ActiveLimit> = {},
      json: object = {},
      choices = 1,
    ) => {
      const bench = new ClaimBench({ measure: 'output_tokens', ...limit });
      const ctx = contextOf(CHAT, { max_tokens: 5000, n: 3, ...json });
      ctx.model = model;
      bench.admit(ctx).settle(ctx, used({ units: { output: known, requests: 1 }, proof, choices }));
      return bench.settled[0]![2];
    };

    test('counts the text that arrived, and the maximum of one choice if the model can hide reasoning', () => {
      expect(tokens('delivered', 700)).toBe(canHide ? 5000 : 700);
      expect(tokens('delivered', 7000)).toBe(7000);
    });

    test('counts the maximum of each choice that has begun to arrive', () => {
      expect(tokens('delivered', 700, {}, {}, 2)).toBe(canHide ? 10_000 : 700);
      expect(tokens('delivered', 700, {}, {}, 999)).toBe(canHide ? 15_000 : 700);
    });

    test('counts at least the likely usage if nothing shows how much was used, even without a reservation', () => {
      const typical = 3 * 4096;
      const atLeast = canHide ? 15_000 : typical;
      expect(tokens('unknown', 0)).toBe(atLeast);
      expect(tokens('unknown', 0, { reserve: 'none' })).toBe(atLeast);
      expect(tokens('unknown', 20_000)).toBe(20_000);
    });

    test('counts the maximum if the format of the response shows nothing', () => {
      expect(tokens('unmeasured', 0)).toBe(15_000);
    });

    test('counts one choice of the likely usage if the client left before the response', () => {
      expect(tokens('abandoned', 0)).toBe(4096);
      expect(tokens('abandoned', 0, { reserve: 'full' })).toBe(4096);
    });
  });

  test('counts the highest figure under a cost limit too', () => {
    const bench = new ClaimBench({ measure: 'cost' });
    const ctx = contextOf();
    bench.admit(ctx).settle(ctx, used({ costNanodollars: 5_000_000n, proof: 'unknown' }));
    expect(bench.settled.map(([, , spent]) => spent)).toEqual([5_000_000]);
  });

  test('charges a request that seemed to be free and was not', () => {
    const bench = new ClaimBench({ measure: 'cost' });
    bench.price = 0;
    const ctx = contextOf();
    const reservation = bench.admit(ctx);
    expect(bench.claims(ctx)).toEqual([]);
    reservation.settle(ctx, used({ costNanodollars: 700n }));
    expect(bench.charged).toEqual([{ limitId: 1, atUs: 1_800_000_000_000_500, spent: 700 }]);
    expect(bench.settled).toEqual([]);
  });

  test.each([
    ['the reservation if nothing has a price', null, null, 2_000_000],
    ['the known part if it exceeds the reservation', 3_000_000n, null, 3_000_000],
    ['the assumed price', null, 700, 700],
    ['the known part if it exceeds the assumed price', 900n, 700, 900],
  ])('counts usage without a price as %s', (_, nanos, assumed, spent) => {
    const bench = new ClaimBench({ measure: 'cost' });
    bench.assumed = assumed;
    const ctx = contextOf();
    bench.admit(ctx).settle(ctx, used({ costNanodollars: nanos, hasUnpricedUsage: true }));
    expect(bench.settled).toEqual([[1, 2_000_000, spent]]);
  });

  test('updates the likely output of the key and the model with reported usage only', () => {
    const bench = new ClaimBench({ measure: 'output_tokens' });
    const limitless = () => contextOf(CHAT, { n: 2 });
    expect(bench.claims(limitless())).toEqual([[8192, true]]);
    for (let at = 0; at < 30; at++) {
      const ctx = limitless();
      bench.admit(ctx).settle(ctx, used({ units: { output: 4000 } }));
      const interrupted = limitless();
      bench.admit(interrupted).settle(interrupted, used({ units: { output: 1 }, proof: 'delivered' }));
    }
    const [[asked]] = bench.claims(limitless()) as [[number]];
    expect(asked).toBeGreaterThanOrEqual(8000);
    expect(asked).toBeLessThan(8000 * 1.42);
  });
});

describe('a limit that was created while a request ran', () => {
  const NEW = activeLimit({ id: 9, version: 6 });

  const chargesFor = (measure: ActiveLimit['measure'], before: readonly ActiveLimit[], actual: ActualUsage | null) => {
    const bench = new ClaimBench(...before);
    const ctx = contextOf();
    const reservation = bench.admit(ctx);
    bench.version = 6;
    bench.limits = [...bench.limits, { ...NEW, measure }];
    reservation.settle(ctx, actual);
    return bench.charged;
  };
  const charge = (spent: number) => [{ limitId: 9, atUs: 1_800_000_000_000_500, spent }];

  test.each([
    ['requests', 1],
    ['tokens', 460],
    ['cost', 12_345],
  ] as const)('a new limit is charged with the request at its end: %s', (measure, spent) => {
    expect(chargesFor(measure, [], used())).toEqual(charge(spent));
    expect(chargesFor(measure, [activeLimit({ measure: 'cost' })], used())).toEqual(charge(spent));
  });

  test('a new limit is charged with the request, but no usage, if the request was not sent', () => {
    expect(chargesFor('requests', [], null)).toEqual(charge(1));
    expect(chargesFor('tokens', [], null)).toEqual([]);
  });

  test('a new limit is not charged with places of concurrent requests', () => {
    expect(chargesFor('concurrent_requests', [], used())).toEqual([]);
  });

  test('a request is not charged to a limit that counted it at admission', () => {
    const bench = new ClaimBench({ measure: 'tokens' });
    const ctx = contextOf();
    const reservation = bench.admit(ctx);
    bench.version = 6;
    bench.limits = bench.limits.map((limit) => ({ ...limit, version: 6 }));
    reservation.settle(ctx, used());
    expect(bench.charged).toEqual([]);
  });

  test('a request is not charged to a limit that is older than the request', () => {
    const bench = new ClaimBench();
    const ctx = contextOf();
    const reservation = bench.admit(ctx);
    bench.version = 6;
    bench.limits = [activeLimit({ version: 4 })];
    reservation.settle(ctx, used());
    expect(bench.charged).toEqual([]);
  });
});
