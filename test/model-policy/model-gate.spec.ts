import { afterEach, describe, expect, test } from '@jest/globals';
import { World, contextFor } from './fakes.js';

const CHAT = '/v1/chat/completions';
const LISTED = [
  ...['gpt-4o', 'davinci-002', 'text-embedding-3-small', 'dall-e-3', 'tts-1', 'whisper-1', 'gpt-4o-realtime-preview'],
  ...['claude-3-7-sonnet-20250219', 'gemini-2.0-flash', 'grok-3', 'mistral-ocr-latest', 'acme-custom-1', 'acme/one'],
];

let world: World;
afterEach(() => world.stop());

const serve = async (options?: Parameters<typeof World.serving>[1]) => (world = await World.serving(LISTED, options));
const judge = (endpoint: string, json: object, allowed: string[] | null = null) => {
  const refusal = world.gate.judge(contextFor(endpoint, json, allowed));
  return refusal === null ? 'passes' : `${refusal.status} ${refusal.code}`;
};

describe('a model passes on its own routes', () => {
  test.each([
    [CHAT, 'gpt-4o'],
    ['/v1/completions', 'gpt-4o'],
    ['/v1/responses', 'gpt-4o'],
    ['/v1/completions', 'davinci-002'],
    ['/v1/messages', 'claude-3-7-sonnet-20250219'],
    ['/v1/messages', 'gemini-2.0-flash'],
    [CHAT, 'mistral-ocr-latest'],
    ['/v1/embeddings', 'text-embedding-3-small'],
    ['/v1/images/generations', 'dall-e-3'],
    ['/v1/images/edits', 'dall-e-3'],
    ['/v1/audio/speech', 'tts-1'],
    ['/v1/audio/transcriptions', 'whisper-1'],
    ['/v1/assistants', 'gpt-4o'],
    ['/v1/assistants/{assistant_id}', 'grok-3'],
    ['/v1/threads/{thread_id}/runs', 'acme-custom-1'],
    ...[CHAT, '/v1/completions', '/v1/messages', '/v1/embeddings', '/v1/audio/speech'].map((route) => [
      route,
      'acme-custom-1',
    ]),
  ] as [string, string][])('%s %s', async (endpoint, model) => {
    await serve();
    expect(judge(endpoint, { model })).toBe('passes');
  });
});

describe('a model of the wrong kind is told where to go', () => {
  test.each([
    [CHAT, 'text-embedding-3-small', 'use POST /v1/embeddings.'],
    ['/v1/responses', 'text-embedding-3-small', 'use POST /v1/embeddings.'],
    [CHAT, 'tts-1', 'use POST /v1/audio/speech.'],
    ['/v1/messages', 'whisper-1', 'use POST /v1/audio/transcriptions.'],
    ['/v1/embeddings', 'dall-e-3', 'use POST /v1/images/generations.'],
    [CHAT, 'davinci-002', 'use POST /v1/completions.'],
    ['/v1/assistants', 'davinci-002', 'use POST /v1/completions.'],
    ['/v1/completions', 'mistral-ocr-latest', 'use POST /v1/chat/completions with image_url blocks.'],
    ['/v1/embeddings', 'mistral-ocr-latest', 'use POST /v1/chat/completions with image_url blocks.'],
    ['/v1/embeddings', 'gpt-4o', 'needs an embedding model.'],
    ['/v1/audio/speech', 'gpt-4o', 'needs a text-to-speech (tts) model.'],
    ['/v1/audio/transcriptions', 'gpt-4o', 'needs a transcription model.'],
    ['/v1/images/generations', 'gpt-4o', 'needs an image model.'],
    ['/v1/images/edits', 'grok-3', 'needs an image model.'],
    ['/v1/messages', 'gpt-4o', 'needs a chat model of Anthropic or Google.'],
    [
      '/v1/responses',
      'claude-3-7-sonnet-20250219',
      "only OpenAI's own text model families are supported on this route.",
    ],
    ['/v1/responses', 'acme-custom-1', "only OpenAI's own text model families are supported on this route."],
    ...[
      CHAT,
      '/v1/completions',
      '/v1/responses',
      '/v1/messages',
      '/v1/embeddings',
      '/v1/audio/speech',
      '/v1/threads/{thread_id}/runs',
    ].map((route) => [route, 'gpt-4o-realtime-preview', 'requires a WebSocket connection.']),
  ] as [string, string, string][])('%s %s', async (endpoint, model, hint) => {
    await serve();
    const refusal = world.gate.judge(contextFor(endpoint, { model }));
    expect(refusal).toMatchObject({ code: 'model_endpoint_mismatch', status: 400, param: 'model' });
    expect(refusal?.message.endsWith(hint)).toBe(true);
  });

  test('a chat model whose endpoints the operator narrowed', async () => {
    await serve({ registry: '{"models": [{"id": "gpt-4o", "endpoints": ["/v1/responses"]}]}' });
    expect(world.gate.judge(contextFor(CHAT, { model: 'gpt-4o' }))?.message).toMatch(/use POST \/v1\/responses\.$/);
    await serve({ registry: '{"models": [{"id": "gpt-4o", "endpoints": []}]}' });
    expect(world.gate.judge(contextFor(CHAT, { model: 'gpt-4o' }))?.message).toMatch(/: no route takes it\.$/);
  });
});

