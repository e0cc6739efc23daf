import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { until } from '../support/until.js';
import { TestGateway, type Key } from '../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { errorCodeIn } from '../support/responses.js';

const CUSTOM = 'acme-custom-1';
const SLASHED = 'meta-llama/llama-3.3-70b-instruct';
/** D3 */

interface Probed {
  readonly model: string;
  readonly availability: string;
  readonly probed_at: string | null;
}

let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;
let gateway: TestGateway;
let other: TestGateway;
let key: Key;
beforeAll(async () => {
  upstream = await startUpstream();
  scratch = await createScratchDatabase();
  const given = { upstream, databaseUrl: scratch.url };
  gateway = await TestGateway.start({}, given);
  other = await TestGateway.start({}, given);
  key = await gateway.createKey();
});
afterAll(async () => {
  await gateway.stop();
  await other.stop();
  await upstream.stop();
  await scratch.drop();
});
beforeEach(async () => {
  upstream.reset();
  await query('truncate audit_logs, model_probes; delete from model_policies');
  for (const one of [gateway, other]) await one.admin('POST', '/admin/cache/purge');
});

const query = <T>(sql: string) => gateway.app.get(DataSource).query<T>(sql);
const probe = (model: string) => gateway.admin<Probed>('POST', `/admin/models/${model}/probe`);
const respond = (path: string, status: number, body: object | string = {}) =>
  upstream.on('POST', path, (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
const respondToChat = (status: number, body?: object | string) => respond('/v1/chat/completions', status, body);
const availability = async (at: TestGateway, model: string) =>
  (await at.call<{ gw_availability: string }>('GET', `/v1/models/${model}`, { key })).body.gw_availability;
const probed = () =>
  query<{ actor_type: string; target_id: string; metadata: Record<string, unknown> }[]>(
    `select actor_type, target_id, metadata from audit_logs where action = 'model.probed' order by created_at`,
  );

describe('model probe', () => {
  test('a successful probe makes the model callable on every process', async () => {
    expect(await availability(other, CUSTOM)).toBe('unclassified');
    const { status, body } = await probe(CUSTOM);
    expect([status, body.model, body.availability]).toEqual([200, CUSTOM, 'callable']);
    expect(Math.abs(Date.parse(body.probed_at!) - Date.now())).toBeLessThan(10_000);
    expect(await availability(gateway, CUSTOM)).toBe('callable');
    await until(async () => (await availability(other, CUSTOM)) === 'callable');
  });

  test('a verdict reaches every process even if its notification is lost', async () => {
    await query(`begin; set local session_replication_role = replica;
      insert into model_probes (model, verdict, probed_at) values ('${CUSTOM}', 'callable', now()); commit`);
    for (const at of [gateway, other]) {
      await until(async () => (await availability(at, CUSTOM)) === 'callable');
    }
  });

  test.each([
    ['404', 404, '<html>no</html>'],
    ['410', 410, {}],
    ['a code that names the model', 403, { error: { message: 'No.', code: 'model_not_found' } }],
    [
      'a message that names the model',
      400,
      { error: { message: `The model \`${CUSTOM}\` does not exist`, code: null } },
    ],
    ['the param "model"', 400, { error: { message: 'No.', code: 'x', param: 'model' } }],
  ])(
    'a rejection with %s blocks the model despite an override, until a probe succeeds',
    async (_what, status, response) => {
      await gateway.admin('POST', '/admin/model-allowlist', { model: CUSTOM, enabled: true });
      respondToChat(status, response);
      expect((await probe(CUSTOM)).body).toMatchObject({ model: CUSTOM, availability: 'listed_unavailable' });
      upstream.reset();
      for (const at of [gateway, other]) {
        await until(async () => (await availability(at, CUSTOM)) === 'listed_unavailable');
        const entry = await at.call('GET', `/v1/models/${CUSTOM}`, { key });
        expect(entry.body).toMatchObject({ gw_available: false, gw_availability: 'listed_unavailable' });
        expect(errorCodeIn(await at.chat(key, { model: CUSTOM }))).toBe('403 model_not_available model');
      }
      expect((await probe(CUSTOM)).body.availability).toBe('callable');
      expect((await gateway.chat(key, { model: CUSTOM })).status).toBe(200);
    },
  );

  test.each([
    ['500', 500, { error: { message: `The model ${CUSTOM} does not exist` } }],
    ['503', 503, {}],
    ['429', 429, { error: { message: `Rate limit reached for ${CUSTOM}`, code: 'rate_limit_exceeded' } }],
    ['408', 408, {}],
    ['401', 401, { error: { message: 'Incorrect API key provided' } }],
    [
      'a rejected field',
      400,
      { error: { message: "'max_tokens' is not supported with this model.", param: 'max_tokens' } },
    ],
    ['a wrong-route error', 404, { error: { message: 'This is not a chat model', param: 'model' } }],
    ['a redirect', 302, {}],
  ])('a probe that fails with %s creates no verdict and changes none', async (_what, status, response) => {
    respondToChat(status, response);
    expect((await probe(CUSTOM)).body).toEqual({ model: CUSTOM, availability: 'unclassified', probed_at: null });
    upstream.reset();
    const before = (await probe(CUSTOM)).body;
    expect(before.availability).toBe('callable');
    respondToChat(status, response);
    expect((await probe(CUSTOM)).body).toEqual(before);
    respondToChat(404);
    const failed = (await probe(CUSTOM)).body;
    respondToChat(status, response);
    expect((await probe(CUSTOM)).body).toEqual(failed);
  });

  test('a probe that gets no response creates no verdict', async () => {
    upstream.on('POST', '/v1/chat/completions', (_request, response) => void response.destroy());
    const { status, body } = await probe(CUSTOM);
    expect([status, body]).toEqual([200, { model: CUSTOM, availability: 'unclassified', probed_at: null }]);
  });

  test('a probe is audited with the actor, the upstream status and the change', async () => {
    await probe(CUSTOM);
    respondToChat(404);
    await probe(CUSTOM);
    respondToChat(500);
    await probe(CUSTOM);
    expect((await probed()).map(({ actor_type, target_id, metadata }) => [actor_type, target_id, metadata])).toEqual([
      [
        'admin_key',
        CUSTOM,
        expect.objectContaining({ upstream_status: 200, changes: { availability: { old: null, new: 'callable' } } }),
      ],
      [
        'admin_key',
        CUSTOM,
        expect.objectContaining({
          upstream_status: 404,
          changes: { availability: { old: 'callable', new: 'listed_unavailable' } },
        }),
      ],
      ['admin_key', CUSTOM, expect.objectContaining({ upstream_status: 500, verdict: null, changes: {} })],
    ]);
  });

  test('probing a model outside the catalog returns 404 and sends no upstream request', async () => {
    await gateway.admin('POST', '/admin/model-allowlist', { model: 'acme/not-listed', enabled: true });
    const before = upstream.requests.length;
    for (const id of ['nope', 'acme/not-listed', 'a%00b', 'x'.repeat(201)]) {
      expect(errorCodeIn(await probe(id))).toBe('404 not_found');
    }
    expect(upstream.requests.length).toBe(before);
    expect(await probed()).toEqual([]);
  });
});

describe('upstream request of a probe', () => {
  test.each([
    ['gpt-4o', '/v1/chat/completions', { max_completion_tokens: 1 }],
    ['claude-3-haiku-20240307', '/v1/chat/completions', { max_tokens: 1 }],
    [SLASHED, '/v1/chat/completions', { max_tokens: 1 }],
    ['mistral-ocr-latest', '/v1/chat/completions', {}],
    ['davinci-002', '/v1/completions', { prompt: 'a', max_tokens: 1 }],
    ['text-embedding-3-small', '/v1/embeddings', { input: 'a' }],
    ['dall-e-3', '/v1/images/generations', { n: 1 }],
    ['tts-1', '/v1/audio/speech', { input: 'a', voice: 'alloy' }],
  ])('probing %s sends one small request to %s', async (model, path, fields) => {
    respond(path, 200);
    const before = upstream.requests.length;
    expect((await probe(model)).body).toMatchObject({ model, availability: 'callable' });
    const [request, ...more] = upstream.requests.slice(before);
    expect([request?.method, request?.path, more.length]).toEqual(['POST', path, 0]);
    expect(request?.json()).toMatchObject({ model, ...fields });
  });

  test('probing a transcription model uploads half a second of silence', async () => {
    respond('/v1/audio/transcriptions', 200);
    const before = upstream.requests.length;
    expect((await probe('whisper-1')).body.availability).toBe('callable');
    const request = upstream.requests[before]!;
    const headers = { 'content-type': request.header('content-type')! };
    const form = await new Response(new Uint8Array(request.body), { headers }).formData();
    expect(form.get('model')).toBe('whisper-1');
    const file = form.get('file') as File;
    expect([file.type, file.size]).toEqual(['audio/wav', 44 + 8_000]);
  });

  test('probing a realtime model sends no upstream request, because no HTTP route serves it', async () => {
    const before = upstream.requests.length;
    const { status, body } = await probe('gpt-4o-realtime-preview');
    expect([status, body.availability, body.probed_at]).toEqual([200, 'unclassified', null]);
    expect(upstream.requests.length).toBe(before);
  });
});

test.each([SLASHED, encodeURIComponent(SLASHED), CUSTOM])(
  'the model ID in the path can contain slashes: %s',
  async (id) => {
    expect((await probe(id)).body).toMatchObject({ model: decodeURIComponent(id), availability: 'callable' });
  },
);

test('other probe paths return 404, and the probe itself requires the admin key and no fields', async () => {
  for (const path of [
    '/admin/models',
    '/admin/models/',
    '/admin/models/gpt-4o',
    '/admin/models/probe',
    '/admin/models//probe',
    '/admin/models/gpt-4o/probe/',
  ]) {
    for (const response of [await gateway.call('POST', path), await gateway.admin('POST', path)]) {
      expect(errorCodeIn(response)).toBe('404 route_not_found');
    }
  }
  expect(errorCodeIn(await gateway.admin('GET', `/admin/models/${CUSTOM}/probe`))).toBe('404 route_not_found');
  expect(errorCodeIn(await gateway.call('POST', `/admin/models/${CUSTOM}/probe`))).toBe('401 missing_api_key');
  expect(errorCodeIn(await gateway.admin('POST', `/admin/models/${CUSTOM}/probe?x=1`))).toBe('400 validation_error x');
  const body = { x: 1 };
  expect(errorCodeIn(await gateway.admin('POST', `/admin/models/${CUSTOM}/probe`, body))).toBe(
    '400 validation_error x',
  );
});
