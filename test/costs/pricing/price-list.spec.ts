import { describe, expect, test } from '@jest/globals';
import { EXTRA_PRICES } from '../../../src/costs/pricing/extra-prices.data.js';
import { PRICE_FACTORS } from '../../../src/costs/pricing/price-factors.data.js';
import { PRICE_LIST_JSON } from '../../../src/costs/pricing/price-list.data.js';
import type { ListedProvider } from '../../../src/costs/pricing/price-list-rows.js';
import {
  findPrice,
  PriceList,
  priceListVersion,
  type ListedPriceQuery,
} from '../../../src/costs/pricing/price-list.js';
import { PROVIDER_HOSTS } from '../../../src/costs/pricing/provider-hosts.data.js';
import { USAGE_KINDS } from '../../../src/costs/usage-kinds.data.js';

const NOW = Date.parse('2026-10-01T12:00:00Z');
const find = (query: Partial<ListedPriceQuery>) => findPrice({ model: 'gpt-5', atMs: NOW, ...query });
const found = (query: Partial<ListedPriceQuery>) => {
  const price = find(query);
  return price && `${price.row.provider} ${price.row.model} ${price.foundBy}`;
};
const at = (baseUrl: string, model: string) => found({ baseUrl: new URL(baseUrl), model });

describe('findPrice', () => {
  test.each([
    ['https://api.openai.com/v1', 'gpt-5', 'openai gpt-5 host'],
    ['http://api.openai.com/v1', 'gpt-5', 'openai gpt-5 host'],
    ['https://us.api.openai.com/v1', 'gpt-5', 'openai gpt-5 host'],
    ['https://openrouter.ai/api/v1', 'openai/gpt-5', 'openrouter openai/gpt-5 host'],
    ['https://acme.openai.azure.com/openai/v1', 'gpt-5', 'azure gpt-5 host'],
    ['https://generativelanguage.googleapis.com', 'gemini-2.5-pro', 'google gemini-2.5-pro host'],
    ['https://us-east5-aiplatform.googleapis.com', 'claude-opus-5', 'google claude-opus-5 host'],
    ['https://router.huggingface.co/groq/openai/v1', 'openai/gpt-oss-20b', 'huggingface_groq openai/gpt-oss-20b host'],
    ['http://vllm.internal:8000/v1', 'gpt-5', 'openai gpt-5 maker'],
    ['https://openai.com.evil.example', 'gpt-5', 'openai gpt-5 maker'],
  ])('finds the provider of %s by its host', (url, model, expected) => expect(at(url, model)).toBe(expected));

  test.each([
    ['gpt-5', 'openai gpt-5 maker'],
    ['openai/gpt-5', 'openai gpt-5 maker'],
    ['o3', 'openai o3 maker'],
    ['text-embedding-3-small', 'openai text-embedding-3-small maker'],
    ['claude-opus-5', 'anthropic claude-opus-5 maker'],
    ['anthropic/claude-opus-5', 'anthropic claude-opus-5 maker'],
    ['mistralai/mistral-large-2512', 'mistral mistral-large-2512 maker'],
    ['gemini/gemini-2.5-pro', 'google gemini-2.5-pro maker'],
    ['xai/grok-4', 'x-ai grok-4-0709 maker'],
    ['kimi-k2.5', 'moonshotai kimi-k2.5 maker'],
    ['acme/secret', null],
    ['my-model', null],
  ])('prices %s as its maker if the provider is unknown', (model, expected) => expect(found({ model })).toBe(expected));

  test('prefers the provider that the operator names to the host', () => {
    const baseUrl = new URL('https://api.openai.com');
    expect(found({ provider: 'openrouter', baseUrl, model: 'openai/gpt-5' })).toBe('openrouter openai/gpt-5 provider');
    expect(found({ provider: 'Azure', baseUrl })).toBe('azure gpt-5 provider');
    expect(found({ provider: 'vertex', baseUrl, model: 'gemini-2.5-pro' })).toBe('google gemini-2.5-pro provider');
  });

  test('uses the host if the list does not have the named provider', () => {
    expect(found({ provider: 'acme', baseUrl: new URL('https://api.openai.com') })).toBe('openai gpt-5 host');
  });

  test('finds no price for a model that the known provider does not list', () => {
    expect(at('https://api.openai.com', 'claude-opus-5')).toBeNull();
    expect(at('https://api.anthropic.com', 'gpt-5')).toBeNull();
    expect(at('https://api.groq.com/openai/v1', 'gpt-5')).toBeNull();
  });

  test.each([
    ['GPT-5', 'gpt-5'],
    [' gpt-5 ', 'gpt-5'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    ['gpt-4o-20240806', 'gpt-4o'],
    ['gpt-5-nano-anything', 'gpt-5-nano'],
  ])('finds %s', (model, expected) => expect(find({ model })?.row.model).toBe(expected));

  test.each(['gpt-5-2', 'gpt-55', 'gpt', '', 'x'.repeat(100_000), `gpt-5-nano-${'x'.repeat(300)}`])(
    'does not confuse a similar or very long name with a listed model',
    (model) => expect(find({ model })?.row.model).not.toBe('gpt-5'),
  );

  test('prefers an exact name to an earlier pattern', () => {
    const list = new PriceList([
      {
        id: 'acme',
        url: 'https://acme\\.example',
        models: [
          { id: 'pattern', match: { starts_with: 'a-' }, rows: [{ prices: { input: 1 } }] },
          { id: 'exact', match: { or: [{ equals: 'a-1' }] }, rows: [{ prices: { input: 2 } }] },
        ],
      },
    ]);
    const modelOf = (model: string) => list.findPrice({ provider: 'acme', model, atMs: NOW })?.row.model;
    expect([modelOf('a-1'), modelOf('a-2')]).toEqual(['exact', 'pattern']);
  });

  test('returns the region of the host', () => {
    expect(find({ baseUrl: new URL('https://eu.api.openai.com/v1') })?.region).toBe('eu');
    expect(find({ baseUrl: new URL('https://api.openai.com/v1') })?.region).toBeNull();
  });

  test('returns the period of each price', () => {
    const dates = (time: string) => {
      const row = find({ model: 'mistral-ocr-latest', provider: 'mistral', atMs: Date.parse(time) })!.row;
      return [row.validFromMs, row.validToMs].map((ms) => ms && new Date(ms).toISOString().slice(0, 10));
    };
    expect(dates('2025-01-01T00:00:00Z')).toEqual([null, '2025-05-22']);
    expect(dates('2025-12-17T23:59:59Z')).toEqual(['2025-05-22', '2025-12-18']);
    expect(dates('2025-12-18T00:00:00Z')).toEqual(['2025-12-18', '2026-06-23']);
    expect(dates('2030-01-01T00:00:00Z')).toEqual(['2026-06-23', null]);
  });

  test('applies hours that pass midnight', () => {
    const rows = [{ prices: { input: 1 } }, { hours: [82_800, 3600] as const, prices: { input: 2 } }];
    const list = new PriceList([{ id: 'a', url: 'x', models: [{ id: 'm', match: { equals: 'm' }, rows }] }]);
    const price = (time: string) =>
      list.findPrice({ provider: 'a', model: 'm', atMs: Date.parse(`2026-01-01T${time}Z`) })?.row.prices.input;
    expect(['22:59:59', '23:00:00', '00:59:59', '01:00:00'].map(price)).toEqual([1, 2, 2, 1]);
  });

  test('bounds the memory for names that clients invent', () => {
    const list = new PriceList();
    const baseUrl = new URL('https://api.openai.com/v1');
    for (let number = 0; number < 2500; number++) list.findPrice({ baseUrl, model: `unknown-${number}`, atMs: NOW });
    const { providers } = list as unknown as { providers: readonly { found: { size: number } }[] };
    expect(providers.map(({ found: { size } }) => size).filter((size) => size > 0)).toEqual([1000]);
  });
});

describe('the price list', () => {
  const { providers, licence } = JSON.parse(PRICE_LIST_JSON) as { providers: ListedProvider[]; licence: string };
  const rows = providers.flatMap(({ models }) => models.flatMap((model) => model.rows));
  const prices = rows.flatMap((row) => [row.prices, ...(row.tiers ?? []).map(([, changed]) => changed)]);

  test('the price list has a version, a date and the license of the data', () => {
    expect(priceListVersion().version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Date.parse(priceListVersion().date)).toBeGreaterThan(Date.parse('2026-09-01'));
    expect(licence).toMatch(/^The MIT License/);
    expect(licence).toContain('Copyright (c) Pydantic Services Inc.');
  });

  test('the price list has the providers and models of the snapshot', () => {
    expect(providers.length).toBeGreaterThanOrEqual(43);
    expect(providers.flatMap(({ models }) => models).length).toBeGreaterThanOrEqual(1694);
  });

  test('contains only known kinds, and safe integers that are not negative', () => {
    for (const [kind, price] of prices.flatMap((each) => Object.entries(each))) {
      expect(USAGE_KINDS).toHaveProperty([kind]);
      expect(Number.isSafeInteger(price) && price >= 0).toBe(true);
    }
  });

  test('the price list has ascending tiers that change prices of the row', () => {
    for (const { tiers = [], prices: base } of rows) {
      const above = tiers.map(([start]) => start);
      expect(above).toEqual([...new Set(above)].sort((a, b) => a - b));
      for (const [, changed] of tiers) expect(Object.keys(base)).toEqual(expect.arrayContaining(Object.keys(changed)));
    }
  });

  test('the price list has only patterns that are bounded, for every provider', () => {
    const list = new PriceList();
    for (const { id } of providers) expect(() => list.findPrice({ provider: id, model: 'x', atMs: NOW })).not.toThrow();
  });

  test('the price list has each provider and model that another table names', () => {
    const ids = new Map(providers.map(({ id, models }) => [id, models.map((model) => model.id)]));
    for (const { provider } of [...PROVIDER_HOSTS, ...EXTRA_PRICES]) expect([...ids.keys()]).toContain(provider);
    for (const { provider, models } of PRICE_FACTORS)
      for (const model of models ?? [])
        expect(
          ids.get(provider)!.some((id) => (model.endsWith('*') ? id.startsWith(model.slice(0, -1)) : id === model)),
        ).toBe(true);
  });

  test('names the page of the vendor for each price and factor that is not in the snapshot', () => {
    for (const { source, checked } of [...PRICE_FACTORS, ...EXTRA_PRICES]) {
      expect(new URL(source).protocol).toBe('https:');
      expect(checked ?? '2026-11-25').toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
  });
});
