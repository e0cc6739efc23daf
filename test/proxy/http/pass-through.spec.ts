import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { UPSTREAM_KEY, type Key, type TestGateway } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { FILE_UPLOAD, GATED, ROUTES, tableRows, withIds } from './pass-through.js';
import { Wire } from '../../support/wire.js';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

/** Only the upload must be a form. The gateway ignores the content type on the other routes. */
const typeOf = (route: string) => (route === FILE_UPLOAD ? 'multipart/form-data' : 'text/x-anything');

const RESPONSE = '{"id": "x-1" ,"n":12345678901234567890,\n"z":1.0}';
const upstreamReturns = (method: string, path: string, headers: Record<string, string> = {}) =>
  gateway.upstream.on(
    method,
    path,
    (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(RESPONSE),
  );

test('the route table contains exactly the routes of the API reference', () => {
  expect(tableRows().sort()).toEqual([...ROUTES].sort());
});

describe('pass-through routes', () => {
  test.each(ROUTES)('%s is forwarded unchanged', async (route) => {
    const { method, path } = withIds(route, 'A-z_0.9:b');
    const gated = method === 'POST' && GATED.includes(route.split(' ')[1]!);
    const text = gated ? '{"model":"gpt-4o", "x":12345678901234567890 , "y":1.0}' : '\u0000 no JSON at all, é';
    upstreamReturns(method, path);
    const response = await gateway.call(method, `${path}?limit=2&after=%20x&api_key=gone`, {
      key,
      body: method === 'POST' ? text : undefined,
      headers: {
        'openai-beta': 'assistants=v2',
        cookie: 'a=b',
        ...(method === 'POST' && !gated && { 'content-type': `${typeOf(route)}; boundary=b` }),
      },
    });
    expect([response.status, response.text]).toEqual([200, RESPONSE]);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(RESPONSE)));
    expect(response.headers.get('x-gw-key-name')).toBe('test');
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('1000000');
    const request = await gateway.upstream.received(0);
    expect([request.method, request.path]).toEqual([method, `${path}?limit=2&after=%20x`]);
    expect(request.body.toString()).toBe(method === 'POST' ? text : '');
    expect(request.header('openai-beta')).toBe('assistants=v2');
    expect(request.header('authorization')).toBe(`Bearer ${UPSTREAM_KEY}`);
    expect(request.header('x-api-key')).toBeUndefined();
    expect(request.header('cookie')).toBeUndefined();
    if (method === 'POST') expect(request.header('content-length')).toBe(String(Buffer.byteLength(text)));
  });

  test.each(ROUTES)('%s without a key returns 401 without an upstream request', async (route) => {
    const { method, path } = withIds(route);
    const response = await gateway.call(method, path, { body: method === 'POST' ? '{}' : undefined });
    expect([response.status, response.body]).toMatchObject([401, { error: { code: 'missing_api_key' } }]);
    expect(gateway.upstream.requests).toEqual([]);
  });

  test('an upstream error becomes 502 with the upstream’s message', async () => {
    gateway.upstream.on(
      'GET',
      '/v1/threads/x',
      (_request, response) => void response.writeHead(404).end('{"error":{"message":"No thread found with id x"}}'),
    );
    const received = await gateway.call('GET', '/v1/threads/x', { key });
    expect([received.status, received.body]).toMatchObject([
      502,
      { error: { code: 'upstream_error', message: 'No thread found with id x' } },
    ]);
    expect(received.headers.get('x-gw-upstream-status')).toBe('404');
    expect(received.headers.get('x-should-retry')).toBe('false');
  });

  test('a streamed run is forwarded', async () => {
    gateway.upstream.on('POST', '/v1/threads/t/runs', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: thread.run.created\n');
      setImmediate(() => response.end('data: {}\n\n'));
    });
    const received = await gateway.call('POST', '/v1/threads/t/runs', {
      key,
      body: { assistant_id: 'a', stream: true },
    });
    expect(received.text).toBe('event: thread.run.created\ndata: {}\n\n');
    expect(received.headers.get('content-type')).toBe('text/event-stream');
  });

  test('a POST without a body is forwarded without a body', async () => {
    upstreamReturns('POST', '/v1/threads/t/runs/r/cancel');
    expect((await gateway.call('POST', '/v1/threads/t/runs/r/cancel', { key })).status).toBe(200);
    const request = await gateway.upstream.received(0);
    expect([request.header('content-length') ?? '0', request.body.length]).toEqual(['0', 0]);
  });

  test.each(['text/plain', 'application/json', undefined])(
    'a file upload with content type %s returns 400',
    async (type) => {
      const response = await gateway.call('POST', '/v1/files', {
        key,
        body: 'a file',
        headers: type === undefined ? {} : { 'content-type': type },
      });
      expect([response.status, response.body]).toMatchObject([400, { error: { code: 'invalid_content_type' } }]);
      expect(gateway.upstream.requests).toEqual([]);
    },
  );

  test('an opaque body over 10 MiB returns 413', async () => {
    const response = await gateway.call('POST', '/v1/threads', { key, body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect([response.status, response.body]).toMatchObject([413, { error: { code: 'request_too_large' } }]);
    expect(gateway.upstream.requests).toEqual([]);
  });
});

