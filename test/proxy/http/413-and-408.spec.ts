import { buildConnector } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { UpstreamPool } from '../../../src/upstream/upstream-pool.js';
import { type TestGateway, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { CHAT, errorIn, errorCodeIn, snapshot } from '../../support/responses.js';
import { chatHead, Wire } from '../../support/wire.js';

const LIMIT = 10 * 1024 * 1024;
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';

function bodyOf(bytes: number): Buffer {
  const empty = JSON.stringify({ ...CHAT, messages: [{ role: 'user', content: '' }] });
  return Buffer.from(empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`));
}

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway({ GW_BODY_IDLE_TIMEOUT_MS: '2000', GW_HEAD_TIMEOUT_MS: '500' });
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const LAST_CHUNK = '0\r\n\r\n';

describe('body limit of 10 MiB', () => {
  test('a body of exactly 10 MiB is served, with a length or in chunks', async () => {
    const body = bodyOf(LIMIT);
    expect((await gateway.call('POST', '/v1/chat/completions', { key, body })).status).toBe(200);
    expect((await gateway.upstream.received(0)).body.equals(body)).toBe(true);
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(key.key, JSON_TYPE, CHUNKED));
    wire.write(chunk(body));
    wire.write(LAST_CHUNK);
    expect((await wire.response()).status).toBe(200);
    expect((await gateway.upstream.received(1)).body.equals(body)).toBe(true);
    wire.close();
  });

  test('an announced length of one byte more returns 413 before the body is sent', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(key.key, JSON_TYPE, `Content-Length: ${LIMIT + 1}`));
    const response = await wire.response();
    expect(errorCodeIn(response)).toBe('413 request_too_large');
    expect(errorIn(response)).toMatchObject({ type: 'invalid_request_error', param: null });
    wire.close();
  });

  test('a chunked body returns 413 at the first byte over the limit, and does not count', async () => {
    const own = await gateway.createKey();
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(own.key, JSON_TYPE, CHUNKED));
    wire.write(chunk(bodyOf(LIMIT)));
    wire.write(chunk(Buffer.from(' ')));
    expect(errorCodeIn(await wire.response())).toBe('413 request_too_large');
    expect((await snapshot(gateway, own)).today.used).toBe(0);
    expect(gateway.upstream.requests).toHaveLength(0);
    wire.close();
  });

  test('a length of 30 digits returns 413 or 400', async () => {
    const response = await Wire.once(gateway.port, chatHead(key.key, JSON_TYPE, `Content-Length: ${'9'.repeat(30)}`));
    expect(errorCodeIn(response)).toMatch(/^413 request_too_large|^400 bad_request/);
  });

  test('the Admin API rejects a larger body too', async () => {
    const response = await gateway.admin('POST', '/admin/api-keys', { name: 'x'.repeat(LIMIT) });
    expect(errorCodeIn(response)).toBe('413 request_too_large');
  });
});

describe('408 request_timeout', () => {
  test('a body that stalls returns 408, and no upstream request is sent', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(key.key, JSON_TYPE, 'Content-Length: 100') + '{"model"');
    const response = await wire.response();
    expect(errorCodeIn(response)).toBe('408 request_timeout');
    expect(response.headers).toMatchObject({ 'x-gw-key-name': 'test', 'x-ratelimit-limit-requests': '1000000' });
    expect(gateway.upstream.requests).toHaveLength(0);
    wire.close();
  });

  test('a slow body is served, even if it takes longer than the idle timeout', async () => {
    const body = JSON.stringify(CHAT);
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(key.key, JSON_TYPE, `Content-Length: ${body.length}`));
    const pieces = body.match(/.{1,20}/g) ?? [];
    // The pieces take 2.8 s in total. The pauses are short enough for a machine that stalls for a second.
    for (const piece of pieces) {
      await new Promise((resolve) => setTimeout(resolve, 2800 / pieces.length));
      wire.write(piece);
    }
    expect((await wire.response()).status).toBe(200);
    wire.close();
  });

  test('stalled headers return 408 with a request ID, on new and reused connections', async () => {
    const starts = [chatHead(key.key).slice(0, -20), 'POST /v1/ch', 'GET /health HTTP/1.1\r\nHost:'];
    await Promise.all(
      starts.map(async (start, at) => {
        const wire = await Wire.open(gateway.port);
        if (at > 0) {
          wire.write('GET /health HTTP/1.1\r\nHost: gateway\r\n\r\n');
          expect((await wire.response()).status).toBe(200);
        }
        wire.write(start);
        const response = await wire.response();
        expect(errorCodeIn(response)).toBe('408 request_timeout');
        expect(errorIn(response).request_id).toBe(response.headers['x-request-id']);
        await wire.closed;
      }),
    );
  });
});

test('the default timeouts of Node.js and undici are disabled, so that they do not abort long requests', () => {
  const { timeout, requestTimeout } = gateway.app.getHttpServer();
  expect({ timeout, requestTimeout }).toEqual({ timeout: 0, requestTimeout: 0 });
  const pool = new UpstreamPool('http://127.0.0.1:1', buildConnector({ timeout: 1000 }), 1);
  expect(Reflect.get(pool, 'options')).toMatchObject({ headersTimeout: 0, bodyTimeout: 0 });
});
