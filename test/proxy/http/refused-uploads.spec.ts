import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestGateway, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { CHAT, errorCodeIn } from '../../support/responses.js';
import { chatHead, chatRequest, Wire } from '../../support/wire.js';

const MIB = 1024 * 1024;
const BODY = JSON.stringify(CHAT);
const JSON_TYPE = 'Content-Type: application/json';
const CONTINUE = 'Expect: 100-continue';

let gateway: TestGateway;
let key: Key;
let suspended: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
  suspended = await gateway.createKey();
  await gateway.admin('POST', `/admin/api-keys/${suspended.id}/suspend`);
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

describe('rejection before the body is read', () => {
  test.each<[string, () => string, string]>([
    ['without a key', () => chatHead(null, JSON_TYPE, 'Content-Length: 100'), '401 missing_api_key'],
    ['with a suspended key', () => chatHead(suspended.key, JSON_TYPE, 'Content-Length: 100'), '403 api_key_suspended'],
    [
      'with a wrong content type',
      () => chatHead(key.key, 'Content-Type: x/y', 'Content-Length: 100'),
      '400 invalid_content_type',
    ],
    ['to an unknown route', () => chatHead(null, 'Content-Length: 100').replace('/v1', '/v2'), '404 route_not_found'],
  ])('a request %s is rejected before its body arrives', async (_what, head, expected) => {
    const wire = await Wire.open(gateway.port);
    wire.write(head());
    expect(errorCodeIn(await wire.response())).toBe(expected);
    wire.close();
  });

  test('a rejection during an upload of 8 MiB reaches the client, and the connection stays usable', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(null, JSON_TYPE, `Content-Length: ${8 * MIB}`));
    wire.write(Buffer.alloc(MIB, ' '));
    expect(errorCodeIn(await wire.response())).toBe('401 missing_api_key');
    wire.write(Buffer.alloc(7 * MIB, ' '));
    wire.write(chatRequest(key.key, BODY));
    expect((await wire.response()).status).toBe(200);
    wire.close();
  });

  test('a rejection during a chunked upload keeps the connection usable', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead('sk-gw-none', JSON_TYPE, 'Transfer-Encoding: chunked'));
    expect(errorCodeIn(await wire.response())).toBe('401 invalid_api_key');
    wire.write(`5\r\nhello\r\n0\r\n\r\n${chatRequest(key.key, BODY)}`);
    expect((await wire.response()).status).toBe(200);
    wire.close();
  });

  test('the connection is closed if the rejected body exceeds 10 MiB', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(null, JSON_TYPE, `Content-Length: ${1000 * MIB}`));
    expect((await wire.response()).status).toBe(401);
    for (let sent = 0; sent < 40; sent++) {
      wire.write(Buffer.alloc(MIB));
      await wire.drained();
    }
    await wire.closed;
    wire.close();
  });

  test('the connection is closed if the rejected body takes more than 5 s', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(null, JSON_TYPE, 'Content-Length: 100'));
    expect((await wire.response()).status).toBe(401);
    const beganMs = performance.now();
    await wire.closed;
    const tookMs = performance.now() - beganMs;
    expect(tookMs).toBeGreaterThan(4_500);
  });

  test('the connection stays open if the rejected body is complete', async () => {
    const wire = await Wire.open(gateway.port);
    for (let times = 0; times < 3; times++) {
      wire.write(chatRequest(null, BODY));
      const response = await wire.response();
      expect(response.status).toBe(401);
      expect(response.headers['connection']).not.toBe('close');
    }
    wire.close();
  });
});

describe('Expect: 100-continue', () => {
  const withBody = (given: string | null, type = JSON_TYPE) =>
    chatHead(given, type, `Content-Length: ${BODY.length}`, CONTINUE);

  test('a valid key gets 100 Continue and then the response', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(withBody(key.key));
    expect(await wire.response()).toEqual({ status: 100, headers: {}, text: '' });
    wire.write(BODY);
    expect((await wire.response()).status).toBe(200);
    expect((await gateway.upstream.received(0)).header('expect')).toBeUndefined();
    wire.close();
  });

  test.each<[string, () => string, string]>([
    ['a missing key', () => withBody(null), '401 missing_api_key'],
    ['a wrong key', () => withBody('sk-gw-none'), '401 invalid_api_key'],
    ['a suspended key', () => withBody(suspended.key), '403 api_key_suspended'],
    ['a wrong content type', () => withBody(key.key, 'Content-Type: text/plain'), '400 invalid_content_type'],
    [
      'a length that is too large',
      () => chatHead(key.key, JSON_TYPE, `Content-Length: ${10 * MIB + 1}`, CONTINUE),
      '413 request_too_large',
    ],
    ['an unknown route', () => withBody(key.key).replace('/v1', '/v2'), '404 route_not_found'],
  ])('%s is rejected without 100 Continue, and the connection is closed', async (_what, head, expected) => {
    const wire = await Wire.open(gateway.port);
    wire.write(head());
    const response = await wire.response();
    expect(errorCodeIn(response)).toBe(expected);
    expect(response.headers['connection']).toBe('close');
    wire.close();
  });

  test('any other Expect value is ignored', async () => {
    const response = await Wire.once(gateway.port, chatRequest(key.key, BODY, 'Expect: something'));
    expect(response.status).toBe(200);
  });
});
