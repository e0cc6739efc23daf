import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestGateway } from '../support/gateway.js';

const MODELS = ['gpt-4o', 'gpt-4o-mini', 'whisper-1', 'dall-e-2', 'sora-2', 'claude-3-haiku-20240307'];

let gateway: TestGateway;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_PROFILE: 'current', GW_UNBILLED_ROUTES: 'batches,fine_tuning' });
  provide('GET /v1/models', { object: 'list', data: MODELS.map((id) => ({ id, object: 'model' })) });
  await gateway.admin('POST', '/admin/cache/purge');
  const { key: apiKey } = await gateway.createKey();
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey, maxRetries: 0 });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  provide('GET /v1/models', { object: 'list', data: MODELS.map((id) => ({ id, object: 'model' })) });
});

function provide(route: string, received: unknown, type = 'application/json'): void {
  const [method, path] = route.split(' ');
  gateway.upstream.on(method!, path!, (_request, response) => {
    response
      .writeHead(200, { 'content-type': type })
      .end(typeof received === 'string' ? received : JSON.stringify(received));
  });
}
const upload = () => toFile(Buffer.from('bytes'), 'a.bin');
const object = { id: 'x', object: 'x', data: [] };

/** Methods for which the SDK uses special body formats: forms, nested forms, or JSON instead of a form. */
const OPENAI: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    'POST /v1/uploads',
    () => openai.uploads.create({ bytes: 5, filename: 'a', mime_type: 'text/plain', purpose: 'batch' }),
  ],
  ['POST /v1/uploads/u/parts', async () => openai.uploads.parts.create('u', { data: await upload() })],
  ['POST /v1/uploads/u/complete', () => openai.uploads.complete('u', { part_ids: ['p'] })],
  ['POST /v1/containers', () => openai.containers.create({ name: 'c' })],
  ['POST /v1/containers/c/files', async () => openai.containers.files.create('c', { file: await upload() })],
  ['POST /v1/containers/c/files', () => openai.containers.files.create('c', { file_id: 'f' })],
  ['POST /v1/skills', async () => openai.skills.create({ files: await upload() })],
  ['POST /v1/skills/s', () => openai.skills.update('s', { default_version: '2' })],
  ['POST /v1/videos', () => openai.videos.create({ prompt: 'a cat', model: 'sora-2' })],
  ['POST /v1/videos/edits', () => openai.videos.edit({ prompt: 'a cat', video: { id: 'v' } })],
  ['POST /v1/videos/v/remix', () => openai.videos.remix('v', { prompt: 'a dog' })],
  [
    'POST /v1/audio/translations',
    async () => openai.audio.translations.create({ file: await upload(), model: 'whisper-1' }),
  ],
  [
    'POST /v1/images/variations',
    async () => openai.images.createVariation({ image: await upload(), model: 'dall-e-2' }),
  ],
  ['POST /v1/moderations', () => openai.moderations.create({ input: 'text' })],
  ['POST /v1/responses/compact', () => openai.responses.compact({ model: 'gpt-4o', input: 'text' })],
  ['POST /v1/responses/input_tokens', () => openai.responses.inputTokens.count({ model: 'gpt-4o', input: 'text' })],
  ['GET /v1/responses/r/input_items', async () => (await openai.responses.inputItems.list('r')).data],
  ['POST /v1/conversations', () => openai.conversations.create({ metadata: { topic: 'demo' } })],
  ['GET /v1/chat/completions', async () => (await openai.chat.completions.list()).data],
  ['POST /v1/vector_stores/v/search', async () => (await openai.vectorStores.search('v', { query: 'text' })).data],
  ['POST /v1/realtime/client_secrets', () => openai.realtime.clientSecrets.create({})],
  ['POST /v1/evals/e/runs/r', () => openai.evals.runs.cancel('r', { eval_id: 'e' })],
  ['POST /v1/fine_tuning/jobs', () => openai.fineTuning.jobs.create({ model: 'gpt-4o-mini', training_file: 'f' })],
];

describe('OpenAI SDK on pass-through routes', () => {
  test.each(OPENAI)('the SDK’s request to %s reaches the provider and succeeds', async (route, call) => {
    const path = route === 'POST /v1/evals/e/runs/r' ? `${route}/cancel` : route;
    provide(path, object);
    expect(await call()).toBeDefined();
    expect(gateway.upstream.requests.map((request) => `${request.method} ${request.path}`)).toContain(path);
  });

  test('a batch can be created from an uploaded file', async () => {
    const line = JSON.stringify({ custom_id: '1', method: 'POST', url: '/v1/responses', body: { model: 'gpt-4o' } });
    provide('GET /v1/files/file-1/content', `${line}\n`, 'application/octet-stream');
    provide('POST /v1/batches', { id: 'batch_1', object: 'batch' });
    const made = await openai.batches.create({
      input_file_id: 'file-1',
      endpoint: '/v1/responses',
      completion_window: '24h',
    });
    expect(made.id).toBe('batch_1');
  });
});

describe('Anthropic SDK on pass-through routes', () => {
  const model = 'claude-3-haiku-20240307';
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const batch = {
    id: 'msgbatch_1',
    type: 'message_batch',
    processing_status: 'ended',
    results_url: 'https://api.anthropic.com/v1/messages/batches/msgbatch_1/results',
  };

  test('tokens can be counted', async () => {
    provide('POST /v1/messages/count_tokens', { input_tokens: 9 });
    expect(await anthropic.messages.countTokens({ model, messages })).toMatchObject({ input_tokens: 9 });
  });

  test('a batch can be created, and its results are read through the gateway', async () => {
    provide('POST /v1/messages/batches', batch);
    provide('GET /v1/messages/batches/msgbatch_1', batch);
    provide('GET /v1/messages/batches', { data: [batch], has_more: false, first_id: null, last_id: null });
    const result = { custom_id: 'a', result: { type: 'canceled' } };
    provide('GET /v1/messages/batches/msgbatch_1/results', `${JSON.stringify(result)}\n`, 'application/x-jsonl');
    const params = { model, max_tokens: 5, messages };
    const made = await anthropic.messages.batches.create({ requests: [{ custom_id: 'a', params }] });
    expect(made.results_url).toBe('/v1/messages/batches/msgbatch_1/results');
    const listed = await anthropic.messages.batches.list();
    expect(listed.data[0]).toEqual({ ...batch, results_url: made.results_url });
    const results = [];
    for await (const each of await anthropic.messages.batches.results('msgbatch_1')) results.push(each);
    expect(results).toEqual([result]);
  });

  test('files and skills can be uploaded', async () => {
    provide('POST /v1/files', { id: 'file_1' });
    provide('POST /v1/skills', { id: 'skill_1' });
    const file = await anthropic.beta.files.upload({ file: await upload() });
    const skill = await anthropic.beta.skills.create({ files: [await upload()] });
    expect([file.id, skill.id]).toEqual(['file_1', 'skill_1']);
  });
});
