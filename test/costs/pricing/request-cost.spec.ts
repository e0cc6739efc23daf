import { describe, expect, test } from '@jest/globals';
import type { PriceRow } from '../../../src/costs/pricing/price-row.js';
import { costOf } from '../../../src/costs/pricing/request-cost.rules.js';
import { kindsOf } from '../../../src/costs/pricing/request-units.rules.js';
import { NO_USAGE, type UsageDetails } from '../../../src/platform/request-context/token-usage.js';
import { costOfReport, NO_DETAILS, priceRow as row, reported } from './reports.js';

const OPENAI = 'https://api.openai.com/v1';
const STANDARD = { serviceTier: null, region: null };

const cost = (price: Partial<PriceRow>, input: number, output: number, details: Partial<UsageDetails> = {}) =>
  costOf(kindsOf(reported(input, output), { ...NO_DETAILS, ...details }), row(price), STANDARD);

describe('a request without a price', () => {
  test('a request costs null, not 0, if no kind has a price', () => {
    expect(cost({ prices: {} }, 10, 5)).toMatchObject({ nanos: null, lines: [], unpriced: ['input', 'output'] });
  });

  test('a request costs null if its usage is unknown', () => {
    expect(costOf(kindsOf(NO_USAGE, null), row({ prices: { input: 5 } }), STANDARD).nanos).toBeNull();
  });

  test('a request costs 0 only if a price is 0', () => {
    expect(cost({ prices: { input: 0, output: 0 } }, 10, 5)).toMatchObject({ nanos: 0n, unpriced: [] });
  });

  test('a request costs the part that has a price, and names the other part', () => {
    const partly = cost({ prices: { input: 2_000_000_000 } }, 10, 5, { webSearches: 1 });
    expect(partly).toMatchObject({ nanos: 20_000n, unpriced: ['output', 'web_searches'] });
  });

  test.each<[string, Partial<UsageDetails>]>([
    ['images', { images: 1 }],
    ['seconds', { audioSeconds: 9 }],
    ['characters', { characters: 9 }],
  ])('a request is fully priced by its tokens if it also reports %s', (_name, details) => {
    const prices = { input: 1_000_000, output: 1_000_000 };
    expect(cost({ prices }, 10, 5, details)).toMatchObject({ nanos: 15n, unpriced: [] });
  });

  test('a request is unpriced if it reports only images and the model has only token prices', () => {
    const prices = { input: 1_000_000, output: 1_000_000 };
    expect(cost({ prices }, 0, 0, { images: 1 })).toMatchObject({ nanos: null, unpriced: ['images'] });
  });

  test('names the kinds that the gateway cannot count', () => {
    const ocr = costOfReport('https://api.mistral.ai', 'mistral-ocr-2512', {});
    expect(ocr).toMatchObject({ nanos: null, unmeasured: ['document_pages', 'annotated_pages'] });
    const research = costOfReport('https://api.perplexity.ai', 'sonar-deep-research', { input: 1, output: 1 });
    expect(research).toMatchObject({ nanos: 10_000n, unmeasured: ['citations'] });
  });

  test('a kind with 0 units is neither billed nor unpriced', () => {
    const usage = { ...kindsOf(reported(0, 0), null), units: { input: 0, web_searches: 0 } };
    const free = costOf(usage, row({ prices: { input: 1 } }), STANDARD);
    expect(free).toMatchObject({ nanos: null, lines: [], unpriced: [] });
  });

  test('the list has no price for requests', () => expect(costOfReport(OPENAI, 'gpt-99', { input: 1 })).toBeNull());
});