describe('content of a file', () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256));

  test('a file is returned byte for byte, with its content-disposition', async () => {
    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="a.bin"',
    };
    gateway.upstream.on(
      'GET',
      '/v1/files/f/content',
      (_request, response) =>
        void response.writeHead(200, { ...headers, 'content-length': bytes.length, 'x-secret': '1' }).end(bytes),
    );
    const response = await fetch(`${gateway.url}/v1/files/f/content`, {
      headers: { authorization: `Bearer ${key.key}` },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({ ...headers, 'content-length': String(bytes.length) });
    expect(response.headers.get('x-secret')).toBeNull();
  });

  test('other routes drop content-disposition', async () => {
    upstreamReturns('GET', '/v1/files/f', { 'content-disposition': 'attachment' });
    expect((await gateway.call('GET', '/v1/files/f', { key })).headers.get('content-disposition')).toBeNull();
  });
});

describe('IDs in paths', () => {
  const WITH_ID = ROUTES.filter((route) => route.includes('{'));
  const BAD = ['.', '..', '%2e%2e', '%2e', 'a%2Fb', 'a%20b', 'a%00', '%C3%A9', 'a%25b', 'a+b', 'a,b', 'x'.repeat(201)];
  const raw = (route: string, id: string) => {
    const { method, path } = withIds(route, id);
    // Uses a raw connection, because `fetch` would resolve dots in the path.
    return Wire.once(gateway.port, `${method} ${path} HTTP/1.1\r\nHost: g\r\nContent-Length: 0\r\n\r\n`);
  };

  test.each(WITH_ID)('%s returns 404 route_not_found for an invalid ID, even without a key', async (route) => {
    for (const id of BAD) {
      const { status, text } = await raw(route, id);
      expect([id, status, text]).toMatchObject([id, 404, expect.stringContaining('"route_not_found"')]);
    }
    expect(gateway.upstream.requests).toEqual([]);
  });

  test.each(WITH_ID)('%s returns 401 for a valid ID without a key', async (route) => {
    for (const id of ['a', '...', 'A:b_c-d.e', 'x'.repeat(200), '%61b'])
      expect((await raw(route, id)).status).toBe(401);
  });

  test.each([
    'PUT /v1/files',
    'PATCH /v1/files/a',
    'POST /v1/files/a',
    'DELETE /v1/files',
    'POST /v1/threads/a',
    'DELETE /v1/threads/a/messages',
    'POST /v1/threads/a/runs/b',
    'GET /v1/threads/a/runs/b/cancel',
    'GET /v1/files/',
    'GET /v1/files/a/',
    'GET /V1/files',
    'GET /v1/Files',
    'GET /v1/files/a/contents',
    'GET /v1//files',
    'DELETE /v1/vector_stores/a/files',
    'POST /v1/vector_stores/a/files/b',
    'GET /v1/vector_stores/a/file_batches',
  ])('%s returns 404', async (route) => {
    const { status } = await raw(route, '');
    expect(status).toBe(404);
  });
});

test('HEAD returns 404', async () => {
  expect((await gateway.call('HEAD', '/v1/files')).status).toBe(404);
});

test('every route except the upload is counted against the quota', async () => {
  const counted = await gateway.createKey();
  for (const route of ROUTES.filter((row) => row !== FILE_UPLOAD)) {
    const { method, path } = withIds(route);
    await gateway.call(method, path, { key: counted, body: method === 'POST' ? {} : undefined });
  }
  const usage = await gateway.call<{ today: { used: number } }>('GET', '/v1/usage', { key: counted });
  expect(usage.body.today.used).toBe(ROUTES.length - 1);
});
