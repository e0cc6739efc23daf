import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { errorCodeIn } from '../../../support/responses.js';
import type { Key, TestGateway } from '../../../support/gateway.js';
import { LimitCalls } from '../../../support/limit-calls.js';
import { startGateway } from '../../../support/ready-gateway.js';
import { startUpstream } from '../../../support/scripted-upstream.js';
import { UpstreamsFile } from '../../../support/upstreams-file.js';

const CLAUDE = 'claude-3-5-sonnet-20241022';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  const switches = { GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches,fine_tuning' };
  gateway = await startGateway({ ...switches, GW_VALIDATION: 'provider' });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.upstream.reset();
  key = await gateway.createKey();
});

const exhausted = (model: string, fields: object = {}, of = { gateway, key }) =>
  new LimitCalls(of.gateway, { scope: 'key', key_id: of.key.id, period: 'month' }).create({
    measure: 'requests',
    amount: 0,
    models: [model],
    ...fields,
  });
const COST = { measure: 'cost', amount: '0' };

/** The error code, or the status of a success. */
const outcome = async (path: string, body: object) => {
  const response = await gateway.call('POST', path, { key, body });
  return response.status < 400 ? response.status : errorCodeIn(response);
};
const chat = (fields: object) =>
  outcome('/v1/chat/completions', { messages: [{ role: 'user', content: 'x' }], ...fields });
const REFUSED = '429 rate_limit_exceeded';
const UNMETERED = '403 usage_not_metered';

describe('a limit of a model', () => {
  test.each<[string, object]>([
    ['in `model`', { model: 'gpt-4o' }],
    ['in `models`', { model: 'gpt-4o-mini', models: ['gpt-4o'] }],
    ['in `fallbacks`', { model: 'gpt-4o-mini', fallbacks: [{ model: 'gpt-4o' }] }],
    ['in a tool', { model: 'gpt-4o-mini', tools: [{ type: 'image_generation', model: 'gpt-4o' }] }],
  ])('applies to a request that names the model %s', async (_, fields) => {
    await exhausted('gpt-4o');
    expect(await chat(fields)).toBe(REFUSED);
  });

  test('applies to a request that names the model in a batch', async () => {
    const params = { model: CLAUDE, max_tokens: 10, messages: [{ role: 'user', content: 'x' }] };
    await exhausted(CLAUDE, COST);
    expect(await outcome('/v1/messages/batches', { requests: [{ custom_id: '1', params }] })).toBe(UNMETERED);
  });

  test.each<[string, object]>([
    ['/v1/threads/thread_1/runs', { assistant_id: 'asst_1' }],
    ['/v1/fine_tuning/alpha/graders/run', { grader: { type: 'score_model', model: 'gpt-4o' } }],
    ['/v1/fine_tuning/jobs/ftjob_1/resume', {}],
    ['/v1/evals/eval_1/runs', { data_source: { type: 'completions' } }],
    ['/v1/realtime/client_secrets', { session: { type: 'realtime' } }],
    ['/v1/batches', { input_file_id: 'file-1', endpoint: '/v1/responses', completion_window: '24h' }],
  ])('applies to a request whose model only the provider knows: %s', async (path, body) => {
    await exhausted('gpt-4o', COST);
    expect(await outcome(path, body)).toBe(UNMETERED);
  });

  test('applies to a request that names no model, such as one with a stored prompt', async () => {
    await exhausted('gpt-4o');
    expect(await outcome('/v1/responses', { prompt: { id: 'pmpt_1' }, input: 'x' })).toBe(REFUSED);
  });

  const image = { tools: [{ type: 'image_generation', model: 'gpt-image-1' }] };
  const batch = { input_file_id: 'file-1', endpoint: '/v1/responses', completion_window: '24h' };

  test.each<[string, object, string]>([
    ['/v1/responses', { prompt: { id: 'pmpt_1' }, input: 'x', ...image }, '403 model_not_priced model'],
    ['/v1/chat/completions', { messages: [], fallbacks: ['gpt-4o-mini'] }, REFUSED],
    ['/v1/threads/runs', { assistant_id: 'asst_1', ...image }, UNMETERED],
    ['/v1/evals/eval_1/runs', { data_source: { type: 'completions', model: 'gpt-4o-mini' } }, UNMETERED],
    ['/v1/batches', { ...batch, model: 'gpt-4o-mini' }, UNMETERED],
    [
      '/v1/realtime/client_secrets',
      { session: { type: 'realtime', audio: { input: { transcription: { model: 'whisper-1' } } } } },
      UNMETERED,
    ],
  ])(
    'applies to a request whose main model the provider chooses, regardless of other models in the body: %s',
    async (path, body, refusal) => {
      await exhausted('gpt-4o', COST);
      expect(await outcome(path, body)).toBe(refusal);
      expect(gateway.upstream.requests).toHaveLength(0);
    },
  );
});

