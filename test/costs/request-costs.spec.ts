import { describe, expect, test } from '@jest/globals';
import { AppliedPrices } from '../../src/costs/applied-price.service.js';
import { Config } from '../../src/platform/config/config.js';
import type { OperatorPrices } from '../../src/costs/operator-prices.service.js';
import { costOf } from '../../src/costs/pricing/request-cost.rules.js';
import { RequestCosts, type PricedRequest } from '../../src/costs/request-costs.service.js';
import { NO_DETAILS, priceRow, reported } from './pricing/reports.js';

const OPENAI = 'https://api.openai.com/v1';
const OPENROUTER = 'https://openrouter.ai/api/v1';
const OWN_SERVER = 'https://vllm.internal.example/v1';
const SANDBOX = 'http://127.0.0.1:4010/v1';
const AT_MS = Date.UTC(2026, 9, 1);

/** Prices of operators by model, in dollars per million input tokens. */
const operatorsWith = (prices: Readonly<Record<string, number>>) =>
  ({
    isEmpty: Object.keys(prices).length === 0,
    find: ({ model }: { model: string }) =>
      Object.hasOwn(prices, model)
        ? { id: `of ${model}`, row: priceRow({ prices: { input: prices[model]! * 1e9, output: 0 } }), listed: null }
        : null,
  }) as unknown as OperatorPrices;

function priced(
  baseUrl: string,
  models: readonly string[],
  prices = {},
  given: Partial<PricedRequest> = {},
  production = true,
) {
  const config = Config.from({}).with({ environment: production ? 'production' : 'test' });
  const costs = new RequestCosts(new AppliedPrices(operatorsWith(prices), config));
  const request = {
    provider: 'default',
    baseUrl: new URL(baseUrl),
    models,
    atMs: AT_MS,
    usage: reported(1_000_000, 0),
  };
  return costs.of({ ...request, details: null, ...given });
}
const priceAt = (...given: Parameters<typeof priced>) => priced(...given).price?.replace(/list \S+/, 'list') ?? null;

describe('the price of a request', () => {
  test('the price is that of the model in the response, then of the model that was sent, then of the requested one', () => {
    expect(priceAt(OPENAI, ['gpt-4o', 'gpt-4o-mini', 'fast'])).toBe('list openai/gpt-4o');
    expect(priceAt(OPENAI, ['weights-17', 'gpt-4o-mini', 'fast'])).toBe('list openai/gpt-4o-mini');
    expect(priceAt(OPENAI, ['weights-17', 'deployment', 'gpt-4o'])).toBe('list openai/gpt-4o');
    expect(priceAt(OPENAI, ['weights-17', 'deployment'])).toBeNull();
  });

  test("an operator's price applies before that of the list", () => {
    expect(priceAt(OPENAI, ['gpt-4o'], { 'gpt-4o': 1 })).toBe('operator of gpt-4o');
  });

  test("an operator's price for a deployment or an alias applies, although the list has the model in the response", () => {
    expect(priceAt(OPENAI, ['gpt-4o', 'deployment-1'], { 'deployment-1': 1 })).toBe('operator of deployment-1');
  });

  test("an operator's price for the requested model does not apply if a router served another one", () => {
    const models = ['openai/gpt-4o', 'openai/gpt-4o-mini'];
    expect(priceAt(OPENROUTER, models, { 'openai/gpt-4o-mini': 1 })).toBe('list openrouter/openai/gpt-4o');
  });

  test("an operator's price for the requested model applies if the response names its snapshot", () => {
    expect(priceAt(OPENAI, ['gpt-4o-2024-08-06', 'gpt-4o'], { 'gpt-4o': 1 })).toBe('operator of gpt-4o');
  });
});

describe('a host that the list does not know', () => {
  test.each(['deepseek-r1', 'mistral-large-latest', 'gpt-4o', 'openai/gpt-4o'])(
    'an unknown host has no price for %s, although its maker does',
    (model) => {
      expect(priced(OWN_SERVER, [model])).toMatchObject({ nanos: null, unpriced: true, price: null });
      expect(priced(SANDBOX, [model])).toMatchObject({ nanos: null, unpriced: true });
    },
  );

  test("an unknown host has the operators' prices", () => {
    expect(priced(OWN_SERVER, ['deepseek-r1'], { 'deepseek-r1': 2 })).toMatchObject({ nanos: 2_000_000_000n });
  });

  test("an unknown host on this machine, such as the sandbox, has the makers' prices outside production", () => {
    expect(priceAt(SANDBOX, ['gpt-4o'], {}, {}, false)).toBe('list openai/gpt-4o');
    expect(priceAt(OWN_SERVER, ['gpt-4o'], {}, {}, false)).toBeNull();
  });
});

describe('the cost of a request', () => {
  test('the cost is the amount that the provider states for a model without a price', () => {
    const details = { ...NO_DETAILS, reportedCostNanoUsd: 1234 };
    const stated = priced(OPENROUTER, ['new/model'], {}, { details });
    expect(stated).toMatchObject({ nanos: 1234n, unpriced: false, cost: null, price: 'provider' });
    expect(priceAt(OPENROUTER, ['openai/gpt-4o'], {}, { details })).toBe('list openrouter/openai/gpt-4o');
  });

  test('the cost is 0 without usage, also for a model without a price', () => {
    const none = { usage: { inputTokens: 0, outputTokens: 0, provenance: 'none' as const } };
    expect(priced(OWN_SERVER, ['x'], {}, none)).toMatchObject({ nanos: 0n, unpriced: false });
  });

  test('the cost has lines that agree with the amount', () => {
    const details = { ...NO_DETAILS, cachedInput: 400_000, serviceTier: 'flex' };
    const result = priced(OPENAI, ['gpt-4o'], {}, { details, usage: reported(900_001, 7) });
    expect(result.cost!.nanos).toBe(result.nanos);
    expect(result.cost!.lines.map(({ kind }) => kind)).toEqual(['input', 'cached_input', 'output']);
    expect(result.cost!.factor).toMatchObject({ numerator: 1, denominator: 2 });
  });

  test('the cost is a lower bound if a kind has no price', () => {
    const details = { ...NO_DETAILS, webSearches: 2 };
    const result = priced(OWN_SERVER, ['m'], { m: 1 }, { details });
    expect(result).toMatchObject({ nanos: 1_000_000_000n, unpriced: true });
    expect(result.cost!.unpriced).toEqual(['web_searches']);
    expect(costOf(result.kinds, priceRow({ prices: { input: 1e9 } }), { serviceTier: null, region: null }).nanos).toBe(
      result.nanos,
    );
  });
});
