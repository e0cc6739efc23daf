import { describe, expect, test } from '@jest/globals';
import { AppliedPrices } from '../../src/costs/applied-price.service.js';
import { Config } from '../../src/platform/config/config.js';
import { costRecordOf, type StoredCost, RequestCosts } from '../../src/costs/request-costs.service.js';
import type { OperatorPrices } from '../../src/costs/operator-prices.service.js';
import type { OtherModelUsage, UsageDetails } from '../../src/platform/request-context/token-usage.js';
import { costLines } from '../../src/admin/logs/cost-details.dto.js';
import { NO_DETAILS, priceRow, reported } from './pricing/reports.js';

const ANTHROPIC = 'https://api.anthropic.com/v1';
const OPENAI = 'https://api.openai.com/v1';

/** Prices of operators by model, in nano-dollars per million input tokens. */
const operatorsWith = (prices: Readonly<Record<string, number>>) =>
  ({
    isEmpty: Object.keys(prices).length === 0,
    find: ({ model }: { model: string }) =>
      Object.hasOwn(prices, model)
        ? { id: `of ${model}`, row: priceRow({ prices: { input: prices[model]!, output: 0 } }), listed: null }
        : null,
  }) as unknown as OperatorPrices;

interface Request {
  readonly baseUrl: string;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly details?: Partial<UsageDetails>;
  readonly others: readonly OtherModelUsage[];
  readonly prices?: Readonly<Record<string, number>>;
}

function priced({ baseUrl, model, input, output, details = {}, others, prices = {} }: Request) {
  const costs = new RequestCosts(
    new AppliedPrices(operatorsWith(prices), Config.from({}).with({ environment: 'production' })),
  );
  return costs.of({
    provider: 'default',
    baseUrl: new URL(baseUrl),
    models: [model],
    atMs: Date.UTC(2026, 9, 1),
    usage: reported(input, output),
    details: { ...NO_DETAILS, ...details, others },
  });
}

const other = (
  model: string,
  input: number,
  output: number,
  given: Partial<OtherModelUsage> = {},
): OtherModelUsage => ({
  model,
  included: true,
  inputTokens: input,
  outputTokens: output,
  details: NO_DETAILS,
  ...given,
});
const ADVISOR = other('claude-opus-4-5', 900, 7, { details: { ...NO_DETAILS, inputIncludesCache: false } });
const IMAGE = other('gpt-image-1.5', 500, 4160, {
  included: false,
  details: { ...NO_DETAILS, cachedInput: 100, imageInput: 300, imageOutput: 4100 },
});