describe('a limit of another model', () => {
  test.each<[string, object]>([
    ['other models', { model: 'gpt-4o-mini', models: ['gpt-4.1'] }],
    ['the model in its text only', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'model: gpt-4o' }] }],
    ['the model as the name of a function', { model: 'gpt-4o-mini', tools: [{ type: 'function', function: {} }] }],
  ])('does not apply to a request that names %s', async (_, fields) => {
    await exhausted('gpt-4o');
    expect(await chat(fields)).toBe(200);
  });

  test('does not apply to a transcription session with another model', async () => {
    await exhausted('gpt-4o', COST);
    const session = { type: 'transcription', audio: { input: { transcription: { model: 'whisper-1' } } } };
    await outcome('/v1/realtime/client_secrets', { session });
    expect(gateway.upstream.requests).toHaveLength(1);
  });

  test('does not apply to a request that runs an assistant or a stored prompt with another model', async () => {
    await exhausted('gpt-4o', COST);
    const other = { model: 'gpt-4o-mini' };
    await outcome('/v1/threads/runs', { assistant_id: 'asst_1', ...other });
    await outcome('/v1/responses', { prompt: { id: 'pmpt_1' }, input: 'x', ...other });
    expect(gateway.upstream.requests).toHaveLength(2);
  });

  test('does not apply to a request that runs no model', async () => {
    await exhausted('*');
    expect((await gateway.call('GET', '/v1/models', { key })).status).toBe(200);
    expect(await outcome('/v1/containers', { name: 'a' })).not.toBe(REFUSED);
  });
});

test.each(['/v1/containers', '/v1/vector_stores/vs_1/search', '/v1/audio/voices', '/v1/videos/characters'])(
  'a cost limit rejects a request with a fee that the gateway cannot meter: %s',
  async (path) => {
    await exhausted('*', { ...COST, models: null });
    const form = new FormData();
    form.set('file', new Blob(['a']), 'a.mp4');
    const content = path.startsWith('/v1/videos') ? { form } : { body: {} };
    expect(errorCodeIn(await gateway.call('POST', path, { key, ...content }))).toBe(UNMETERED);
  },
);

test('a limit of a model applies to its aliases', async () => {
  const upstream = await startUpstream();
  using file = new UpstreamsFile({
    upstreams: [
      {
        name: 'first',
        base_url: upstream.url,
        credential: { env: 'FIRST_KEY' },
        models: ['gpt-4o'],
        aliases: { fast: 'gpt-4o' },
      },
    ],
  });
  const routed = await startGateway({ ...file.env, FIRST_KEY: 'a-credential' }, { upstream });
  try {
    const other = await routed.createKey();
    await exhausted('gpt-4o', {}, { gateway: routed, key: other });
    expect((await routed.chat(other, { model: 'fast' })).status).toBe(429);
  } finally {
    await routed.stop();
    await upstream.stop();
  }
});
