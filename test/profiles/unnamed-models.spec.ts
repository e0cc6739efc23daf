import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { KeyCache } from '../../src/keys/key-cache.js';
import { BOUNDARY, file, formOf, text } from '../support/multipart-forms.js';
import { errorCodeIn, errorIn } from '../support/responses.js';
import { TestGateway, type Key, type Response } from '../support/gateway.js';

const MODELS = [
  'gpt-4o',
  'gpt-4.1',
  'sora-2',
  'sora-2-pro',
  'dall-e-2',
  'omni-moderation-latest',
  'gpt-realtime',
  'whisper-1',
  'claude-3-haiku-20240307',
  'gpt-4o-transcribe',
];
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const NOT_ALLOWED = '403 model_not_allowed model';
const NOT_AVAILABLE = '403 model_not_available model';

let gateway: TestGateway;
let open: Key;
let narrow: Key;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches,fine_tuning' });
  gateway.upstream.on('GET', '/v1/models', (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: MODELS.map((id) => ({ id, object: 'model' })) }));
  });
  await gateway.admin('POST', '/admin/cache/purge');
  open = await gateway.createKey();
  narrow = await gateway.createKey({
    allowed_models: ['gpt-4o', 'sora-2', 'gpt-4o-transcribe', 'claude-3-haiku-20240307'],
  });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

/** Runs `work` while the model policy blocks these models. */
async function whileBlocked(models: readonly string[], work: () => Promise<void>): Promise<void> {
  for (const model of models) await gateway.admin('POST', '/admin/model-allowlist', { model, enabled: false });
  try {
    await work();
  } finally {
    for (const model of models) await gateway.admin('DELETE', `/admin/model-allowlist/${model}`);
  }
}

const answers = (method: string, path: string, body: unknown, status = 200) =>
  gateway.upstream.on(method, path, (_request, response) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(sent);
  });
const received = () => gateway.upstream.requests.map(({ method, path }) => `${method} ${path}`);

describe.each([
  ['/v1/videos/edits', { body: formOf([text('prompt', 'x'), file('video')]), headers: FORM }],
  ['/v1/videos/edits', { body: formOf([text('model', 'sora-2'), file('video')]), headers: FORM }],
  ['/v1/videos/extensions', { body: formOf([text('prompt', 'x'), text('video[id]', 'video_1')]), headers: FORM }],
  ['/v1/videos/characters', { body: formOf([text('name', 'x'), file('video')]), headers: FORM }],
  ['/v1/live/sessions/x-1/fork', { body: { session: { model: 'gpt-4o' } } }],
])('POST %s, whose model the provider chooses', (path, options) => {
  const post = (key: Key) => gateway.call('POST', path, { key, ...options });
  beforeEach(() => answers('POST', path, { id: 'x' }));

  test('a key with allowed models returns 403, even if it names one of them', async () => {
    expect(errorCodeIn(await post(narrow))).toBe(NOT_ALLOWED);
    expect(received()).toEqual([]);
  });

  test('another key returns 403 only while the model policy blocks a model that the provider could choose', async () => {
    expect(errorCodeIn(await post(open))).toBe('200');
    await whileBlocked(['gpt-4.1', 'dall-e-2'], async () => expect(errorCodeIn(await post(open))).toBe('200'));
    for (const model of ['sora-2-pro', 'gpt-realtime', 'unknown-model'])
      await whileBlocked([model], async () =>
        expect([model, errorCodeIn(await post(open))]).toEqual([model, NOT_AVAILABLE]),
      );
  });
});

/** The object whose models a route runs, with these models in it. */
const STORED: readonly (readonly [
  path: string,
  body: unknown,
  objectPath: string,
  objectWith: (model: string) => object,
])[] = [
  ['/v1/videos/v-1/remix', { prompt: 'x' }, '/v1/videos/v-1', (model) => ({ id: 'v-1', model })],
  ['/v1/videos/v-1/remix', { prompt: 'x', model: 'sora-2' }, '/v1/videos/v-1', (model) => ({ id: 'v-1', model })],
  ['/v1/threads/t-1/runs/r-1/submit_tool_outputs', '{}', '/v1/threads/t-1/runs/r-1', (model) => ({ id: 'r-1', model })],
  ['/v1/fine_tuning/jobs/j-1/resume', undefined, '/v1/fine_tuning/jobs/j-1', (model) => ({ id: 'j-1', model })],
  [
    '/v1/fine_tuning/jobs/j-1/resume',
    undefined,
    '/v1/fine_tuning/jobs/j-1',
    (model) => ({ id: 'j-1', model: 'gpt-4o', method: { reinforcement: { grader: { type: 'score_model', model } } } }),
  ],
  [
    '/v1/evals/e-1/runs',
    { data_source: { type: 'completions', model: 'gpt-4o' } },
    '/v1/evals/e-1',
    (model) => ({ id: 'e-1', testing_criteria: [{ type: 'string_check' }, { type: 'label_model', model }] }),
  ],
];

