import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestGateway, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { CHAT, refusalIn } from '../../support/answers.js';
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

describe('a refusal before the body has been read', () => {
  test.each<[string, () => string, string]>([
    ['without a key', () => chatHead(null, JSON_TYPE, 'Content-Length: 100'), '401 missing_api_key'],
    ['with a suspended key', () => chatHead(suspended.key, JSON_TYPE, 'Content-Length: 100'), '403 api_key_suspended'],
    [
      'of another type',
      () => chatHead(key.key, 'Content-Type: x/y', 'Content-Length: 100'),
      '400 invalid_content_type',
    ],
    ['to no route', () => chatHead(null, 'Content-Length: 100').replace('/v1', '/v2'), '404 route_not_found'],
  ])('is answered at once, not a byte of the body having come: %s', async (_what, head, expected) => {
    const wire = await Wire.open(gateway.port);
    wire.write(head());
    expect(refusalIn(await wire.answer())).toBe(expected);
    wire.close();
  });

  test('in the middle of an upload of 8 MiB is seen by the client, and the connection serves the next request', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(null, JSON_TYPE, `Content-Length: ${8 * MIB}`));
    wire.write(Buffer.alloc(MIB, ' '));
    expect(refusalIn(await wire.answer())).toBe('401 missing_api_key');
    wire.write(Buffer.alloc(7 * MIB, ' '));
    wire.write(chatRequest(key.key, BODY));
    expect((await wire.answer()).status).toBe(200);
    wire.close();
  });

  test('in chunks likewise', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead('sk-gw-none', JSON_TYPE, 'Transfer-Encoding: chunked'));
    expect(refusalIn(await wire.answer())).toBe('401 invalid_api_key');
    wire.write(`5\r\nhello\r\n0\r\n\r\n${chatRequest(key.key, BODY)}`);
    expect((await wire.answer()).status).toBe(200);
    wire.close();
  });

  test('takes no more than the limit of 10 MiB: the connection is cut', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(null, JSON_TYPE, `Content-Length: ${1000 * MIB}`));
    expect((await wire.answer()).status).toBe(401);
    for (let sent = 0; sent < 40; sent++) {
      wire.write(Buffer.alloc(MIB));
      await wire.drained();
    }
    await wire.closed;
    wire.close();
  });

  test('takes it for no more than 5 s: the connection is cut', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(null, JSON_TYPE, 'Content-Length: 100'));
    expect((await wire.answer()).status).toBe(401);
    const beganMs = performance.now();
    await wire.closed;
    const tookMs = performance.now() - beganMs;
    expect(tookMs).toBeGreaterThan(4_500);
    expect(tookMs).toBeLessThan(10_000);
  });

  test('a body that has come whole keeps its connection', async () => {
    const wire = await Wire.open(gateway.port);
    for (let times = 0; times < 3; times++) {
      wire.write(chatRequest(null, BODY));
      const answer = await wire.answer();
      expect(answer.status).toBe(401);
      expect(answer.headers['connection']).not.toBe('close');
    }
    wire.close();
  });
});

describe('Expect: 100-continue', () => {
  const withBody = (given: string | null, type = JSON_TYPE) =>
    chatHead(given, type, `Content-Length: ${BODY.length}`, CONTINUE);

  test('is granted to a good key, and the answer follows', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(withBody(key.key));
    expect(await wire.answer()).toEqual({ status: 100, headers: {}, text: '' });
    wire.write(BODY);
    expect((await wire.answer()).status).toBe(200);
    expect((await gateway.upstream.received(0)).header('expect')).toBeUndefined();
    wire.close();
  });

  test.each<[string, () => string, string]>([
    ['no key', () => withBody(null), '401 missing_api_key'],
    ['a wrong key', () => withBody('sk-gw-none'), '401 invalid_api_key'],
    ['a suspended key', () => withBody(suspended.key), '403 api_key_suspended'],
    ['a wrong content type', () => withBody(key.key, 'Content-Type: text/plain'), '400 invalid_content_type'],
    [
      'a length too large',
      () => chatHead(key.key, JSON_TYPE, `Content-Length: ${10 * MIB + 1}`, CONTINUE),
      '413 request_too_large',
    ],
    ['no route', () => withBody(key.key).replace('/v1', '/v2'), '404 route_not_found'],
  ])('is not granted to %s, whose connection ends with the refusal', async (_what, head, expected) => {
    const wire = await Wire.open(gateway.port);
    wire.write(head());
    const answer = await wire.answer();
    expect(refusalIn(answer)).toBe(expected);
    expect(answer.headers['connection']).toBe('close');
    wire.close();
  });

  test('of another kind is served as if it were not there', async () => {
    const answer = await Wire.once(gateway.port, chatRequest(key.key, BODY, 'Expect: something'));
    expect(answer.status).toBe(200);
  });
});
