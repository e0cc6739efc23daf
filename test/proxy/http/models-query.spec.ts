import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Key, TestGateway } from '../../support/gateway.js';
import { errorCodeIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';

interface Entry {
  readonly id: string;
  readonly created: number;
  readonly [name: string]: unknown;
}

/** Unlike the default models, these differ in `created`, except for one pair. */
const ROWS: readonly [id: string, created: number, owner: string][] = [
  ['gpt-4o', 50, 'openai'],
  ['zeta-custom', 10, 'system'],
  ['claude-3-7-sonnet-20250219', 40, 'anthropic'],
  ['acme/family/x:free', 70, 'acme'],
  ['text-embedding-3-small', 20, 'openai'],
  ['Beta-custom', 20, 'acme'],
  ['mistral-ocr-latest', 60, 'mistralai'],
  ['davinci-002', 30, 'openai'],
  ['gpt-4o-realtime-preview', 80, 'openai'],
];
const IDS = ROWS.map(([id]) => id);

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  const data = ROWS.map(([id, created, owned_by]) => ({ id, object: 'model', created, owned_by }));
  gateway.upstream.on('GET', '/v1/models', (_request, response) => void response.end(JSON.stringify({ data })));
  await gateway.admin('POST', '/admin/cache/purge');
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());

const get = (query = '', given = key) => gateway.call<{ data: Entry[] }>('GET', `/v1/models${query}`, { key: given });
const idsOf = async (query = '', given = key) => (await get(query, given)).body.data.map(({ id }) => id);

