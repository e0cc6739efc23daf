import { afterEach, describe, expect, test } from '@jest/globals';
import { World, contextFor } from './fakes.js';

const CHAT = '/v1/chat/completions';
const LISTED = [
  'gpt-4o',
  'davinci-002',
  'text-embedding-3-small',
  'dall-e-3',
  'tts-1',
  'whisper-1',
  'gpt-4o-realtime-preview',
  'claude-3-7-sonnet-20250219',
  'gemini-2.0-flash',
  'grok-3',
  'mistral-ocr-latest',
  'acme-custom-1',
  'acme/one',
];

let world: World;
afterEach(() => world.stop());

const serve = async (options?: Parameters<typeof World.serving>[1]) => (world = await World.serving(LISTED, options));
const judge = (endpoint: string, json: object, allowed: string[] | null = null) => {
  const refusal = world.gate.judge(contextFor(endpoint, json, allowed));
  return refusal === null ? 'passes' : `${refusal.status} ${refusal.code}`;
};

describe('routes of a model', () => {
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
  ] as [string, string][])('%s accepts %s', async (endpoint, model) => {
    await serve();
    expect(judge(endpoint, { model })).toBe('passes');
  });
});

describe('hints of model_endpoint_mismatch', () => {
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
  ] as [string, string, string][])('%s rejects %s with the hint "%s"', async (endpoint, model, hint) => {
    await serve();
    const refusal = world.gate.judge(contextFor(endpoint, { model }));
    expect(refusal).toMatchObject({ code: 'model_endpoint_mismatch', status: 400, param: 'model' });
    expect(refusal?.message.endsWith(hint)).toBe(true);
  });

  test('the hint names the endpoints that the registry file defines for a model', async () => {
    await serve({ registry: '{"models": [{"id": "gpt-4o", "endpoints": ["/v1/responses"]}]}' });
    expect(world.gate.judge(contextFor(CHAT, { model: 'gpt-4o' }))?.message).toMatch(/use POST \/v1\/responses\.$/);
    await serve({ registry: '{"models": [{"id": "gpt-4o", "endpoints": []}]}' });
    expect(world.gate.judge(contextFor(CHAT, { model: 'gpt-4o' }))?.message).toMatch(/: no route takes it\.$/);
  });
});

describe('unavailable models', () => {
  test.each(['no-such-model', '', 'gpt-4o-mini', 'GPT-4o', ' gpt-4o', '__proto__', 'm'.repeat(200)])(
    'rejects the unlisted model %j with 403',
    async (model) => {
      await serve();
      expect(judge(CHAT, { model })).toBe('403 model_not_available');
    },
  );

  test('a policy row can block a model or allow a broken one, but not an unlisted one', async () => {
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

describe('allowed models of a key', () => {
  test('an entry of the allowed models matches exactly, or by prefix if it ends with *', async () => {
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

  test('availability is checked before the allowed models, and the route after them', async () => {
    await serve({ policies: { 'grok-3': false } });
    expect(judge(CHAT, { model: 'grok-3' }, ['gpt-4o'])).toBe('403 model_not_available');
    expect(judge(CHAT, { model: 'tts-1' }, ['gpt-4o'])).toBe('403 model_not_allowed');
    expect(judge(CHAT, { model: 'tts-1' }, ['tts-1'])).toBe('400 model_endpoint_mismatch');
  });

  test('a key with allowed models must name a model in a run, but not in an assistant update', async () => {
    await serve();
    const run = '/v1/threads/{thread_id}/runs';
    expect(judge(run, { assistant_id: 'a' }, ['gpt-4o'])).toBe('403 model_not_allowed');
    expect(judge(run, { assistant_id: 'a', model: null }, ['gpt-4o'])).toBe('403 model_not_allowed');
    expect(judge(run, { assistant_id: 'a', model: 'gpt-4o' }, ['gpt-4o'])).toBe('passes');
    expect(judge(run, { assistant_id: 'a' })).toBe('passes');
    expect(judge('/v1/assistants/{assistant_id}', { name: 'n' }, ['gpt-4o'])).toBe('passes');
  });
});

describe('fallbacks in `models`', () => {
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
  ])('a request with models %j gets the result %s', async (models, expected) => {
    await serve();
    const allowed = ['gpt-4o', 'grok-3', 'tts-1', 'no-such-model'];
    expect(judge(CHAT, { model: 'gpt-4o', models }, allowed)).toBe(expected);
    expect(judge(CHAT, { models }, allowed)).toBe(expected);
  });
});

test('leaves a model that is not a string of at most 200 characters to validation', async () => {
  await serve();
  for (const model of [undefined, null, 7, {}, ['gpt-4o'], 'm'.repeat(201)]) {
    expect(judge(CHAT, { model }, ['gpt-4o'])).toBe('passes');
  }
});

test('ignores admin routes, and throws for a request without a route', async () => {
  await serve();
  const ctx = contextFor(CHAT, { model: 'no-such-model' });
  ctx.route = { kind: 'admin', role: 'admin' };
  expect(world.gate.judge(ctx)).toBeNull();
  ctx.route = null;
  expect(() => world.gate.judge(ctx)).toThrow();
});

test('a change to the catalog or the policy invalidates cached decisions', async () => {
  await serve();
  const decision = () => judge(CHAT, { model: 'grok-3' });
  expect(decision()).toBe('passes');
  world.upstream.lists('gpt-4o');
  await world.catalog.refresh();
  expect(decision()).toBe('403 model_not_available');
  world.upstream.lists('grok-3');
  await world.catalog.refresh();
  expect(decision()).toBe('passes');
  const changed = new Promise<void>((resolve) => world.states.onChange(resolve));
  world.policyStore.rows.set('grok-3', false);
  world.changes.notify('tables');
  await changed;
  expect(decision()).toBe('403 model_not_available');
});

test('unknown model IDs are not cached', async () => {
  await serve();
  expect(judge(CHAT, { model: 'gpt-4o' })).toBe('passes');
  for (let n = 0; n < 10_000; n += 1) judge(CHAT, { model: `made-up-${n}` });
  const { judgments } = world.gate as unknown as { judgments: { found: Map<string, unknown> } };
  expect(judgments.found.size).toBe(1);
});
