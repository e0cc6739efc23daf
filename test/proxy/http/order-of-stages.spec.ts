import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PolicyService } from '../../../src/model-policy/policy.service.js';
import { type TestGateway, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { until } from '../../support/until.js';
import { CHAT, errorIn, errorCodeIn, snapshot } from '../../support/responses.js';
import { pinnedKey } from '../../support/pinned-key.js';

const ACTOR = { type: 'system', id: null, requestId: '', ip: '' } as const;
const PATH = '/v1/chat/completions';
const BAD_FIELDS = { model: 'gpt-4o-mini', messages: 'none' };

let database: ScratchDatabase;
let upstream: ScriptedUpstream;
let gateway: TestGateway;
/** Has reached its instance cap of one request. */
let capped: TestGateway;
let used: Key;
beforeAll(async () => {
  [database, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  const given = { upstream, databaseUrl: database.url };
  gateway = await startGateway({}, given);
  capped = await startGateway({ GW_INSTANCE_MONTHLY_CAP: '1' }, given);
  const key = await gateway.createKey();
  expect((await capped.chat(key)).status).toBe(200);
  used = await pinnedKey(gateway, { rpm_limit: 1, allowed_models: ['gpt-4o-mini', 'davinci-002'] });
  expect((await gateway.chat(used)).status).toBe(200);
  await gateway.app.get(PolicyService).set('gpt-4o', false, null, ACTOR);
});
afterAll(async () => {
  await Promise.all([gateway.stop(), capped.stop()]);
  await upstream.stop();
  await database.drop();
});

interface Call {
  readonly on?: 'capped';
  readonly key?: 'ok' | 'suspended' | 'used';
  readonly type?: string;
  readonly body: unknown;
  readonly path?: string;
}

describe('order of violations', () => {
  const keys: Record<string, Key> = {};
  beforeAll(async () => {
    keys.ok = await gateway.createKey({ allowed_models: ['gpt-4o-mini', 'davinci-002', 'gpt-4o'] });
    keys.suspended = await gateway.createKey();
    keys.used = used;
    await gateway.admin('POST', `/admin/api-keys/${keys.suspended.id}/suspend`);
  });

  test.each<[string, Call, string]>([
    ['route, then cap', { on: 'capped', path: '/v1/nothing', body: CHAT }, '404 route_not_found'],
    ['cap, then key', { on: 'capped', body: CHAT }, '503 capacity_exceeded'],
    ['key, then content type', { type: 'text/plain', body: CHAT }, '401 missing_api_key'],
    ['key state, then JSON', { key: 'suspended', body: '{' }, '403 api_key_suspended'],
    ['content type, then JSON', { key: 'ok', type: 'text/plain', body: '{' }, '400 invalid_content_type'],
    [
      'content type, then size',
      { key: 'ok', type: 'text/plain', body: Buffer.alloc(10485761) },
      '400 invalid_content_type',
    ],
    ['size, then JSON', { key: 'ok', body: Buffer.alloc(10485761, '{') }, '413 request_too_large'],
    ['object, then gate', { key: 'ok', body: [{ model: 'no-such-model' }] }, '400 invalid_type'],
    ['second model, then gate', { key: 'ok', body: '{"model":"nope","model":"nope"}' }, '400 invalid_value model'],
    ['availability, then allowlist', { key: 'ok', body: { ...CHAT, model: 'nope' } }, '403 model_not_available model'],
    ['policy, then allowlist', { key: 'used', body: { ...CHAT, model: 'gpt-4o' } }, '403 model_not_available model'],
    ['allowlist, then kind', { key: 'ok', body: { ...CHAT, model: 'tts-1' } }, '403 model_not_allowed model'],
    ['gate, then quota', { key: 'used', body: { ...CHAT, model: 'davinci-002' } }, '400 model_endpoint_mismatch model'],
    ['quota, then fields', { key: 'used', body: BAD_FIELDS }, '429 rate_limit_exceeded'],
    ['quota, then a missing model', { key: 'used', body: {} }, '429 rate_limit_exceeded'],
    ['fields, then upstream', { key: 'ok', body: BAD_FIELDS }, '400 invalid_type messages'],
    [
      'gate, then a model that is too long',
      { key: 'ok', body: { ...CHAT, model: 'x'.repeat(201) } },
      '400 invalid_value model',
    ],
    ['upstream', { key: 'ok', body: CHAT }, '502 upstream_error'],
  ])(
    'the first stage that fails determines the error: %s',
    async (_name, { on, key, type, body, path = PATH }, expected) => {
      upstream.reset();
      upstream.on('POST', PATH, (_request, response) => void response.writeHead(500).end());
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const call = { key: key && keys[key], headers, body };
      const received = await (on === 'capped' ? capped : gateway).call('POST', path, call);
      expect(errorCodeIn(received)).toBe(expected);
      expect(upstream.requests).toHaveLength(expected.startsWith('502') ? 1 : 0);
      upstream.reset();
    },
  );

  test('missing required fields are reported before other invalid fields', async () => {
    const responses = [{ temperature: 3 }, { model: 'gpt-4o-mini', temperature: 3 }, { ...CHAT, n: 0, temperature: 3 }];
    const refusals = [];
    for (const body of responses) refusals.push(errorCodeIn(await gateway.call('POST', PATH, { key: keys.ok, body })));
    expect(refusals).toEqual([
      '400 missing_required_parameter model',
      '400 missing_required_parameter messages',
      '400 invalid_value temperature',
    ]);
  });

  test('exceeded limits are reported in the order minute, day, month, tokens', async () => {
    const limits = { rpm_limit: 1, rpd_limit: 1, monthly_limit: 1, monthly_token_limit: 1 };
    const key = await pinnedKey(gateway, limits);
    expect((await gateway.chat(key)).status).toBe(200);
    await until(async () => (await snapshot(gateway, key)).this_month.tokens.used === 12);
    const messages: string[] = [];
    for (const lifted of ['rpm_limit', 'rpd_limit', 'monthly_limit', 'monthly_token_limit']) {
      messages.push(errorIn(await gateway.chat(key)).message);
      await gateway.admin('PATCH', `/admin/api-keys/${key.id}`, { [lifted]: 1000 });
    }
    expect(messages).toEqual([
      'Rate limit exceeded: requests per minute',
      'Rate limit exceeded: requests per day',
      'Monthly request limit exceeded',
      'Monthly token limit exceeded',
    ]);
    expect((await gateway.chat(key)).status).toBe(200);
  });
});

describe('requests that count against the quota', () => {
  const counted = async (call: (key: Key) => Promise<unknown>, fields = {}) => {
    const key = await pinnedKey(gateway, fields);
    await call(key);
    const { this_minute, today, this_month } = await snapshot(gateway, key);
    expect(today.used).toBe(this_minute.used);
    expect(this_month.requests.used).toBe(this_minute.used);
    return this_minute.used;
  };
  const post =
    (body: unknown, headers = {}) =>
    (key: Key) =>
      gateway.call('POST', PATH, { key, body, headers });

  test.each<[string, (key: Key) => Promise<unknown>]>([
    ['an unknown route', (key) => gateway.call('POST', '/v1/nothing', { key, body: CHAT })],
    ['another method', (key) => gateway.call('DELETE', PATH, { key })],
    ['a request over the instance cap', (key) => capped.chat(key)],
    ['a wrong content type', post(CHAT, { 'content-type': 'text/plain' })],
    ['a body that is too large', post(Buffer.alloc(10485761, ' '))],
    ['malformed JSON', post('{')],
    ['a body that is not an object', post('[]')],
    ['a second model', post('{"model":"gpt-4o-mini","model":"gpt-4o-mini"}')],
    ['an unknown model', post({ ...CHAT, model: 'nope' })],
    ['a model of another kind', post({ ...CHAT, model: 'tts-1' })],
    ['GET /v1/usage', (key) => gateway.call('GET', '/v1/usage', { key })],
  ])('%s does not count', async (_name, call) => expect(await counted(call)).toBe(0));

  test('a request over its limit does not count', async () => {
    const twice = async (key: Key) =>
      void (await gateway.chat(key), expect((await gateway.chat(key)).status).toBe(429));
    expect(await counted(twice, { rpm_limit: 1 })).toBe(1);
  });

  const refuseOneModel = () =>
    upstream.on('POST', PATH, (request, response) => {
      const { model } = request.json();
      response.writeHead(model === 'o3-mini' ? 500 : 200, { 'content-type': 'application/json' }).end('{}');
    });

  test.each<[string, (key: Key) => Promise<unknown>]>([
    ['a served request', (key) => gateway.chat(key)],
    ['a request with an invalid field', post(BAD_FIELDS)],
    ['a request that the upstream rejects', (key) => gateway.chat(key, { model: 'o3-mini' })],
    ['GET /v1/models', (key) => gateway.call('GET', '/v1/models', { key })],
    ['GET /v1/models with an invalid parameter', (key) => gateway.call('GET', '/v1/models?limit=0', { key })],
    ['an unknown model in the path', (key) => gateway.call('GET', '/v1/models/nope', { key })],
  ])('%s counts once in each window', async (_name, call) => {
    refuseOneModel();
    expect(await counted(call)).toBe(1);
    upstream.reset();
  });

  test('GET /v1/usage is served even over every limit and over the instance cap', async () => {
    for (const each of [gateway, capped]) expect((await each.call('GET', '/v1/usage', { key: used })).status).toBe(200);
  });
});

describe('instance cap', () => {
  test('the cap counts exactly the admitted requests, even with invalid fields or a failed upstream', async () => {
    const few = await startGateway({ GW_INSTANCE_MONTHLY_CAP: '2' }, { upstream, databaseUrl: database.url });
    const key = await gateway.createKey();
    for (const body of ['{', { ...CHAT, model: 'nope' }]) await few.call('POST', PATH, { key, body });
    for (const refused of [used, 'sk-gw-wrong', undefined]) await few.call('POST', PATH, { key: refused, body: CHAT });
    await few.call('GET', '/v1/usage', { key });
    expect(errorCodeIn(await few.call('POST', PATH, { key, body: BAD_FIELDS }))).toBe('400 invalid_type messages');
    upstream.on('POST', PATH, (_request, response) => void response.writeHead(500).end());
    expect(errorCodeIn(await few.chat(key))).toBe('502 upstream_error');
    upstream.reset();
    const received = await few.chat(key);
    expect(errorCodeIn(received)).toBe('503 capacity_exceeded');
    expect(Number(received.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(received.headers.get('x-gw-key-name')).toBeNull();
    await few.stop();
  });

  test('concurrent requests cannot exceed the cap, and requests over the quota do not count', async () => {
    const few = await startGateway({ GW_INSTANCE_MONTHLY_CAP: '5' }, { upstream, databaseUrl: database.url });
    const key = await gateway.createKey();
    upstream.reset();
    await Promise.all(Array.from({ length: 30 }, () => few.chat(used)));
    const responses = (await Promise.all(Array.from({ length: 60 }, () => few.chat(key)))).map(errorCodeIn);
    expect(responses.filter((response) => response === '200')).toHaveLength(5);
    expect(new Set(responses)).toEqual(new Set(['200', '503 capacity_exceeded']));
    expect(upstream.requests).toHaveLength(5);
    await few.stop();
  });
});