describe('a request with several models', () => {
  test('has the price of the advisor for the tokens of the advisor', () => {
    const details = { inputIncludesCache: false, cachedInput: 550 };
    const request = { baseUrl: ANTHROPIC, model: 'claude-sonnet-4-5', input: 1000, output: 50, details };
    const { nanos, unpriced, kinds, price } = priced({ ...request, others: [ADVISOR] });
    // Sonnet: 100 at $3, 550 cached at $0.30 and 43 at $15. Opus: 900 at $5 and 7 at $25.
    expect([nanos, unpriced]).toEqual([300_000n + 165_000n + 645_000n + 4_500_000n + 175_000n, false]);
    expect(kinds).toMatchObject({
      units: { input: 1000, cached_input: 550, output: 50, requests: 1 },
      inputTokens: 1550,
    });
    expect(price).toMatch(/anthropic\/claude-sonnet-4-5$/);
  });

  test('has the price of the image model for the tokens of the image tool, in addition to its own tokens', () => {
    const request = { baseUrl: OPENAI, model: 'gpt-4o', input: 1000, output: 10, details: { serviceTier: 'flex' } };
    const { nanos, unpriced, kinds } = priced({ ...request, others: [IMAGE] });
    // gpt-4o at half price: 1,000 at $2.50 and 10 at $10. The tool: 100 at $5, 100 cached at $1.25, 300 image tokens at $8,
    // 60 at $10 and 4,100 image tokens at $32.
    const tool = 500_000n + 125_000n + 2_400_000n + 600_000n + 131_200_000n;
    expect([nanos, unpriced]).toEqual([1_250_000n + 50_000n + tool, false]);
    expect(kinds.units).toEqual({
      input: 1100,
      cached_input: 100,
      image_input: 300,
      image_output: 4100,
      output: 70,
      requests: 1,
    });
  });

  test('the cost of several models is rounded up once', () => {
    const request = {
      baseUrl: 'https://own.example',
      model: 'a',
      input: 2,
      output: 0,
      prices: { a: 37_500_000, b: 37_500_000 },
    };
    expect(priced({ ...request, others: [other('b', 1, 0)] }).nanos).toBe(75n);
    expect(priced({ ...request, others: [other('b', 1, 0, { included: false })] }).nanos).toBe(113n);
  });

  test('names the model without a price, and has a lower bound', () => {
    const request = { baseUrl: OPENAI, model: 'gpt-4o', input: 1000, output: 0 };
    const one = priced({ ...request, others: [{ ...IMAGE, model: 'image-x' }] });
    expect(one).toMatchObject({ nanos: 2_500_000n, unpriced: true, unpricedPart: { model: 'image-x' } });
    expect(one.unpricedPart!.units).toMatchObject({ input: 100, output: 60 });
    const kinds = ['input', 'cached_input', 'image_input', 'image_output', 'output'];
    expect(new Set(one.cost!.unpriced)).toEqual(new Set(kinds));
    const both = priced({ ...request, model: 'own-x', others: [{ ...IMAGE, model: 'image-x' }] });
    expect(both).toMatchObject({ nanos: null, unpriced: true, price: null });
    expect(both.unpricedPart).toBeUndefined();
    const prices = { 'image-x': 0 };
    expect(priced({ ...request, others: [{ ...IMAGE, model: 'image-x' }], prices })).toMatchObject({
      nanos: 2_500_000n,
      unpriced: false,
    });
  });

  test('has the stated amount if a model has no price', () => {
    const request = { baseUrl: OPENAI, model: 'own-x', input: 1000, output: 0, details: { reportedCostNanoUsd: 42 } };
    expect(priced({ ...request, others: [IMAGE] })).toMatchObject({ nanos: 42n, unpriced: false, price: 'provider' });
  });

  test('lists lines that name the model, its price and its factor, and add up to the cost', () => {
    const details = { serviceTier: 'flex' };
    const request = { baseUrl: OPENAI, model: 'gpt-4o', input: 1000, output: 10, details };
    const result = priced({ ...request, others: [IMAGE, other('gpt-4o-mini', 100, 0)] });
    const record = costRecordOf(result, { provider: 'default', estimated: false }) as StoredCost;
    const lines = costLines(JSON.parse(JSON.stringify(record)) as StoredCost);
    expect(lines.map(({ kind, model, factor }) => [kind, model, factor?.denominator ?? 1])).toEqual([
      ['input', null, 2],
      ['output', null, 2],
      ...['input', 'cached_input', 'output', 'image_input', 'image_output'].map((kind) => [kind, 'gpt-image-1.5', 1]),
      ['input', 'gpt-4o-mini', 2],
    ]);
    expect(lines[2]!.model_price).toMatch(/^list \S+ openai\/gpt-image-1\.5$/);
    const sum = lines.reduce((total, { amount }) => total + Number(amount), 0);
    expect(sum).toBeCloseTo(Number(result.nanos) / 1e9, 12);
  });

  test('parts that exceed the total are limited to it', () => {
    const request = { baseUrl: ANTHROPIC, model: 'claude-sonnet-4-5', input: 10, output: 1 };
    const { nanos, kinds } = priced({ ...request, others: [ADVISOR] });
    expect(nanos).toBe(4_675_000n);
    expect(kinds.units).toEqual({ input: 900, output: 7, requests: 1 });
  });
});
