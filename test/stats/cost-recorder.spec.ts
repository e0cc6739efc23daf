import { describe, expect, test } from '@jest/globals';
import { costOf, isIncomplete } from '../../src/costs/pricing/request-cost.rules.js';
import type { PriceRow, Prices } from '../../src/costs/pricing/price-row.js';
import { kindsOf } from '../../src/costs/pricing/request-units.rules.js';
import type { PricedRequest, PricedUsage, RequestCosts } from '../../src/costs/request-costs.service.js';
import type { UnpricedModels } from '../../src/costs/unpriced-models.service.js';
import type { TokenUsage, UsageDetails } from '../../src/platform/request-context/token-usage.js';
import type { RequestContext } from '../../src/platform/request-context/request-context.js';
import { CostRecorder } from '../../src/stats/cost-recorder.service.js';
import { details as detailsWith } from '../support/detailed-usage.js';
import { keySnapshot, requestOf } from '../support/stats-database.js';

const USAGE: TokenUsage = { inputTokens: 10, outputTokens: 4, provenance: 'reported' };
const DOLLAR = 1_000_000_000;

/** Prices that a test can change at any time. */
class ChangingPrices {
  calls = 0;

  constructor(public prices: Prices | null) {}

  of({ usage, details }: PricedRequest): PricedUsage {
    this.calls += 1;
    const kinds = kindsOf(usage, details);
    if (this.prices === null) return { kinds, nanos: null, unpriced: true, cost: null, price: null };
    const row: PriceRow = {
      source: 'list',
      provider: 'p',
      model: 'm',
      validFromMs: null,
      validToMs: null,
      hours: null,
      prices: this.prices,
      tiers: [],
      images: [],
      minimums: {},
      factors: null,
    };
    const cost = costOf(kinds, row, { serviceTier: null, region: null });
    return { kinds, nanos: cost.nanos, unpriced: isIncomplete(cost), cost, price: 'a' };
  }
}

function recorderOf(prices: Prices | null) {
  const costs = new ChangingPrices(prices);
  const noted: string[] = [];
  const models = { note: (model: string) => void noted.push(model) } as unknown as UnpricedModels;
  return { costs, noted, recorder: new CostRecorder(costs as unknown as RequestCosts, models) };
}

function request(usage = USAGE, details: UsageDetails | null = null): RequestContext {
  const ctx = requestOf(keySnapshot('k'), { usage });
  ctx.upstream.account = { name: 'default', baseUrl: new URL('http://provider.example/v1') };
  ctx.usageDetails = details;
  return ctx;
}
const entryOf = (recorder: CostRecorder, ctx: RequestContext, usage = USAGE) =>
  recorder.record(ctx, usage, { endpoint: '/v1/x', atMs: 0, logged: false });

