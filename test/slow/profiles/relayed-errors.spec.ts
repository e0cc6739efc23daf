import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestGateway, UPSTREAM_KEY, type Key } from '../../support/gateway.js';
import { errorIn, errorCodeIn } from '../../support/responses.js';
import { poll } from '../../support/poll.js';

const PATH = '/v1/chat/completions';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_UPSTREAM_ERRORS: 'relay' });
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

const upstreamResponds = (status: number, body: string | Buffer, headers: Record<string, string> = {}) =>
  gateway.upstream.on('POST', PATH, (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });

const OVERFLOW = `{"error": {"message": "Maximum context length is 128000 tokens.", "type": "invalid_request_error",
  "param": "messages", "code": "context_length_exceeded"}}`;

describe('with GW_UPSTREAM_ERRORS=relay', () => {
  test.each([400, 404, 408, 409, 413, 422, 429, 529])(
    "a provider's %i reaches the client with its status and its body byte for byte",
    async (status) => {
      for (const stream of [false, true]) {
        upstreamResponds(status, OVERFLOW, { 'x-request-id': 'req_1', 'x-ratelimit-remaining-requests': '77' });
        const response = await gateway.chat(key, { stream });
        expect([response.status, response.text]).toEqual([status, OVERFLOW]);
        expect(response.headers.get('content-type')).toContain('application/json');
        expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
        expect(response.headers.get('x-gw-upstream-status')).toBe(String(status));
        expect(response.headers.get('x-gw-upstream-request-id')).toBe('req_1');
        expect(response.headers.get('x-should-retry')).toBeNull();
        expect(response.headers.get('x-ratelimit-remaining-requests')).not.toBe('77');
      }
    },
  );

  test.each(['end', 'reset', 'hold'] as const)(
    'an error that is nested 30,000 deep reaches the client without its credential, even if its connection does not end normally: %s',
    async (ending) => {
      const deep = (key: string) => `{"a":"${key}","error":${'['.repeat(15_000)}${']'.repeat(15_000)}}`;
      gateway.upstream.on('POST', PATH, (_request, response) => {
        const length = ending === 'reset' ? { 'content-length': '40000' } : {};
        response.writeHead(400, { 'content-type': 'application/json', ...length }).write(deep(UPSTREAM_KEY), () => {
          if (ending === 'end') response.end();
          if (ending === 'reset') response.destroy();
        });
      });
      const response = await gateway.chat(key);
      expect([response.status, response.text]).toEqual([400, deep('[redacted]')]);
    },
  );

  test.each([401, 402, 403, 405, 500, 502, 503])('a provider’s %i becomes 502 upstream_error', async (status) => {
    upstreamResponds(status, OVERFLOW);
    expect(errorCodeIn(await gateway.chat(key))).toBe('502 upstream_error');
  });

  test("the provider's retry headers are forwarded", async () => {
    upstreamResponds(429, OVERFLOW, { 'retry-after': '7', 'retry-after-ms': '6500', 'x-should-retry': 'true' });
    const { headers } = await gateway.chat(key);
    expect(['retry-after', 'retry-after-ms', 'x-should-retry'].map((name) => headers.get(name))).toEqual([
      '7',
      '6500',
      'true',
    ]);
  });

  test('a compressed error body is decoded', async () => {
    upstreamResponds(400, gzipSync(OVERFLOW), { 'content-encoding': 'gzip' });
    const response = await gateway.chat(key);
    expect([response.status, response.text, response.headers.get('content-encoding')]).toEqual([400, OVERFLOW, null]);
  });

  test.each([
    ['in plain text', UPSTREAM_KEY],
    ['with JSON escapes', UPSTREAM_KEY.replace('-', '\\u002d')],
    ['of another account', 'sk-proj-0123456789abcdefghij'],
  ])('a credential %s is redacted', async (_how, credential) => {
    upstreamResponds(400, `{"error":{"message":"Incorrect key: ${credential}.","n":1.50}}`);
    const response = await gateway.chat(key);
    expect(errorIn(response)).toMatchObject({ message: 'Incorrect key: [redacted].' });
    expect(response.text).not.toContain('upstream-credential');
  });

  test.each([
    ['HTML', '<html>Too Large</html>'],
    ['zero bytes', ''],
    ['a string', '"no"'],
    ['more than 64 KiB', JSON.stringify({ error: 'x'.repeat(1_000_000) })],
  ])('an error body of %s becomes the gateway’s envelope with the provider’s status', async (_what, body) => {
    upstreamResponds(413, body);
    const response = await gateway.chat(key);
    expect(response.status).toBe(413);
    expect(errorIn(response)).toMatchObject({
      code: 'upstream_error',
      request_id: response.headers.get('x-request-id'),
    });
  });

  test('the request log has the status that the client received', async () => {
    upstreamResponds(400, OVERFLOW);
    const id = (await gateway.chat(key)).headers.get('x-request-id')!;
    await poll(async () => {
      const { body } = await gateway.admin<{ logs: object[] }>('GET', `/admin/request-logs?request_id=${id}`);
      return body.logs;
    }).toMatchObject([{ status: 400, error_code: 'upstream_error' }]);
  });
});