describe('query of GET /v1/models', () => {
  test.each([
    ['?search=GPT-4', ['gpt-4o', 'gpt-4o-realtime-preview']],
    ['?search=%2Ffamily', ['acme/family/x:free']],
    ['?search=%25', []],
    ['?search=.', []],
    ['?category=chat', ['gpt-4o', 'claude-3-7-sonnet-20250219', 'davinci-002']],
    ['?category=ocr', ['mistral-ocr-latest']],
    ['?endpoint=/v1/messages', ['claude-3-7-sonnet-20250219']],
    ['?endpoint=%2Fv1%2Fchat%2Fcompletions', ['gpt-4o', 'claude-3-7-sonnet-20250219', 'mistral-ocr-latest']],
    ['?provider=acme', ['acme/family/x:free', 'Beta-custom']],
    ['?provider=system', []],
    ['?provider=no-such_maker1', []],
    ['?thinking=true', ['claude-3-7-sonnet-20250219']],
    ['?provider=openai&vision=false&category=chat', ['davinci-002']],
    ['?sort_by=id', [...IDS].sort()],
    ['?sort_by=id&sort_dir=desc', [...IDS].sort().reverse()],
    ['?sort_by=created&limit=3', ['zeta-custom', 'text-embedding-3-small', 'Beta-custom']],
    ['?sort_by=created&sort_dir=desc&limit=2', ['gpt-4o-realtime-preview', 'acme/family/x:free']],
    ['?sort_dir=desc', IDS],
    ['?limit=2', IDS.slice(0, 2)],
    ['?limit=200', IDS],
    ['?category=chat&sort_by=id&sort_dir=desc&limit=1', ['gpt-4o']],
    ['?colour=red&colour=blue&limit[]=0', IDS],
    ['?__proto__=x&constructor=y', IDS],
  ])('%s returns the matching models in order', async (query, ids) => expect(await idsOf(query)).toEqual(ids));

  test.each([
    ...['reasoning', 'vision', 'web_search', 'audio_input', 'tool_use', 'json_mode', 'thinking', 'computer_use'].map(
      (flag) => [flag],
    ),
  ])('the filter %s selects models by the boolean of that name', async (flag) => {
    const all = (await get()).body.data;
    for (const wanted of [true, false]) {
      const expected = all.filter((entry) => entry[`gw_${flag}`] === wanted).map(({ id }) => id);
      expect(await idsOf(`?${flag}=${wanted}`)).toEqual(expected);
    }
    for (const wrong of ['1', 'TRUE', '']) {
      expect(errorCodeIn(await get(`?${flag}=${wrong}`))).toBe(`400 invalid_value ${flag}`);
    }
  });

  test.each([
    ['search=', 'search'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['category=video', 'category'],
    ['category=realtime', 'category'],
    ['category=', 'category'],
    ['endpoint=/v1/files', 'endpoint'],
    ['endpoint=/v1/chat/completions/', 'endpoint'],
    ['provider=OpenAI', 'provider'],
    ['provider=a', 'provider'],
    [`provider=${'a'.repeat(33)}`, 'provider'],
    ['provider=openai%0A', 'provider'],
    ['sort_by=name', 'sort_by'],
    ['sort_dir=DESC', 'sort_dir'],
    ['sort_dir=', 'sort_dir'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=1.0', 'limit'],
    ['limit=%201', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=1', 'limit'],
    ['search=a&search=b', 'search'],
    ['limit=0&category=video', 'category'],
  ])('?%s is rejected', async (query, param) => {
    expect(errorCodeIn(await get(`?${query}`))).toBe(`400 invalid_value ${param}`);
  });

  test('a search of 200 characters is accepted', async () => {
    expect((await get(`?search=${'x'.repeat(200)}`)).status).toBe(200);
    expect((await get(`?search=${encodeURIComponent('👋'.repeat(200))}`)).status).toBe(200);
  });
});

test('an invalid parameter is rejected after admission, so the request counts', async () => {
  expect(errorCodeIn(await gateway.call('GET', '/v1/models?limit=0'))).toBe('401 missing_api_key');
  const counted = await gateway.createKey();
  expect(errorCodeIn(await get('?limit=0', counted))).toBe('400 invalid_value limit');
  expect((await snapshot(gateway, counted)).this_minute.used).toBe(1);
});

test('filters apply to the models that the key can use', async () => {
  const limited = await gateway.createKey({ allowed_models: ['davinci-002', 'gpt-4o', 'mistral-ocr-latest'] });
  expect(await idsOf('', limited)).toEqual(['gpt-4o', 'mistral-ocr-latest', 'davinci-002']);
  expect(await idsOf('?category=chat&sort_by=id', limited)).toEqual(['davinci-002', 'gpt-4o']);
  expect(await idsOf('?provider=acme', limited)).toEqual([]);
});

test('the list has the gateway headers, and its entries equal those of single models', async () => {
  const whole = await get();
  expect(whole.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(whole.headers.get('content-length')).toBe(String(Buffer.byteLength(whole.text)));
  expect(whole.headers.get('x-ratelimit-limit-requests')).not.toBeNull();
  expect(Object.keys(whole.body)).toEqual(['object', 'data']);
  expect((await get('?limit=200')).text).toBe(whole.text);
  for (const entry of whole.body.data) {
    expect((await gateway.call('GET', `/v1/models/${entry.id}`, { key })).body).toEqual(entry);
  }
});

test('an empty model ID returns 404 route_not_found, with and without a key', async () => {
  expect(errorCodeIn(await gateway.call('GET', '/v1/models/'))).toBe('404 route_not_found');
  expect(errorCodeIn(await gateway.call('GET', '/v1/models/', { key }))).toBe('404 route_not_found');
});

test('the OpenAPI description lists every query parameter', async () => {
  const { body } = await gateway.call<{ paths: Record<string, { get: { parameters: { name: string }[] } }> }>(
    'GET',
    '/openapi.json',
  );
  const { parameters } = body.paths['/v1/models']!.get;
  expect(parameters.map(({ name }) => name)).toEqual([
    'search',
    'category',
    'endpoint',
    'provider',
    'reasoning',
    'vision',
    'web_search',
    'audio_input',
    'tool_use',
    'json_mode',
    'thinking',
    'computer_use',
    'sort_by',
    'sort_dir',
    'limit',
    'after_id',
    'before_id',
  ]);
  expect(parameters.find(({ name }) => name === 'limit')).toMatchObject({
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 200 },
  });
  expect(Object.keys(body.paths)).toEqual(
    expect.arrayContaining(['/admin/model-allowlist/{model}', '/admin/models/{model}/probe', '/admin/cache/purge']),
  );
});
