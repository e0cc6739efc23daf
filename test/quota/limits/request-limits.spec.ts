import { describe, expect, test } from '@jest/globals';
import type { ActiveLimit } from '../../../src/quota/limits/limit.js';
import { CHAT, ClaimBench, contextOf } from './claim-bench.js';

describe('claims', () => {
  test('claims are empty without limits, and have the version of the set', () => {
    const claims = new ClaimBench().requests.claimsOf(contextOf());
    expect(claims).toMatchObject({ setVersion: 5, items: [] });
  });

  test('claims are the same object for all requests without limits', () => {
    const { requests } = new ClaimBench();
    expect(requests.claimsOf(contextOf())).toBe(requests.claimsOf(contextOf()));
  });

  test('claims count requests immediately and reserve everything else', () => {
    const bench = new ClaimBench(
      { measure: 'requests' },
      { measure: 'concurrent_requests' },
      { measure: 'output_tokens' },
    );
    expect(bench.claims()).toEqual([
      [1, false],
      [1, true],
      [100, true],
    ]);
  });

  test('claims are the likely or the highest usage, or a single unit', () => {
    const measure = 'input_tokens';
    const bench = new ClaimBench(
      { measure, reserve: 'typical' },
      { measure, reserve: 'full' },
      { measure, reserve: 'none' },
    );
    expect(bench.claims().map(([asked]) => asked)).toEqual([404, 1004, 1]);
  });

  test('claims weight cached input with the highest weight if the limit reserves the maximum', () => {
    const weights = { cachedInput: 0.1, cacheWrite: 1.25 };
    const limits = (['typical', 'full'] as const).map((reserve) => ({ measure: 'tokens', reserve, weights }) as const);
    expect(new ClaimBench(...limits).claims().map(([asked]) => asked)).toEqual([504, 1355]);
  });

  test('claims are the highest price of the estimate under a cost limit', () => {
    expect(new ClaimBench({ measure: 'cost' }).claims()).toEqual([[2_000_000, true]]);
  });

  test('claims compute the price once for all limits with the same reserve', () => {
    const cost = (reserve: 'full' | 'typical' | 'none') => ({ measure: 'cost', reserve }) as const;
    const bench = new ClaimBench(cost('full'), cost('typical'), cost('full'), cost('none'));
    bench.claims();
    expect(bench.priced).toBe(2);
  });

  test('claims do not contain a cost limit if the request is free', () => {
    const bench = new ClaimBench({ measure: 'cost' }, { measure: 'tokens' });
    bench.price = 0;
    expect(bench.claims()).toEqual([[504, true]]);
  });

  test.each([
    [{ n: 129 }, 'n'],
    [{ n: 0 }, 'n'],
    [{ n: 1.5 }, 'n'],
    [{ n: [2] }, 'n'],
  ])('a number of choices that no provider accepts is rejected before admission: %j', (json, param) => {
    const ctx = contextOf(CHAT, json);
    for (const measure of ['tokens', 'cost'] as const)
      expect(() => new ClaimBench({ measure }).claims(ctx)).toThrow(expect.objectContaining({ status: 400, param }));
    expect(new ClaimBench({ measure: 'requests' }).claims(ctx)).toEqual([[1, false]]);
    expect(new ClaimBench({ measure: 'tokens', mode: 'observe' }).claims(ctx)).toHaveLength(1);
  });

  test('the same bounds apply to best_of of completions, and to the number of images', () => {
    const claims = (endpoint: string, json: object) =>
      new ClaimBench({ measure: 'tokens' }).claims(contextOf({ endpoint }, json));
    expect(() => claims('/v1/completions', { best_of: 129 })).toThrow(expect.objectContaining({ param: 'best_of' }));
    expect(() => claims('/v1/images/edits', { n: '11' })).toThrow(expect.objectContaining({ param: 'n' }));
    expect(claims('/v1/images/edits', { n: '10' })).toHaveLength(1);
    expect(claims('/v1/messages', { n: 1000 })).toHaveLength(1);
  });

  test.each([
    [0.1, 1],
    [1e30, 2 ** 43],
    [Number.NaN, 2 ** 43],
  ])('claims are between 1 and 2^43: %d', (price, asked) => {
    const bench = new ClaimBench({ measure: 'cost' });
    bench.price = price;
    expect(bench.claims()).toEqual([[asked, true]]);
  });

  test.each([
    ['GET', '/v1/models', null],
    ['GET', '/v1/responses/{id}', null],
    ['GET', '/v1/batches', null],
    ['POST', '/v1/moderations', null],
    ['POST', '/v1/messages/count_tokens', null],
  ] as const)('claims count only the request on a route without usage: %s %s', (method, endpoint, usage) => {
    const bench = new ClaimBench(
      { measure: 'requests' },
      { measure: 'concurrent_requests' },
      { measure: 'tokens' },
      { measure: 'cost' },
    );
    expect(bench.claims(contextOf({ endpoint, usage }, {}, method))).toEqual([
      [1, false],
      [1, true],
    ]);
  });
});