describe('a kind without a price of its own', () => {
  test.each<[string, Partial<UsageDetails>, PriceRow['prices'], string, string, bigint]>([
    ['a cache read', { cachedInput: 10 }, { input: 3e6, output: 1 }, 'cached_input', 'input', 30n],
    ['a short write', { cacheWrite5m: 10 }, { input: 3e6 }, 'cache_write_5m', 'input', 30n],
    ['an image', { imageInput: 10 }, { input: 3e6 }, 'image_input', 'input', 30n],
    [
      'cached audio',
      { cachedInput: 10, audioInput: 10, cachedAudioInput: 10 },
      { cached_input: 1e6, audio_input: 9e6 },
      'cached_audio_input',
      'audio_input',
      90n,
    ],
    [
      'a cached image',
      { cachedInput: 10, imageInput: 10 },
      { cached_input: 1e6, image_input: 9e6 },
      'cached_image_input',
      'image_input',
      90n,
    ],
  ])(
    'a kind without a price has the price of a related kind: %s',
    (_name, ...[details, prices, kind, pricedAs, nanos]) => {
      const { lines, nanos: total } = cost({ prices }, 10, 0, details);
      expect(lines).toEqual([expect.objectContaining({ kind, pricedAs, units: 10 })]);
      expect(total).toBe(nanos);
    },
  );

  test.each<[string, Partial<UsageDetails>, PriceRow['prices'], string, string, bigint]>([
    ['audio', { audioInput: 10 }, { input: 3e6 }, 'audio_input', 'input', 30n],
    [
      'a long write',
      { cacheWrite1h: 10 },
      { input: 3e6, cache_write_5m: 4e6 },
      'cache_write_1h',
      'cache_write_5m',
      40n,
    ],
    [
      'a long write of a model whose input costs more',
      { cacheWrite1h: 10 },
      { input: 3e6, cache_write_5m: 1e6 },
      'cache_write_1h',
      'input',
      30n,
    ],
    [
      'cached audio',
      { cachedInput: 10, audioInput: 10, cachedAudioInput: 10 },
      { input: 3e6, cached_input: 1e6 },
      'cached_audio_input',
      'input',
      30n,
    ],
  ])(
    'a kind that can cost more than its relatives has the highest of their prices as a lower bound: %s',
    (_name, ...[details, prices, kind, pricedAs, nanos]) => {
      const found = cost({ prices }, 10, 0, details);
      expect(found.lines).toEqual([expect.objectContaining({ kind, pricedAs, units: 10 })]);
      expect(found).toMatchObject({ nanos, unpriced: [kind], assumed: [kind] });
    },
  );

  test.each([
    ['cacheWrite5m', 'cache_write_5m', 37n],
    ['cacheWrite1h', 'cache_write_1h', 60n],
  ])("a cache write of Claude has Anthropic's factor on the price of input: %s", (detail, kind, nanos) => {
    const prices = { input: 3e6, ...(kind === 'cache_write_1h' && { cache_write_5m: 3_750_000 }) };
    const found = cost({ model: 'anthropic/claude-sonnet-4', prices }, 10, 0, { [detail]: 10 });
    expect(found).toMatchObject({ nanos: nanos + (nanos === 37n ? 1n : 0n), unpriced: [], assumed: [kind] });
    const own = cost({ model: 'claude-x', prices: { input: 3e6, [kind]: 1e6 } }, 10, 0, { [detail]: 10 });
    expect(own).toMatchObject({ nanos: 10n, assumed: [] });
  });

  test('the output of a model that only speaks has the price of output', () => {
    const details = { audioOutput: 10, mediaOnly: true };
    expect(cost({ prices: { output: 3e6 } }, 0, 10, details)).toMatchObject({ nanos: 30n, unpriced: [], assumed: [] });
  });

  test('a kind has its own price if there is one', () => {
    expect(cost({ prices: { input: 1 } }, 10, 0).lines).toEqual([
      expect.objectContaining({ kind: 'input', pricedAs: 'input' }),
    ]);
  });

  test('reasoning is priced as output, and has a line only if it has its own price', () => {
    const details = { audioOutput: 2, reasoning: 3 };
    const kindsOfLines = (prices: PriceRow['prices']) =>
      cost({ prices }, 0, 10, details).lines.map(({ kind, units, pricedAs }) => [kind, units, pricedAs]);
    expect(kindsOfLines({ output: 1 })).toEqual([
      ['output', 8, 'output'],
      ['audio_output', 2, 'output'],
    ]);
    expect(kindsOfLines({ output: 1, reasoning: 2 })).toEqual([
      ['output', 5, 'output'],
      ['reasoning', 3, 'reasoning'],
      ['audio_output', 2, 'output'],
    ]);
  });
});

