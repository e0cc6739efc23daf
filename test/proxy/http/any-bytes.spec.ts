import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Key, TestGateway } from '../../support/gateway.js';
import { CHAT, errorIn, errorCodeIn } from '../../support/responses.js';
import { startGatewayWithShortTimeouts } from '../../support/ready-gateway.js';
import { chatHead, chatRequest, Wire, type WireResponse } from '../../support/wire.js';

const BODY = JSON.stringify(CHAT);

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGatewayWithShortTimeouts();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());

/** Expects a documented status, with the error envelope unless it is 200. */
function expectDocumented(response: WireResponse): void {
  expect([200, 400, 401, 403, 404, 408, 413, 431]).toContain(response.status);
  if (response.status !== 200) expect(errorIn(response).request_id).toBe(response.headers['x-request-id']);
}

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
/** Bytes that can be part of a header value. */
const headerText = fc
  .uint8Array({ maxLength: 100 })
  .map((array) => Buffer.from(array.filter((byte) => byte >= 0x20 && byte !== 0x7f)).toString('latin1'));
const RUNS = { numRuns: 80 };

describe('arbitrary input', () => {
  test('any bytes as the body get a documented status', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        const head = chatHead(key.key, 'Content-Type: application/json', `Content-Length: ${body.length}`);
        expectDocumented(await Wire.once(gateway.port, Buffer.concat([Buffer.from(head), body])));
      }),
      RUNS,
    );
  });

  test('any JSON value as the body returns 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const { status, text } = await gateway.call('POST', '/v1/chat/completions', {
          key,
          body: JSON.stringify(value),
        });
        expect(status).toBe(400);
        expect(errorCodeIn({ status, text })).toMatch(/^400 (invalid_type|invalid_value|missing_required_parameter)/);
      }),
      RUNS,
    );
  });

  test('any JSON value in any field gets 200, 400 or 403', async () => {
    const names = fc.constantFrom('model', 'messages', 'models', 'stream', 'tools', 'stop', 'audio', 'functions');
    await fc.assert(
      fc.asyncProperty(names, fc.jsonValue({ maxDepth: 3 }), async (name, value) => {
        const response = await gateway.call('POST', '/v1/chat/completions', {
          key,
          body: JSON.stringify({ ...CHAT, [name]: value }),
        });
        expect([200, 400, 403]).toContain(response.status);
      }),
      RUNS,
    );
  });

  test('a valid body with one changed byte gets a documented status', async () => {
    const at = fc.nat({ max: BODY.length - 1 });
    await fc.assert(
      fc.asyncProperty(at, fc.nat({ max: 255 }), async (position, byte) => {
        const body = Buffer.from(BODY);
        body[position] = byte;
        const head = chatHead(key.key, 'Content-Type: application/json', `Content-Length: ${body.length}`);
        expectDocumented(await Wire.once(gateway.port, Buffer.concat([Buffer.from(head), body])));
      }),
      RUNS,
    );
  });

  test('any bytes as the key return 401, including SQL', async () => {
    const sql = fc.constantFrom(
      `' or 1=1 --`,
      `sk-gw-'; drop table api_keys; --`,
      'sk-gw-\\',
      `sk-gw-${'0'.repeat(49)}`,
    );
    const asKey = fc.oneof(
      headerText,
      sql,
      headerText.map((text) => `Bearer ${text}`),
      headerText.map((text) => `Bearer sk-gw-${text}`),
    );
    await fc.assert(
      fc.asyncProperty(asKey, async (authorization) => {
        const response = await Wire.once(gateway.port, chatRequest(null, BODY, `Authorization: ${authorization}`));
        expect(errorCodeIn(response)).toMatch(/^401 (missing|invalid)_api_key$/);
      }),
      RUNS,
    );
  });

  test('any bytes in any header get a documented status', async () => {
    const names = fc.constantFrom(
      'X-Request-Id',
      'Content-Type',
      'Accept',
      'OpenAI-Beta',
      'Idempotency-Key',
      'User-Agent',
      'Traceparent',
      'Origin',
      'Cookie',
      'Expect',
      'X-Forwarded-For',
      'Accept-Encoding',
      'If-None-Match',
      'Range',
      'TE',
      'Host',
    );
    await fc.assert(
      fc.asyncProperty(names, headerText, async (name, value) => {
        const length = `Content-Length: ${BODY.length}`;
        const head = chatHead(key.key, length, `${name}: ${value}`, 'Content-Type: application/json');
        expectDocumented(await Wire.once(gateway.port, head + BODY));
      }),
      RUNS,
    );
  });

  test('any bytes in the path get a documented status', async () => {
    const target = fc.oneof(
      headerText,
      headerText.map((text) => `/v1/${text}`),
      headerText.map((text) => `/v1/models/${text}`),
    );
    await fc.assert(
      fc.asyncProperty(target, async (path) => {
        const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.key}\r\n\r\n`;
        expectDocumented(await Wire.once(gateway.port, head));
      }),
      RUNS,
    );
  });

  test('any bytes instead of HTTP get a documented status', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (garbage) => {
        expectDocumented(await Wire.once(gateway.port, Buffer.concat([Buffer.from([0]), garbage])));
      }),
      RUNS,
    );
  });

  test('the gateway serves requests after such input', async () => {
    expect((await gateway.chat(key)).status).toBe(200);
  });
});
