import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { errorCodeIn } from '../support/responses.js';
import { TestGateway, UPSTREAM_KEY, type Key } from '../support/gateway.js';

const FILE = '/v1/files/file-1/content';
const line = (model: string, url = '/v1/chat/completions') =>
  JSON.stringify({ custom_id: model, method: 'POST', url, body: { model, messages: [] } });

let gateway: TestGateway;
let narrow: Key;
let open: Key;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches' });
  [narrow, open] = [await gateway.createKey({ allowed_models: ['gpt-4o'] }), await gateway.createKey()];
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  gateway.upstream.on('POST', '/v1/batches', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"batch_1"}');
  });
});

/** Makes the provider serve this batch file in pieces of `bytes`. */
function fileHolds(lines: readonly string[], bytes = 1_000_000): void {
  const content = Buffer.from(lines.join('\n'));
  gateway.upstream.on('GET', FILE, (_request, response) => {
    for (let at = 0; at < content.length; at += bytes) response.write(content.subarray(at, at + bytes));
    response.end();
  });
}

const create = (key: Key, body: object = { input_file_id: 'file-1' }) =>
  gateway.call('POST', '/v1/batches', { key, body });
const batches = () => gateway.upstream.requests.filter(({ path }) => path === '/v1/batches').length;

describe('POST /v1/batches', () => {
  test('a batch is forwarded if the key can use every model in its file', async () => {
    fileHolds([line('gpt-4o'), line('gpt-4o'), '']);
    expect((await create(narrow)).text).toBe('{"id":"batch_1"}');
    expect(gateway.upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${FILE}`,
      'POST /v1/batches',
    ]);
    expect(gateway.upstream.requests[0]!.header('authorization')).toBe(`Bearer ${UPSTREAM_KEY}`);
  });

  test.each([
    ['first', [line('gpt-4o-mini'), line('gpt-4o')]],
    ['last', [line('gpt-4o'), line('gpt-4o-mini')]],
    ['middle', [line('gpt-4o'), line('gpt-4o-mini'), line('gpt-4o')]],
  ])('a batch returns 403 if the %s line names a model that the key does not allow', async (_which, lines) => {
    for (const bytes of [1, 7, 1_000_000]) {
      fileHolds(lines, bytes);
      expect(errorCodeIn(await create(narrow))).toBe('403 model_not_allowed model');
    }
    expect(batches()).toBe(0);
  });

  test('a batch returns 403 model_not_available if its file names an unknown model', async () => {
    fileHolds([line('gpt-4o'), line('no-such-model')]);
    expect(errorCodeIn(await create(open))).toBe('403 model_not_available model');
    expect(batches()).toBe(0);
  });

  test('a batch returns 400 invalid_value if a line of its file is not JSON', async () => {
    fileHolds([line('gpt-4o'), 'model: gpt-4o-mini']);
    expect(errorCodeIn(await create(narrow))).toBe('400 invalid_value input_file_id');
  });

  test.each([
    [{}, '400 missing_required_parameter input_file_id'],
    [{ input_file_id: null }, '400 missing_required_parameter input_file_id'],
    [{ input_file_id: ['file-1'] }, '400 invalid_type input_file_id'],
    [{ input_file_id: '../models' }, '400 invalid_value input_file_id'],
    [{ input_file_id: 'file-1/content?x=' }, '400 invalid_value input_file_id'],
    [{ input_file_id: 'file-unknown' }, '400 invalid_value input_file_id'],
    [{ input_file_id: 'file-1', model: 'gpt-4o-mini' }, '403 model_not_allowed model'],
  ])('the body %j gets %s', async (body, refusal) => {
    fileHolds([line('gpt-4o')]);
    expect(errorCodeIn(await create(narrow, body))).toBe(refusal);
    expect(batches()).toBe(0);
  });

  test('a batch returns 502 if the provider does not return its file', async () => {
    gateway.upstream.on('GET', FILE, (_request, response) => void response.writeHead(403).end('no'));
    const received = await create(open);
    expect([errorCodeIn(received), received.headers.get('x-gw-upstream-status')]).toEqual([
      '502 upstream_error',
      '403',
    ]);
    expect(batches()).toBe(0);
  });

  test('a batch returns 502 if the provider’s response with its file is interrupted', async () => {
    gateway.upstream.on('GET', FILE, (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write(line('gpt-4o'));
      setImmediate(() => response.destroy());
    });
    expect(errorCodeIn(await create(open))).toBe('502 upstream_error');
    expect(batches()).toBe(0);
  });

  test('the upstream request for the file is aborted as soon as a line is rejected', async () => {
    gateway.upstream.on('GET', FILE, (_request, response) => void response.writeHead(200).write(`${line('o1')}\n`));
    expect(errorCodeIn(await create(narrow))).toBe('403 model_not_allowed model');
    await (
      await gateway.upstream.received(0)
    ).gone;
  });

  test('the upstream request for the file is aborted if the client disconnects', async () => {
    gateway.upstream.on('GET', FILE, (_request, response) => void response.writeHead(200).write(line('gpt-4o')));
    const client = new AbortController();
    const call = gateway.call('POST', '/v1/batches', {
      key: open,
      body: { input_file_id: 'file-1' },
      signal: client.signal,
    });
    const request = await gateway.upstream.received(0);
    client.abort();
    await expect(call).rejects.toThrow();
    await request.gone;
    await until(() => gateway.upstream.requests.length === 1);
    expect(batches()).toBe(0);
  });
});

describe('the routes that lines name', () => {
  const NOT_ALLOWED = '403 model_not_allowed model';
  async function creates(key: Key, url: string, fields: object = {}): Promise<string> {
    fileHolds([line('gpt-4o', url)]);
    return errorCodeIn(await create(key, { input_file_id: 'file-1', ...fields }));
  }

  test.each([
    '/v1/videos/v-1/remix',
    '/v1/videos/v-1/REMIX',
    '//v1/Videos/edits',
    '/v1/videos/edits.',
    '/v1/videos/extensions/',
    '/v1/evals/e-1/runs',
    '/v1/threads/t-1/runs/r-1/submit_tool_outputs',
  ])('a line for %s, whose model the provider chooses, is refused for a key with allowed models', async (url) => {
    expect(await creates(narrow, url)).toBe(NOT_ALLOWED);
    expect(await creates(open, url)).toBe('200');
  });

  test.each([
    '/v1/chat/completions?model=gpt-4.1',
    '/v1/chat/completions#x',
    '/v1/chat%2fcompletions',
    '\\v1\\videos\\edits',
    '/v1/a b',
  ])('a line for %s, which is not only a path, is refused', async (url) => {
    expect(await creates(open, url)).toBe('400 invalid_value input_file_id');
  });

  test('a line is also judged on the endpoint of the batch', async () => {
    const chat = '/v1/chat/completions';
    expect(await creates(narrow, chat, { endpoint: chat })).toBe('200');
    expect(await creates(narrow, chat, { endpoint: '/v1/videos/v-1/remix' })).toBe(NOT_ALLOWED);
    expect(await creates(narrow, chat, { endpoint: 7 })).toBe('200');
  });

  test('a line is judged on the route that it names, in any case', async () => {
    expect(await creates(narrow, '/V1/Chat/Completions')).toBe('200');
    expect(await creates(narrow, '/V1/Embeddings')).toBe('400 model_endpoint_mismatch model');
  });
});