describe('what cannot be routed is not available', () => {
  test.each(['no-such-model', '', 'gpt-4o-mini', 'GPT-4o', ' gpt-4o', '__proto__', 'm'.repeat(200)])(
    '%j',
    async (model) => {
      await serve();
      expect(judge(CHAT, { model })).toBe('403 model_not_available');
    },
  );

  test('a block blocks, an allow entry routes a broken model and none that is not listed', async () => {
    await serve({
      policies: { 'gpt-4o': false, 'grok-3': true, 'acme/ghost': true },
      registry:
        '{"models": [{"id": "grok-3", "availability": "registry_broken"}, {"id": "acme/one", "availability": "registry_broken"}]}',
    });
    expect(['gpt-4o', 'grok-3', 'acme/one', 'acme/ghost'].map((model) => judge(CHAT, { model }))).toEqual([
      '403 model_not_available',
      'passes',
      '403 model_not_available',
      '403 model_not_available',
    ]);
  });
});

describe('the key list', () => {
  test('lets exact ids pass, and the prefixes of old rows', async () => {
    await serve();
    const of = (allowed: string[], model: string) => judge(CHAT, { model }, allowed);
    expect(of(['gpt-4o'], 'gpt-4o')).toBe('passes');
    expect(of(['gpt-4o'], 'grok-3')).toBe('403 model_not_allowed');
    expect(of(['acme/*'], 'acme/one')).toBe('passes');
    expect(of(['acme/*'], 'acme-custom-1')).toBe('403 model_not_allowed');
    expect(of(['acme*'], 'acme-custom-1')).toBe('passes');
    expect(of(['gpt'], 'gpt-4o')).toBe('403 model_not_allowed');
    expect(of([], 'gpt-4o')).toBe('passes');
  });

  test('comes after availability and before the kind', async () => {
    await serve({ policies: { 'grok-3': false } });
    expect(judge(CHAT, { model: 'grok-3' }, ['gpt-4o'])).toBe('403 model_not_available');
    expect(judge(CHAT, { model: 'tts-1' }, ['gpt-4o'])).toBe('403 model_not_allowed');
    expect(judge(CHAT, { model: 'tts-1' }, ['tts-1'])).toBe('400 model_endpoint_mismatch');
  });

  test('a key with a list names the model of a run; an assistant may be modified without', async () => {
    await serve();
    const run = '/v1/threads/{thread_id}/runs';
    expect(judge(run, { assistant_id: 'a' }, ['gpt-4o'])).toBe('403 model_not_allowed');
    expect(judge(run, { assistant_id: 'a', model: null }, ['gpt-4o'])).toBe('403 model_not_allowed');
    expect(judge(run, { assistant_id: 'a', model: 'gpt-4o' }, ['gpt-4o'])).toBe('passes');
    expect(judge(run, { assistant_id: 'a' })).toBe('passes');
    expect(judge('/v1/assistants/{assistant_id}', { name: 'n' }, ['gpt-4o'])).toBe('passes');
  });
});

describe('models, the fallbacks of some providers', () => {
  test.each([
    [['gpt-4o', 'grok-3'], 'passes'],
    [['gpt-4o', 'no-such-model'], '403 model_not_available'],
    [['gpt-4o', 'acme-custom-1'], '403 model_not_allowed'],
    [['gpt-4o', 'tts-1'], '400 model_endpoint_mismatch'],
    [['x'.repeat(201)], '403 model_not_available'],
    [[7, null, { model: 'grok-3', weight: 2 }], 'passes'],
    [[7, null, { model: 'x' }], '403 model_not_available'],
    [{ 0: 'acme-custom-1' }, '403 model_not_allowed'],
    ['acme-custom-1', '403 model_not_allowed'],
    [[['tts-1']], '400 model_endpoint_mismatch'],
    [new Array(64).fill(['gpt-4o']), 'passes'],
    [new Array(65).fill(['gpt-4o']), '400 invalid_value'],
  ])('%j', async (models, expected) => {
    await serve();
    const allowed = ['gpt-4o', 'grok-3', 'tts-1', 'no-such-model'];
    expect(judge(CHAT, { model: 'gpt-4o', models }, allowed)).toBe(expected);
    expect(judge(CHAT, { models }, allowed)).toBe(expected);
  });
});

test('what is no string of at most 200 characters is left to validation', async () => {
  await serve();
  for (const model of [undefined, null, 7, {}, ['gpt-4o'], 'm'.repeat(201)]) {
    expect(judge(CHAT, { model }, ['gpt-4o'])).toBe('passes');
  }
});

test('a route that takes no model is not judged, and one without route or key is not let through', async () => {
  await serve();
  const ctx = contextFor(CHAT, { model: 'no-such-model' });
  ctx.route = { kind: 'admin', role: 'admin' };
  expect(world.gate.judge(ctx)).toBeNull();
  ctx.route = null;
  expect(() => world.gate.judge(ctx)).toThrow();
});

test('a judgement that was kept falls with the catalog and with the policy', async () => {
  await serve();
  const ask = () => judge(CHAT, { model: 'grok-3' });
  expect(ask()).toBe('passes');
  world.upstream.lists('gpt-4o');
  await world.catalog.refresh();
  expect(ask()).toBe('403 model_not_available');
  world.upstream.lists('grok-3');
  await world.catalog.refresh();
  expect(ask()).toBe('passes');
  const changed = new Promise<void>((resolve) => world.states.onChange(resolve));
  world.policyStore.rows.set('grok-3', false);
  world.changes.tell('policy');
  await changed;
  expect(ask()).toBe('403 model_not_available');
});

test('unknown ids in any number do not make the gate forget or grow', async () => {
  await serve();
  expect(judge(CHAT, { model: 'gpt-4o' })).toBe('passes');
  for (let n = 0; n < 10_000; n += 1) judge(CHAT, { model: `made-up-${n}` });
  expect((world.gate as unknown as { judgements: Map<string, unknown> }).judgements.size).toBe(1);
});
