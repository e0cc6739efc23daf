import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Clock } from '../../../src/platform/clock.js';
import { Config } from '../../../src/platform/config/config.js';
import type { OperatorPrices } from '../../../src/costs/operator-prices.service.js';
import type { UsageKinds } from '../../../src/costs/pricing/request-units.rules.js';
import { AppliedPrices } from '../../../src/costs/applied-price.service.js';
import { CostBounds, type PricedCall } from '../../../src/quota/limits/cost-bounds.service.js';
import { fallbacksIn } from '../../../src/quota/limits/estimate/fallback-models.js';
import { RequestEstimate } from '../../../src/quota/limits/estimate/request-estimate.js';
import type { UpstreamCandidates } from '../../../src/model-policy/upstream-candidates.service.js';

const NO_OPERATOR_PRICES = { isEmpty: true } as unknown as OperatorPrices;

interface Place {
  readonly url: string;
  /** The model that the upstream is sent. */
  readonly model?: string;
}
const OPENAI = { url: 'https://api.openai.com/v1' };
const OPENROUTER = { url: 'https://openrouter.ai/api/v1' };
const OWN_SERVER = { url: 'https://vllm.internal.example/v1' };

function bounds(places: readonly Place[], env: Record<string, string> = {}): CostBounds {
  const config = Config.from(env).with({ environment: 'production' });
  const upstreams = places.map(({ url }, at) => ({ name: `upstream-${at}`, baseUrl: new URL(url) }));
  const of = (model: string) => ({
    candidates: places.map((place, at) => ({ upstream: upstreams[at], model: place.model ?? model, requested: model })),
  });
  const serving = { of, withoutModel: () => of('').candidates, fallbacksOf: () => [] } as unknown as UpstreamCandidates;
  return new CostBounds(new AppliedPrices(NO_OPERATOR_PRICES, config), serving, new Clock(), config);
}

const usage = (units: UsageKinds['units']): UsageKinds => ({
  units,
  inputTokens: units.input ?? 0,
  reasoning: 0,
  imageSize: null,
  imageQuality: null,
  mediaOnly: false,
  unmeasured: [],
  corrected: [],
});
const HUNDRED_THOUSAND_IN = usage({ input: 100_000 });

const callOf = (model: string | null, json: object, api: PricedCall['api'] = 'openai'): PricedCall => {
  const body = json as Record<string, unknown>;
  return { api, model, json: body, fallbacks: fallbacksIn(body) };
};
const highest = (costs: CostBounds, call: PricedCall, used: UsageKinds): number | null =>
  costs.of(call)?.highestCostOf(used) ?? null;

const nanosAt = (places: readonly Place[], model: string | null, json: object = {}, env = {}) =>
  highest(bounds(places, env), callOf(model, json), HUNDRED_THOUSAND_IN);

const named = (count: number) => Array.from({ length: count }, (_, at) => `unknown/model-${at}`);