describe('a model without a price', () => {
  const unpriced = (limit: Partial<ActiveLimit>) => {
    const bench = new ClaimBench({ measure: 'cost', ...limit });
    bench.price = null;
    return bench;
  };
  const rejected = expect.objectContaining({ code: 'model_not_priced', status: 403, param: 'model' });

  test('a model without a price is rejected under an enforced cost limit, regardless of its reserve', () => {
    for (const reserve of ['full', 'typical', 'none'] as const)
      expect(() => unpriced({ reserve }).claims()).toThrow(rejected);
  });

  test('the message names the model without a price and the remedies', () => {
    const named = contextOf();
    const unnamed = contextOf();
    unnamed.model = null;
    expect(() => unpriced({}).claims(named)).toThrow(
      'The requested model has no price, and a cost limit applies to this API key. Use another model, or ask an operator of ' +
        'this gateway to add a price or to set GW_UNPRICED_COST.',
    );
    expect(() => unpriced({}).claims(unnamed)).toThrow('The request names no model, so it has no price');
  });

  test('a model without a price passes under limits that are not currently enforced', () => {
    expect(unpriced({ mode: 'observe' }).claims()).toEqual([[1, true]]);
    expect(unpriced({ startsAtMs: Date.now() + 60_000 }).claims()).toEqual([[1, true]]);
    expect(unpriced({ endsAtMs: Date.now() - 60_000 }).claims()).toEqual([[1, true]]);
    expect(unpriced({ measure: 'requests' }).claims()).toEqual([[1, false]]);
  });
});

describe('a route without metered usage', () => {
  const BATCHES = contextOf({ endpoint: '/v1/batches', usage: null });
  const VIDEOS = contextOf({ endpoint: '/v1/videos', usage: null });
  const rejected = expect.objectContaining({ code: 'usage_not_metered', status: 403 });

  test('a route without metered usage is rejected under limits of that usage', () => {
    expect(() => new ClaimBench({ measure: 'tokens' }).claims(BATCHES)).toThrow(rejected);
    expect(() => new ClaimBench({ measure: 'cost' }).claims(BATCHES)).toThrow(rejected);
    expect(() => new ClaimBench({ measure: 'cost' }).claims(VIDEOS)).toThrow(
      'A cost limit applies to this API key, and the gateway cannot meter the usage of this route. Use another route, or ask ' +
        'an operator of this gateway for a key without such a limit.',
    );
  });

  test('a route without metered usage passes under other limits', () => {
    expect(new ClaimBench({ measure: 'requests' }).claims(BATCHES)).toEqual([[1, false]]);
    expect(new ClaimBench({ measure: 'tokens' }).claims(VIDEOS)).toEqual([]);
    expect(new ClaimBench({ measure: 'tokens', mode: 'observe' }).claims(BATCHES)).toEqual([]);
  });
});
