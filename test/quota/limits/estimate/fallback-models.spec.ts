import { describe, expect, test } from '@jest/globals';
import { fallbacksIn } from '../../../../src/quota/limits/estimate/fallback-models.js';
import { full, messages, typical } from './estimates.js';

const named = (count: number) => Array.from({ length: count }, (_, at) => `gpt-4o-${at}`);

describe('fallback models', () => {
  test('the fallback models are those of all fields, each once', () => {
    const json = { models: ['a', 'b', ''], fallbacks: [{ model: 'b' }, 'c'], extra_body: { models: ['d'] } };
    expect(fallbacksIn(json)).toEqual({ names: ['a', 'b', 'c', 'd'], providerChooses: false, more: false });
  });

  test('a request has at most 64 fallback models', () => {
    expect(fallbacksIn({ models: named(64), fallbacks: named(64) })).toMatchObject({ names: named(64), more: false });
    expect(fallbacksIn({ models: named(64), fallbacks: ['other'] })).toMatchObject({ names: named(64), more: true });
  });

  test.each([{ fallbacks: 'default' }, { fallbacks: ['default'] }, { extra_body: { fallbacks: 'default' } }])(
    'the provider chooses the fallback models: %j',
    (json) => expect(fallbacksIn(json).providerChooses).toBe(true),
  );

  test.each([
    {},
    { models: [], fallbacks: null },
    { messages: messages('a'), tools: [{ type: 'advisor', model: 'gpt-5' }] },
  ])('a request has no fallback models: %j', (json) =>
    expect(fallbacksIn(json)).toEqual({ names: [], providerChooses: false, more: false }),
  );
});

describe('the output of a request with fallbacks', () => {
  const output = (fields: object, outputExpected = 4096) => {
    const given = { json: { messages: messages('a'), ...fields }, outputExpected };
    return { typical: typical(given).output, full: full(given).output };
  };

  test.each([
    { models: ['gpt-5'] },
    { fallbacks: [{ model: 'gpt-5' }] },
    { context_window_fallbacks: ['gpt-5'] },
    { extra_body: { models: ['gpt-5'] } },
    { models: ['gpt-4o'], provider_options: { gateway: { models: ['gpt-5'] } } },
  ])('the output is that of the model with the highest maximum: %j', (fields) => {
    expect(output(fields).full).toBe(128_000);
    expect(output({ ...fields, max_tokens: 100_000 }).full).toBe(100_000);
  });

  test.each([{ models: ['acme-7'] }, { fallbacks: 'default' }, { models: named(65) }])(
    'the output is not reduced by a fallback of unknown size: %j',
    (fields) => {
      expect(output(fields).full).toBe(16_384);
      expect(output(fields, 20_000)).toEqual({ typical: 20_000, full: 20_000 });
      expect(output({ ...fields, max_tokens: 50_000 }).full).toBe(50_000);
    },
  );

  test('the output is priced as images if a fallback generates them', () => {
    const json = { messages: messages('a'), max_tokens: 100, fallbacks: ['gemini-2.5-flash-image'] };
    expect(full({ json, model: 'gemini-2.5-flash' }).image_output).toBe(100);
  });
});