describe.each(STORED)(
  'POST %s with %j, which runs the models of a stored object',
  (path, body, objectPath, objectWith) => {
    const post = (key: Key) => gateway.call('POST', path, { key, body });
    beforeEach(() => answers('POST', path, { id: 'x' }));

    test('a key with allowed models can run only an object with these models', async () => {
      answers('GET', objectPath, objectWith('gpt-4o'));
      expect(errorCodeIn(await post(narrow))).toBe('200');
      expect(received()).toEqual([`GET ${objectPath}`, `POST ${path}`]);
      for (const model of ['gpt-4.1', 'sora-2-pro', 'not-listed']) {
        gateway.upstream.reset();
        answers('GET', objectPath, objectWith(model));
        expect([model, errorCodeIn(await post(narrow))]).toEqual([model, NOT_ALLOWED]);
        expect(received()).toEqual([`GET ${objectPath}`]);
      }
    });

    test('for another key, the object is read only while the model policy blocks a model', async () => {
      expect(errorCodeIn(await post(open))).toBe('200');
      expect(received()).toEqual([`POST ${path}`]);
      await whileBlocked(['gpt-4.1'], async () => {
        answers('GET', objectPath, objectWith('gpt-4.1'));
        expect(errorCodeIn(await post(open))).toBe(NOT_AVAILABLE);
        answers('GET', objectPath, objectWith('a-model-that-is-not-listed'));
        expect(errorCodeIn(await post(open))).toBe('200');
      });
    });

    test.each([
      ['does not exist', { error: { message: 'no' } }, 404, '404'],
      ['cannot be read', 'busy', 503, '503'],
      ['is not JSON', 'x', 200, '200'],
      ['is not an object', [], 200, '200'],
    ])('an object that %s returns 502, and the request is not forwarded', async (_what, object, status, shown) => {
      answers('GET', objectPath, object, status);
      const response = await post(narrow);
      expect([errorCodeIn(response), response.headers.get('x-gw-upstream-status')]).toEqual([
        '502 upstream_error',
        shown,
      ]);
      expect(received()).toEqual([`GET ${objectPath}`]);
    });
  },
);

test('an object whose model is unknown cannot be run by a key with allowed models', async () => {
  for (const [path, body, objectPath] of STORED.filter(([each]) => !each.includes('evals'))) {
    answers('GET', objectPath, { id: 'x', model: null });
    expect([path, errorCodeIn(await gateway.call('POST', path, { key: narrow, body }))]).toEqual([path, NOT_ALLOWED]);
  }
});

test('the body of a remix cannot name a model that the key does not allow', async () => {
  answers('GET', '/v1/videos/v-1', { id: 'v-1', model: 'sora-2' });
  const remix = (body: unknown, headers = {}) =>
    gateway.call('POST', '/v1/videos/v-1/remix', { key: narrow, body, headers });
  expect(errorCodeIn(await remix({ prompt: 'x', model: 'sora-2-pro' }))).toBe(NOT_ALLOWED);
  expect(errorCodeIn(await remix(formOf([text('model', 'sora-2-pro')]), FORM))).toBe(NOT_ALLOWED);
  expect(received()).toEqual([]);
});

describe.each(['/v1/threads/t-1/runs', '/v1/threads/runs'])('POST %s without a model', (path) => {
  const run = (body: object): Promise<Response> => gateway.call('POST', path, { key: open, body });
  beforeEach(() => answers('POST', path, { id: 'run_1' }));

  test('the model of the assistant is read only while the model policy blocks a model', async () => {
    expect(errorCodeIn(await run({ assistant_id: 'asst_1' }))).toBe('200');
    expect(received()).toEqual([`POST ${path}`]);
    await whileBlocked(['gpt-4.1'], async () => {
      answers('GET', '/v1/assistants/asst_1', { id: 'asst_1', model: 'gpt-4.1' });
      expect(errorCodeIn(await run({ assistant_id: 'asst_1' }))).toBe(NOT_AVAILABLE);
      expect(errorCodeIn(await run({ assistant_id: 'asst_1', model: 'gpt-4o' }))).toBe('200');
      answers('GET', '/v1/assistants/asst_2', { id: 'asst_2', model: 'gpt-4o' });
      expect(errorCodeIn(await run({ assistant_id: 'asst_2' }))).toBe('200');
      for (const assistant_id of [undefined, null, 7, '../models', ''])
        expect(errorCodeIn(await run({ assistant_id }))).toBe('400 invalid_value assistant_id');
    });
  });

  test('the beta header of the client is sent with the request for the assistant', async () => {
    await whileBlocked(['gpt-4.1'], async () => {
      answers('GET', '/v1/assistants/asst_1', { id: 'asst_1', model: 'gpt-4o' });
      const headers = { 'openai-beta': 'assistants=v2' };
      await gateway.call('POST', path, { key: open, body: { assistant_id: 'asst_1' }, headers });
    });
    expect(gateway.upstream.requests.map((request) => request.header('openai-beta'))).toEqual([
      'assistants=v2',
      'assistants=v2',
    ]);
  });
});

