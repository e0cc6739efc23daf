import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PolicyService } from '../../../src/model-policy/policy.service.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { MODELS } from '../../support/scripted-upstream-responses.js';
import { startUpstream } from '../../support/scripted-upstream.js';
import { errorIn, errorCodeIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';

const ACTOR = { type: 'system', id: null, requestId: '', ip: '' } as const;
const SLASHED = 'meta-llama/llama-3.3-70b-instruct';
const BLOCKED = 'grok-2';

interface Entry {
  readonly id: string;
  readonly [name: string]: unknown;
}

let gateway: TestGateway;
let key: Key;
let limited: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
  limited = await gateway.createKey({ allowed_models: ['gpt-4o-mini', SLASHED, BLOCKED, 'not-listed'] });
  await gateway.app.get(PolicyService).set(BLOCKED, false, null, ACTOR);
});
afterAll(() => gateway.stop());

const list = async (query = '', given = key) =>
  (await gateway.call<{ object: string; data: Entry[] }>('GET', `/v1/models${query}`, { key: given })).body;
const idsOf = async (query = '', given = key) => (await list(query, given)).data.map(({ id }) => id);
const one = (path: string, given = key) => gateway.call<Entry>('GET', `/v1/models/${path}`, { key: given });

describe('GET /v1/models', () => {
  test('lists the upstream models in their order, except those that the policy blocks', async () => {
    expect((await list()).object).toBe('list');
    expect(await idsOf()).toEqual(MODELS.map(({ id }) => id).filter((id) => id !== BLOCKED));
  });

  test('lists only the allowed models of the key', async () => {
    expect(await idsOf('', limited)).toEqual(['gpt-4o-mini', SLASHED]);
  });

  test('describes a known model with the standard fields and the 13 gateway fields', async () => {
    const { data } = await list();
    expect(data.find(({ id }) => id === 'gpt-4o-mini')).toEqual({
      id: 'gpt-4o-mini',
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'openai',
      gw_available: true,
      gw_availability: 'callable',
      gw_category: 'chat',
      gw_provider: 'openai',
      gw_endpoints: ['/v1/chat/completions', '/v1/completions', '/v1/responses'],
      gw_reasoning: false,
      gw_vision: true,
      gw_web_search: false,
      gw_audio_input: false,
      gw_tool_use: true,
      gw_json_mode: true,
      gw_thinking: false,
      gw_computer_use: false,
    });
  });
});

describe('GET /v1/models/{model}', () => {
  test.each([
    ['gpt-4o-mini', 'gpt-4o-mini'],
    [SLASHED, SLASHED],
    [encodeURIComponent(SLASHED), SLASHED],
    ['gpt-4o%2Dmini', 'gpt-4o-mini'],
    ['gpt-4o-mini?x=/y', 'gpt-4o-mini'],
  ])('%s returns the same entry as the list', async (path, id) => {
    const { status, body } = await one(path);
    expect([status, body.id]).toEqual([200, id]);
    expect(body).toEqual((await list()).data.find((entry) => entry.id === id));
  });

  test.each([
    ['an unknown model', 'nope', '404 not_found'],
    ['an unknown model with slashes', 'a/b/c', '404 not_found'],
    ['a part of an ID with a slash', 'meta-llama', '404 not_found'],
    ['a trailing slash', 'gpt-4o-mini/', '404 not_found'],
    ['a different case', 'GPT-4o-mini', '404 not_found'],
    ['an ID encoded twice', encodeURIComponent(encodeURIComponent(SLASHED)), '404 not_found'],
    ['a model blocked by policy', BLOCKED, '403 model_not_available model'],
    ['a path that cannot be decoded', '%E0%A4', '404 route_not_found'],
    ['an empty ID', '', '404 route_not_found'],
  ])('%s is rejected', async (_what, path, expected) => expect(errorCodeIn(await one(path))).toBe(expected));

  test('a key with allowed models returns 404 for unknown models and 403 for other models', async () => {
    expect(errorCodeIn(await one('nope', limited))).toBe('404 not_found');
    expect(errorCodeIn(await one('not-listed', limited))).toBe('404 not_found');
    expect(errorCodeIn(await one('gpt-4o', limited))).toBe('403 model_not_allowed model');
    expect(errorCodeIn(await one(BLOCKED, limited))).toBe('403 model_not_available model');
    expect((await one(SLASHED, limited)).status).toBe(200);
  });

  test('the response for a model that is not allowed does not name the key', async () => {
    expect((await one('gpt-4o', limited)).headers.get('x-gw-key-name')).toBeNull();
  });
});

test('blocking and unblocking a model apply to the next list and chat request', async () => {
  const policy = gateway.app.get(PolicyService);
  await policy.set('gpt-4.1', false, null, ACTOR);
  expect(await idsOf()).not.toContain('gpt-4.1');
  expect(errorCodeIn(await one('gpt-4.1'))).toBe('403 model_not_available model');
  expect(errorCodeIn(await gateway.chat(key, { model: 'gpt-4.1' }))).toBe('403 model_not_available model');
  await policy.remove('gpt-4.1', ACTOR);
  expect(await idsOf()).toContain('gpt-4.1');
  expect((await gateway.chat(key, { model: 'gpt-4.1' })).status).toBe(200);
});

test('the error message gives the reason why a model is not available', async () => {
  const policy = gateway.app.get(PolicyService);
  await policy.set('gpt-4.1', false, null, ACTOR);
  const messageFor = async (model: string) => errorIn(await gateway.chat(key, { model })).message;
  const because = (reason: string) =>
    `The requested model is not available: ${reason}. Use a model from GET /v1/models.`;
  expect(await messageFor('gpt-4.1')).toBe(because('the model policy blocks it'));
  expect(await messageFor('nope')).toBe(because('the provider does not list it'));
  await policy.remove('gpt-4.1', ACTOR);
});

test('without a catalog the model list returns 502, but known models are served', async () => {
  const upstream = await startUpstream();
  upstream.on('GET', '/v1/models', (_request, response) => void response.writeHead(500).end());
  const blind = await startGateway({}, { upstream });
  const made = await blind.createKey();
  for (const path of ['/v1/models', '/v1/models/gpt-4o-mini']) {
    expect(errorCodeIn(await blind.call('GET', path, { key: made }))).toBe('502 upstream_error');
  }
  expect((await blind.chat(made)).status).toBe(200);
  expect(errorCodeIn(await blind.chat(made, { model: 'acme-custom-1' }))).toBe('403 model_not_available model');
  await blind.stop();
  await upstream.stop();
});