describe('a price tier', () => {
  const tiers = [
    { above: 100, prices: { input: 2e6, output: 20e6 } },
    { above: 1000, prices: { input: 3e6, output: 30e6 } },
  ];
  test.each([
    [100, 100n + 10n, null],
    [101, 202n + 20n, 100],
    [1000, 2000n + 20n, 100],
    [1001, 3003n + 30n, 1000],
  ])('a price tier applies to all of a request with %s input tokens', (input, nanos, tierAbove) => {
    expect(cost({ prices: { input: 1e6, output: 10e6 }, tiers }, input, 1)).toMatchObject({ nanos, tierAbove });
  });
});

describe('an image', () => {
  const images = [
    { size: '1024x1024', quality: 'hd', price: 8e6 },
    { size: '1024x1024', quality: null, price: 4e6 },
  ];
  const priceOf = (imageSize: string | null, imageQuality: string | null, prices: PriceRow['prices'] = {}) => {
    const { nanos, imageAssumed, unpriced } = cost({ images, prices }, 0, 0, { images: 2, imageSize, imageQuality });
    return [nanos, imageAssumed, unpriced];
  };

  test('an image has the price of its size and quality', () => {
    expect(priceOf('1024x1024', 'hd')).toEqual([16n, false, []]);
    expect(priceOf('1024x1024', 'standard')).toEqual([8n, false, []]);
  });

  test('an image has the highest price if its size is not listed, and the result reports it', () => {
    expect(priceOf('512x512', null)).toEqual([16n, true, []]);
    expect(priceOf(null, null)).toEqual([16n, true, []]);
  });

  test('an image has the general price of images if its size is not listed', () => {
    expect(priceOf('512x512', null, { images: 5e6 })).toEqual([10n, false, []]);
  });
});

describe('a factor', () => {
  const prices = { input: 10e6, web_searches: 7e6 };
  const factors = [
    { serviceTier: 'gold', numerator: 3, denominator: 1 },
    { region: 'eu', numerator: 11, denominator: 10 },
  ];
  const usage = kindsOf(reported(10, 0), { ...NO_DETAILS, webSearches: 1 });
  const priced = (serviceTier: string | null, region: string | null, own: PriceRow['factors'] = factors) =>
    costOf(usage, row({ prices, factors: own }), { serviceTier, region });

  test.each([
    [null, null, 107n, []],
    ['gold', null, 307n, []],
    ['GOLD', 'EU', 337n, []],
    [null, 'eu', 117n, []],
    ['default', 'global', 107n, []],
    ['silver', null, 107n, ['serviceTier']],
    ['gold', 'mars', 307n, ['region']],
    ['auto', 'mars', 107n, ['serviceTier', 'region']],
  ])('a factor for the tier %s and the region %s changes only tokens', (tier, region, nanos, assumed) => {
    expect(priced(tier, region)).toMatchObject({ nanos, factor: { assumed } });
  });

  test('a factor from an operator replaces all published factors', () => {
    const usage = kindsOf(reported(10, 0), null);
    const openai = row({ provider: 'openai', model: 'gpt-5', prices: { input: 10e6 } });
    const nanos = (factors: PriceRow['factors']) =>
      costOf(usage, { ...openai, factors }, { serviceTier: 'flex', region: null }).nanos;
    expect([nanos(null), nanos([])]).toEqual([50n, 100n]);
    expect(nanos([{ serviceTier: 'flex', numerator: 1, denominator: 4 }])).toBe(25n);
  });

  test('a factor for a region does not apply at a provider without prices by region', () => {
    expect(priced(null, 'eu-west-1', [])).toMatchObject({ nanos: 107n, factor: { assumed: [] } });
  });
});

test('the sum of all lines is rounded up once', () => {
  const prices = { input: 400_000, cached_input: 400_000, output: 400_000 };
  const { nanos, lines } = cost({ prices }, 2, 1, { cachedInput: 1 });
  expect(lines).toHaveLength(3);
  expect(nanos).toBe(2n);
});

test('the minimum of a kind is billed only if the kind was used', () => {
  const price = { prices: { audio_seconds: 3_600_000, input: 1e6 }, minimums: { audio_seconds: 10 } };
  expect(cost(price, 1, 0, { audioSeconds: 3 })).toMatchObject({ nanos: 11n });
  expect(cost(price, 1, 0, { audioSeconds: 30 })).toMatchObject({ nanos: 31n });
  expect(cost(price, 1, 0)).toMatchObject({ nanos: 1n });
});
