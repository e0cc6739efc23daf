import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { poll } from '../support/poll.js';
import { errorCodeIn } from '../support/responses.js';
import { BOUNDARY, file, formOf } from '../support/multipart-forms.js';
import { UPSTREAM_KEY, TestGateway, type Key } from '../support/gateway.js';
import { bodyOf, callRow, fittingModel, pathOf, ROWS, type Row } from './all-routes.js';

const ALL = { GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches,fine_tuning' };
const RESPONSE = '{"id": "x-1" ,"n":12345678901234567890,\n"z":1.0}';

let all: TestGateway;
let billed: TestGateway;
let specified: TestGateway;
let key: Key;
let narrow: Key;
beforeAll(async () => {
  all = await TestGateway.start(ALL);
  const shared = { upstream: all.upstream };
  billed = await TestGateway.start({ GW_ROUTES: 'all' }, shared);
  // `GW_UNBILLED_ROUTES` without `GW_ROUTES` enables no route.
  specified = await TestGateway.start({ GW_UNBILLED_ROUTES: ALL.GW_UNBILLED_ROUTES }, shared);
  [key, narrow] = [await all.createKey(), await all.createKey({ allowed_models: ['gpt-4o'] })];
});
afterAll(async () => {
  await specified.stop();
  await billed.stop();
  await all.stop();
});
beforeEach(() => {
  all.upstream.reset();
  for (const { route } of ROWS)
    all.upstream.on(route.method, pathOf(route), (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(RESPONSE);
    });
  all.upstream.on('GET', '/v1/files/file-1/content', (_request, response) => void response.writeHead(200).end('\n'));
});

/** Requests that the provider received, without those for the batch file. */
const received = () => all.upstream.requests.filter(({ path }) => path !== '/v1/files/file-1/content');

describe.each(ROWS)('$title', (row: Row) => {
  const { route, family } = row;
  const call = (by?: Key, model?: string) => callRow(all, row, { key: by, model });
  const readsModel = ['json', 'multipart', 'either'].includes(route.body ?? '');

  test('the request is forwarded unchanged with the provider account’s credential', async () => {
    const { status, text } = await call(key, fittingModel(route));
    expect([status, text]).toEqual([200, RESPONSE]);
    const [request] = received();
    expect([request!.method, request!.path]).toEqual([route.method, pathOf(route)]);
    const { body } = bodyOf(route, fittingModel(route));
    const sent =
      body === undefined ? '' : body instanceof Buffer || typeof body === 'string' ? body : JSON.stringify(body);
    expect(request!.body.equals(Buffer.from(sent))).toBe(true);
    expect(request!.header('authorization')).toBe(`Bearer ${UPSTREAM_KEY}`);
    expect(request!.header('x-api-key')).toBe(family.api === 'anthropic' ? UPSTREAM_KEY : undefined);
  });

  test('a request without an API key returns 401 missing_api_key', async () => {
    expect(errorCodeIn(await call())).toBe('401 missing_api_key');
    expect(received()).toEqual([]);
  });

  test('a route that the settings do not enable returns 404 route_not_found', async () => {
    expect(errorCodeIn(await callRow(specified, row))).toBe('404 route_not_found');
    const expected = family.enabledBy === 'all' ? '401 missing_api_key' : '404 route_not_found';
    expect(errorCodeIn(await callRow(billed, row))).toBe(expected);
    expect(received()).toEqual([]);
  });

  (readsModel ? test : test.skip)('a model outside the key’s allowlist and an unknown model return 403', async () => {
    expect(errorCodeIn(await call(narrow, fittingModel(route)))).toBe('403 model_not_allowed model');
    expect(errorCodeIn(await call(key, 'no-such-model'))).toBe('403 model_not_available model');
    expect(received()).toEqual([]);
  });

  (route.model === 'defaulted' ? test : test.skip)(
    'a body without a model returns 403 only if the key has an allowlist',
    async () => {
      expect(errorCodeIn(await call(narrow))).toBe('403 model_not_allowed model');
      expect((await call(key)).status).toBe(200);
    },
  );

  (route.modelIn !== undefined ? test : test.skip)(
    'the model is read only from the field that the provider reads',
    async () => {
      expect((await call(narrow, 'gpt-4o')).status).toBe(200);
      const elsewhere = await all.call('POST', pathOf(route), { key: narrow, body: { model: 'gpt-4o' } });
      expect(errorCodeIn(elsewhere)).toBe('403 model_not_allowed model');
    },
  );

  (route.path.includes('{') ? test : test.skip)('an invalid ID in the path returns 404 route_not_found', async () => {
    const { body, headers } = bodyOf(route);
    const response = await all.call(route.method, pathOf(route, 'a%2Fb'), { key, body, headers });
    expect(errorCodeIn(response)).toBe('404 route_not_found');
    expect(received()).toEqual([]);
  });
});

test('each request counts towards the limits, and request logs contain its route template', async () => {
  const counted = await all.createKey();
  for (const row of ROWS) await callRow(all, row, { key: counted, model: fittingModel(row.route) });
  const { body } = await all.call<{ today: { used: number } }>('GET', '/v1/usage', { key: counted });
  expect(body.today.used).toBe(ROWS.length);
  interface Logs {
    readonly logs: readonly { readonly method: string; readonly endpoint: string }[];
  }
  const path = `/admin/request-logs?key_id=${counted.id}&limit=500`;
  const logged = async () =>
    (await all.admin<Logs>('GET', path)).body.logs.map(({ method, endpoint }) => `${method} ${endpoint}`).toSorted();
  const expected = ['GET /v1/usage', ...ROWS.map(({ title }) => title)].toSorted();
  await poll(logged).toEqual(expected);
});

test.each(['PUT', 'PATCH', 'HEAD'])('%s returns a 404 on every pass-through route', async (method) => {
  for (const { route } of ROWS.filter((row) => row.route.method === 'GET'))
    expect([route.path, (await all.call(method, pathOf(route), { key })).status]).toEqual([route.path, 404]);
});

test.each(['GET', 'DELETE'])(
  '%s returns 404 route_not_found on sub-routes of /v1/videos that are not IDs',
  async (method) => {
    for (const word of ['characters', 'edits', 'extensions'])
      expect(errorCodeIn(await all.call(method, `/v1/videos/${word}`, { key }))).toBe('404 route_not_found');
    expect(received()).toEqual([]);
  },
);

describe('bodies that can be a form or JSON', () => {
  test('the model is checked in both formats', async () => {
    for (const [model, status] of [
      ['gpt-4o', 200],
      ['gpt-4o-mini', 403],
    ] as const) {
      const json = await all.call('POST', '/v1/videos', { key: narrow, body: { model, prompt: 'a cat' } });
      const form = await callRow(
        all,
        ROWS.find(({ title }) => title === 'POST /v1/videos')!,
        { key: narrow, model },
      );
      expect([json.status, form.status]).toEqual([status, status]);
    }
  });

  test('another content type returns 400 invalid_content_type', async () => {
    const headers = { 'content-type': 'text/plain' };
    const response = await all.call('POST', '/v1/videos', { key, body: 'model=sora', headers });
    expect(errorCodeIn(response)).toBe('400 invalid_content_type');
  });

  test('a JSON body without a model is forwarded unchanged', async () => {
    for (const path of ['/v1/containers/x-1/files', '/v1/skills', '/v1/audio/voices', '/v1/videos/x-1/remix']) {
      const json = await all.call('POST', path, { key, body: { file_id: 'file-1' } });
      expect([path, json.status, received().at(-1)!.body.toString()]).toEqual([path, 200, '{"file_id":"file-1"}']);
    }
  });
});

test('an upload over GW_FILE_MAX_BYTES returns 413 request_too_large', async () => {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const body = formOf([file('data', Buffer.alloc(11 * 1024 * 1024))]);
  expect(errorCodeIn(await all.call('POST', '/v1/uploads/x-1/parts', { key, body, headers }))).toBe(
    '413 request_too_large',
  );
});

test('a model that does not support the route returns 400 model_endpoint_mismatch', async () => {
  for (const [path, model] of [
    ['/v1/messages/count_tokens', 'gpt-4o-mini'],
    ['/v1/responses/compact', 'claude-3-haiku-20240307'],
    ['/v1/responses/input_tokens', 'text-embedding-3-small'],
    ['/v1/threads/runs', 'text-embedding-3-small'],
  ] as const)
    expect([path, errorCodeIn(await all.call('POST', path, { key, body: { model } }))]).toEqual([
      path,
      '400 model_endpoint_mismatch model',
    ]);
  const translation = ROWS.find(({ title }) => title === 'POST /v1/audio/translations')!;
  expect(errorCodeIn(await callRow(all, translation, { key, model: 'gpt-4o' }))).toBe(
    '400 model_endpoint_mismatch model',
  );
});

test('a realtime session can use a realtime model', async () => {
  const body = { session: { type: 'realtime', model: 'gpt-4o-realtime-preview' } };
  expect((await all.call('POST', '/v1/realtime/client_secrets', { key, body })).status).toBe(200);
});