describe('exactCostOf', () => {
  test('the cost of the header is recorded even if the price has changed since', () => {
    const { costs, recorder } = recorderOf({ input: DOLLAR, output: 2 * DOLLAR });
    const ctx = request();
    expect(recorder.exactCostOf(ctx)).toBe('0.000018');
    costs.prices = { input: 900 * DOLLAR, output: DOLLAR };
    expect(entryOf(recorder, ctx)!.priced.nanos).toBe(18_000n);
    const cacheUse = { inputTokens: 10, cachedTokens: 0, savedNanos: 0 };
    expect([costs.calls, recorder.recorded.get('default')]).toEqual([1, { nanos: 18_000n, unpriced: 0, ...cacheUse }]);
  });

  test('each request is counted once, when it is recorded', () => {
    const { recorder } = recorderOf({ input: DOLLAR, output: DOLLAR });
    const ctx = request();
    recorder.exactCostOf(ctx);
    expect(recorder.recorded.size).toBe(0);
    entryOf(recorder, ctx);
    expect(recorder.recorded.get('default')!.nanos).toBe(14_000n);
  });

  test.each<[string, Prices | null]>([
    ['nothing has a price', null],
    ['only a part has a price, so that the sum is a lower bound', { input: DOLLAR }],
    [
      'the provider also bills something that the gateway cannot read',
      { input: DOLLAR, output: DOLLAR, citations: DOLLAR },
    ],
  ])('the exact cost is null if %s', (_case, prices) => {
    expect(recorderOf(prices).recorder.exactCostOf(request())).toBeNull();
  });

  test('the exact cost is null while the usage is being estimated, without usage, and if nothing was sent', async () => {
    const { recorder } = recorderOf({ input: DOLLAR, output: DOLLAR });
    const estimated = request();
    estimated.estimate = Promise.resolve(USAGE);
    const [unused, unsent] = [request(), request()];
    unused.usage = { inputTokens: 0, outputTokens: 0, provenance: 'none' };
    unsent.upstream.account = null;
    // A response without usage has no price, as in RequestCosts.
    const empty = { of: () => ({ kinds: { units: {} }, nanos: 0n, unpriced: false, cost: null, price: null }) };
    const free = new CostRecorder(empty as unknown as RequestCosts, {} as UnpricedModels);
    const costs = [recorder.exactCostOf(estimated), free.exactCostOf(unused), recorder.exactCostOf(unsent)];
    expect(costs).toEqual([null, null, null]);
    await estimated.estimate;
  });
});

describe('additional tokens of a recorded request', () => {
  test.each<[string, Partial<UsageDetails>, number]>([
    ['no details', {}, 0],
    ['cached tokens within the input', { inputIncludesCache: true, cachedInput: 7 }, 0],
    ['cache reads and writes beside the input', { cachedInput: 30, cacheWrite5m: 20, cacheWrite1h: 5 }, 55],
    ['reasoning within the output', { inputIncludesCache: true, reasoning: 3 }, 0],
    ['reasoning beside the output', { inputIncludesCache: true, outputIncludesReasoning: false, reasoning: 30 }, 30],
    [
      'audio and images within their totals',
      { inputIncludesCache: true, audioInput: 4, imageInput: 2, audioOutput: 1 },
      0,
    ],
    ['searches and seconds, which are not tokens', { webSearches: 9, audioSeconds: 60, images: 3 }, 0],
  ])('%s', (_case, details, additionalTokens) => {
    const ctx = request(USAGE, detailsWith({ inputIncludesCache: false, ...details }));
    expect(entryOf(recorderOf(null).recorder, ctx)).toMatchObject({ additionalTokens });
  });
});

describe('the use of prompt caches', () => {
  const HIT = detailsWith({ cachedInput: 40, inputIncludesCache: true });
  const recordOf = (recorder: CostRecorder, inputTokens: number, details: UsageDetails | null) => {
    const usage = { ...USAGE, inputTokens };
    entryOf(recorder, request(usage, details), usage);
  };

  test('cached tokens save the difference to the price of other input', () => {
    const { recorder } = recorderOf({ input: 2 * DOLLAR, cached_input: DOLLAR / 2, output: DOLLAR });
    recordOf(recorder, 100, HIT);
    recordOf(recorder, 60, null);
    expect(recorder.cacheUseOf('default')).toEqual({
      nanos: 268_000n,
      unpriced: 0,
      inputTokens: 160,
      cachedTokens: 40,
      savedNanos: 40 * 1_500,
    });
    expect(recorder.cacheUseOf('other')).toEqual({ inputTokens: 0, cachedTokens: 0, savedNanos: 0 });
  });

  test('cached tokens without a price save nothing', () => {
    const { recorder } = recorderOf(null);
    recordOf(recorder, 100, HIT);
    expect(recorder.cacheUseOf('default')).toEqual({
      nanos: 0n,
      unpriced: 1,
      inputTokens: 100,
      cachedTokens: 40,
      savedNanos: 0,
    });
  });
});