describe('a request without a model on a route with a default', () => {
  const IMAGE = { body: formOf([file('image', 'x', 'a.png'), text('prompt', 'x')]), headers: FORM };
  test.each<[path: string, options: object, fitting: string, other: string]>([
    ['/v1/images/edits', IMAGE, 'dall-e-2', 'gpt-4o'],
    ['/v1/images/variations', IMAGE, 'dall-e-2', 'gpt-4o'],
    ['/v1/audio/translations', { body: formOf([file('file')]), headers: FORM }, 'whisper-1', 'gpt-4o'],
    ['/v1/moderations', { body: { input: 'x' } }, 'omni-moderation-latest', 'gpt-4o'],
    ['/v1/videos', { body: { prompt: 'x' } }, 'sora-2', 'dall-e-2'],
    ['/v1/responses/compact', { body: { input: 'x' } }, 'gpt-4o', 'whisper-1'],
    ['/v1/realtime/client_secrets', { body: {} }, 'gpt-realtime', 'gpt-4o'],
  ])(
    'on %s returns 403 while the model policy blocks a model that fits the route',
    async (path, options, fitting, other) => {
      answers('POST', path, { id: 'x' });
      const post = () => gateway.call('POST', path, { key: open, ...options });
      expect(errorCodeIn(await post())).toBe('200');
      await whileBlocked([other], async () => expect(errorCodeIn(await post())).toBe('200'));
      await whileBlocked([fitting], async () => {
        const response = await post();
        expect(errorCodeIn(response)).toBe(NOT_AVAILABLE);
        expect(errorIn(response).message).toMatch(/Name a model/);
      });
      expect(errorCodeIn(await gateway.call('POST', path, { key: narrow, ...options }))).toBe(NOT_ALLOWED);
    },
  );
});

test('allowed models that a key has just got apply to a cached key on a route whose model no body names', async () => {
  const key = await gateway.createKey();
  const path = '/v1/videos/edits';
  const edit = async () =>
    errorCodeIn(await gateway.call('POST', path, { key, body: formOf([file('video')]), headers: FORM }));
  answers('POST', path, { id: 'x' });
  expect(await edit()).toBe('200');
  // The cache keeps the key as it was, as on another instance before it receives the change.
  const silenced = jest.spyOn(gateway.app.get(KeyCache), 'keysChanged').mockImplementation(() => {});
  try {
    await gateway.admin('PATCH', `/admin/api-keys/${key.id}`, { allowed_models: ['sora-2'] });
    expect(await edit()).toBe(NOT_ALLOWED);
  } finally {
    silenced.mockRestore();
  }
});

describe('sessions and lists of requests', () => {
  const SECRETS = '/v1/realtime/client_secrets';
  const transcription = (model?: string) => ({ type: 'transcription', audio: { input: { transcription: { model } } } });

  test('a transcription session names its model where the provider reads it', async () => {
    answers('POST', SECRETS, { value: 'ek_1' });
    const post = async (session: object) =>
      errorCodeIn(await gateway.call('POST', SECRETS, { key: narrow, body: { session } }));
    expect(await post(transcription('gpt-4o-transcribe'))).toBe('200');
    expect(await post(transcription('whisper-1'))).toBe(NOT_ALLOWED);
    expect(await post(transcription())).toBe(NOT_ALLOWED);
    expect(await post({ ...transcription(), model: 'gpt-4o' })).toBe(NOT_ALLOWED);
    expect(await post({ ...transcription(), type: 'Transcription', model: 'gpt-4o' })).toBe(NOT_ALLOWED);
  });

  test('a key with allowed models must name one in each request of a message batch', async () => {
    const params = { model: 'claude-3-haiku-20240307', max_tokens: 1, messages: [] };
    answers('POST', '/v1/messages/batches', { id: 'b' });
    const post = async (key: Key, body: object) =>
      errorCodeIn(await gateway.call('POST', '/v1/messages/batches', { key, body }));
    expect(await post(narrow, { requests: [{ params }, { params }] })).toBe('200');
    for (const requests of [
      [{ params }, { params: {} }],
      [{ params }, {}],
      [{ params: { ...params, model: null } }],
      undefined,
      {},
      [1],
    ])
      expect([requests, await post(narrow, { requests })]).toEqual([requests, NOT_ALLOWED]);
    expect(await post(open, { requests: [{ params: {} }] })).toBe('200');
  });
});