describe('the highest cost of a request', () => {
  test('the highest cost is that of the account', () => {
    expect(nanosAt([OPENAI], 'gpt-4o')).toBe(250_000_000);
    expect(highest(bounds([OPENAI]), callOf('gpt-4o', {}), usage({ input: 1, output: 1 }))).toBe(12_500);
  });

  test('the highest cost is that of the most expensive upstream that can serve the model', () => {
    const azure = { ...OPENAI, model: 'gpt-4' };
    expect(nanosAt([OPENAI, azure], 'gpt-4o')).toBe(3_000_000_000);
    expect(nanosAt([azure, OPENAI], 'gpt-4o')).toBe(3_000_000_000);
  });

  test('the highest cost is that of the most expensive model to which a router can fall back', () => {
    const models = ['openai/gpt-4', 'unknown/model', '', 5, null];
    expect(nanosAt([OPENROUTER], 'openai/gpt-4o', { models })).toBe(3_000_000_000);
    expect(nanosAt([OPENROUTER], 'openai/gpt-4', { models: ['openai/gpt-4o'] })).toBe(3_000_000_000);
    expect(nanosAt([OPENAI], 'gpt-4o', { models: 'gpt-4' })).toBe(3_000_000_000);
  });

  test.each([
    { fallbacks: ['openai/gpt-4'] },
    { fallbacks: [{ model: 'openai/gpt-4' }] },
    { context_window_fallbacks: [{ 'openai/gpt-4o': ['openai/gpt-4'] }] },
    { content_policy_fallbacks: ['openai/gpt-4'] },
    { default_fallbacks: ['openai/gpt-4'] },
    { context_window_fallback_dict: { 'openai/gpt-4o': 'openai/gpt-4' } },
    { extra_body: { models: ['openai/gpt-4'] } },
    { providerOptions: { gateway: { models: ['openai/gpt-4'] } } },
    { provider_options: { gateway: { models: ['openai/gpt-4'] } } },
    { model_group_alias: { 'openai/gpt-4o': 'openai/gpt-4' } },
    { models: ['openai/gpt-4o'], fallbacks: ['openai/gpt-4'] },
    { models: [...named(63), 'openai/gpt-4'] },
  ])('the highest cost is that of the most expensive model in any field that can name fallbacks: %j', (json) => {
    expect(nanosAt([OPENROUTER], 'openai/gpt-4o', json)).toBe(3_000_000_000);
  });

  test('the highest cost does not include models that only a tool uses', () => {
    expect(nanosAt([OPENAI], 'gpt-4o', { tools: [{ type: 'advisor', model: 'gpt-4' }] })).toBe(250_000_000);
  });

  test.each([
    [{ service_tier: 'priority' }, 425_000_000],
    [{ service_tier: 'auto' }, 425_000_000],
    [{ service_tier: 'default' }, 250_000_000],
    [{ service_tier: 'flex' }, 250_000_000],
    [{ service_tier: { toString: 1 } }, 250_000_000],
    [{}, 250_000_000],
  ])('the highest cost includes the most expensive service tier that the request allows: %j', (json, nanos) => {
    expect(nanosAt([OPENAI], 'gpt-4o', json)).toBe(nanos);
  });

  test('the highest cost has the write price for input that is written to a cache', () => {
    const anthropic = bounds([{ url: 'https://api.anthropic.com/v1' }]);
    const call = callOf('claude-sonnet-4-5', {}, 'anthropic');
    expect(highest(anthropic, call, usage({ input: 1000 }))).toBe(3_000_000);
    expect(highest(anthropic, call, usage({ cache_write_5m: 1000 }))).toBe(3_750_000);
    expect(highest(anthropic, call, usage({ cache_write_1h: 1000 }))).toBe(6_000_000);
  });

  test('the highest cost has the price of reasoning if it is above that of other output', () => {
    const perplexity = bounds([{ url: 'https://api.perplexity.ai' }]);
    const call = callOf('sonar-deep-research', {});
    const plain = highest(perplexity, call, usage({ input: 1000 }))!;
    // Output costs $8 per million tokens, reasoning $3, and the higher one counts.
    expect(highest(perplexity, call, usage({ input: 1000, output: 1000 }))! - plain).toBe(8_000_000);
  });

  test('the highest cost has the highest price of an image of unknown size', () => {
    const images = usage({ images: 2, image_output: 12_480, input: 10 });
    expect(highest(bounds([OPENAI]), callOf('dall-e-3', {}), images)).toBe(240_000_000);
  });
});

describe('the cost of a request without a price', () => {
  test('the cost of a request without a price is unknown', () => {
    expect(nanosAt([OWN_SERVER], 'gpt-4o')).toBeNull();
    expect(nanosAt([OPENAI], 'acme-7')).toBeNull();
    expect(nanosAt([OPENAI], null)).toBeNull();
    expect(nanosAt([OPENAI, OWN_SERVER], null)).toBeNull();
  });

  test('the cost is unknown if the request names more than 64 fallbacks, even if all compared models are cheap', () => {
    expect(nanosAt([OPENROUTER], 'openai/gpt-4o', { models: named(64) })).toBe(250_000_000);
    const json = { models: named(64), fallbacks: ['openai/gpt-4'] };
    expect(nanosAt([OPENROUTER], 'openai/gpt-4o', json)).toBeNull();
  });

  test('the cost is that of GW_UNPRICED_COST for fallbacks that the provider chooses', () => {
    const json = { fallbacks: 'default' };
    expect(nanosAt([OPENAI], 'gpt-4o', json)).toBe(250_000_000);
    expect(nanosAt([OPENAI], 'gpt-4o', json, { GW_UNPRICED_COST: '99/0' })).toBe(9_900_000_000);
    expect(nanosAt([OPENAI], 'gpt-4o', json, { GW_UNPRICED_COST: '1/0' })).toBe(250_000_000);
    expect(nanosAt([OPENAI], 'gpt-4o', { fallbacks: ['acme-7'] }, { GW_UNPRICED_COST: '99/0' })).toBe(250_000_000);
  });

  test('the cost is that of the upstreams with a price, if others have none', () => {
    expect(nanosAt([OWN_SERVER, OPENAI], 'gpt-4o')).toBe(250_000_000);
  });

  test('the cost is that of GW_UNPRICED_COST if it is the highest', () => {
    const assumed = (input: string) => ({ GW_UNPRICED_COST: `${input}/0` });
    expect(nanosAt([OWN_SERVER], 'gpt-4o', {}, assumed('0.000001'))).toBe(100);
    expect(nanosAt([OWN_SERVER, OPENAI], 'gpt-4o', {}, assumed('3'))).toBe(300_000_000);
    expect(nanosAt([OWN_SERVER, OPENAI], 'gpt-4o', {}, assumed('1'))).toBe(250_000_000);
    expect(nanosAt([OPENAI], 'gpt-4o', {}, assumed('99'))).toBe(250_000_000);
  });

  test('the cost counts all tokens of the actual usage, and is rounded up once', () => {
    const units = {
      input: 1,
      cached_input: 1,
      cache_write_1h: 1,
      audio_input: 1,
      output: 1,
      image_output: 1,
      images: 9,
    };
    expect(bounds([OPENAI], { GW_UNPRICED_COST: '0.000003/0.000001' }).assumed({ units })).toBe(1);
    expect(bounds([OPENAI], { GW_UNPRICED_COST: '3/15' }).assumed({ units })).toBe(42_000);
    expect(bounds([OPENAI]).assumed({ units })).toBeNull();
  });
});

describe('the cost of an estimate', () => {
  const anthropic = { url: 'https://api.anthropic.com/v1' };
  const google = { url: 'https://generativelanguage.googleapis.com/v1beta/openai' };
  // These models have a second price for long inputs.
  const models = [
    { place: OPENAI, model: 'gpt-5.4' },
    { place: anthropic, model: 'claude-sonnet-4-5' },
    { place: google, model: 'gemini-2.5-pro' },
  ].map(({ place, model }) => ({ model, costs: bounds([place]) }));

  test('the cost of an estimate is higher for the maximum than for the likely usage, and does not decrease with the body', () => {
    const json = fc.record(
      { max_tokens: fc.nat(100_000), n: fc.integer({ min: 1, max: 5 }), service_tier: fc.constantFrom('auto', 'flex') },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        json,
        fc.nat(600_000),
        fc.nat(600_000),
        ({ model, costs }, body, less, more) => {
          const cost = (bytes: number, level: 'typical' | 'full') => {
            const route = { kind: 'text', endpoint: '/v1/chat/completions' } as const;
            const request = { ...route, json: body, body: Buffer.alloc(bytes), model };
            const estimate = new RequestEstimate({ ...request, outputExpected: 900, outputDefault: 900 });
            return highest(costs, callOf(model, body), estimate.of(level))!;
          };
          expect(cost(less, 'typical')).toBeGreaterThan(0);
          expect(cost(less, 'full')).toBeGreaterThanOrEqual(cost(less, 'typical'));
          for (const level of ['typical', 'full'] as const)
            expect(cost(less + more, level)).toBeGreaterThanOrEqual(cost(less, level));
        },
      ),
    );
  });
});
