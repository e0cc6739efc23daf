import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { type TestGateway, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { CHAT, errorIn, errorCodeIn } from '../../support/responses.js';
import { chatRequest, Wire } from '../../support/wire.js';

const BODY = JSON.stringify(CHAT);
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const HEALTH = 'GET /health HTTP/1.1\r\nHost: gateway\r\n\r\n';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());

/** Reads this many responses. @returns how often each status occurred */
async function statusesOf(wire: Wire, count: number, onResponse = () => {}): Promise<Record<string, number>> {
  const tally: Record<string, number> = {};
  for (let at = 0; at < count; at++) {
    const { status } = await wire.response();
    tally[status] = (tally[status] ?? 0) + 1;
    onResponse();
  }
  return tally;
}

describe('malformed HTTP', () => {
  test.each([
    ['plain text', 'hello there\r\n\r\n'],
    ['binary data', '\x00\x01\x02\xff\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown method', 'FETCH /health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a non-ASCII byte in the path', 'GET /h\xe9alth HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown HTTP version', 'GET /health HTTP/7.0\r\nHost: x\r\n\r\n'],
    ['a space in a header name', 'GET /health HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n'],
    ['a header without a colon', 'GET /health HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['a control character in a header', 'GET /health HTTP/1.1\r\nHost: x\r\nA: b\x01c\r\n\r\n'],
    ['a length that is not a number', 'POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n'],
  ])('%s returns a 400 error envelope with a request ID, and the connection is closed', async (_what, bytes) => {
    const wire = await Wire.open(gateway.port);
    wire.write(bytes);
    const response = await wire.response();
    expect(errorCodeIn(response)).toBe('400 bad_request');
    expect(errorIn(response)).toMatchObject({ type: 'invalid_request_error', param: null });
    expect(errorIn(response).request_id).toBe(response.headers['x-request-id']);
    expect(response.headers['x-request-id']).toMatch(UUID_V7);
    await wire.closed;
  });

  test('a request without a Host header returns a 400 error envelope', async () => {
    const response = await Wire.once(gateway.port, 'GET /health HTTP/1.1\r\n\r\n');
    expect(errorCodeIn(response)).toBe('400 bad_request');
    expect(errorIn(response).request_id).toBe(response.headers['x-request-id']);
  });

  test('an HTTP/1.0 request does not need a Host header', async () => {
    expect((await Wire.once(gateway.port, 'GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  test.each([
    ['a long header', `X-Long: ${'x'.repeat(20_000)}`],
    ['a thousand headers', Array.from({ length: 1000 }, (_, at) => `X-${at}: ${'y'.repeat(20)}`).join('\r\n')],
    ['a long key', `Authorization: Bearer sk-gw-${'x'.repeat(20_000)}`],
  ])('headers that are too long because of %s return 431 headers_too_large', async (_what, lines) => {
    const response = await Wire.once(gateway.port, `GET /v1/usage HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n`);
    expect(errorCodeIn(response)).toBe('431 headers_too_large');
    expect(errorIn(response).request_id).toBe(response.headers['x-request-id']);
  });

  test('a path that is too long returns 431 headers_too_large', async () => {
    const response = await Wire.once(gateway.port, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(errorCodeIn(response)).toBe('431 headers_too_large');
  });

  test('headers of 15 KB are accepted', async () => {
    const head = `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(15_000)}\r\n\r\n`;
    expect((await Wire.once(gateway.port, head)).status).toBe(200);
  });
});

describe('client connection', () => {
  const cleanUps: (() => void)[] = [];
  afterEach(() => {
    for (const cleanUp of cleanUps.splice(0)) cleanUp();
  });

  test('pipelined requests are served in order', async () => {
    const wire = await Wire.open(gateway.port);
    const refused = chatRequest(null, BODY);
    wire.write(chatRequest(key.key, BODY) + refused + HEALTH + chatRequest(key.key, BODY));
    const statuses = [];
    for (let at = 0; at < 4; at++) statuses.push((await wire.response()).status);
    expect(statuses).toEqual([200, 401, 200, 200]);
    wire.close();
  });

  test('a pipelined request starts only after the response to the previous one', async () => {
    const opened: ServerResponse[] = [];
    gateway.upstream.on('POST', '/v1/chat/completions', (_request, response) => void opened.push(response));
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, BODY).repeat(2));
    await until(() => opened.length === 1);
    // Other connections are served in the meantime.
    expect((await gateway.call('GET', '/v1/usage', { key: key.key })).status).toBe(200);
    expect(opened).toHaveLength(1);
    opened[0]!.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    expect((await wire.response()).status).toBe(200);
    await until(() => opened.length === 2);
    opened[1]!.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    expect((await wire.response()).status).toBe(200);
    wire.close();
    gateway.upstream.reset();
  });

  test('the gateway pauses reading while many pipelined requests wait, and serves all of them', async () => {
    // 156 KB. One read takes 64 KB, so at most 1,681 of them wait after it.
    const sent = 4000;
    let waiting = 0;
    const count = (_request: unknown, response: ServerResponse) => void (waiting += response.socket === null ? 1 : 0);
    gateway.app.getHttpServer().on('request', count);
    const held = Promise.withResolvers<ServerResponse>();
    gateway.upstream.on('POST', '/v1/chat/completions', (_request, response) => held.resolve(response));
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, BODY));
    const first = await held.promise;
    wire.write(HEALTH.repeat(sent));
    await wire.drained();
    // The gateway would have had time to read everything.
    for (let times = 0; times < 20; times++) expect((await gateway.call('GET', '/health')).status).toBe(200);
    expect(waiting).toBeLessThan(sent / 2);
    first.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    expect(await statusesOf(wire, sent + 1)).toEqual({ 200: sent + 1 });
    gateway.app.getHttpServer().off('request', count);
    wire.close();
    gateway.upstream.reset();
  });

  test('1,600 pipelined requests that the gateway can read at once do not block other connections', async () => {
    const wire = await Wire.open(gateway.port);
    // 62 KB
    const sent = 1600;
    let answered = 0;
    wire.write(HEALTH.repeat(sent));
    const all = statusesOf(wire, sent, () => answered++);
    await until(() => answered > 0);
    expect((await gateway.call('GET', '/health')).status).toBe(200);
    expect(answered).toBeLessThan(sent / 2);
    expect(await all).toEqual({ 200: sent });
    wire.close();
  });

  test('connections are closed if too many pipelined requests wait in total, and other connections are still served', async () => {
    let waiting = 0;
    const count = (_request: unknown, response: ServerResponse) => void (waiting += response.socket === null ? 1 : 0);
    gateway.app.getHttpServer().on('request', count);
    const held: ServerResponse[] = [];
    gateway.upstream.on('POST', '/v1/chat/completions', (_request, response) => void held.push(response));
    const wires: Wire[] = [];
    cleanUps.push(() => {
      for (const wire of wires) wire.close();
      gateway.app.getHttpServer().off('request', count);
      gateway.upstream.reset();
    });
    let cut = 0;
    for (let at = 0; at < 30; at++) {
      const wire = await Wire.open(gateway.port);
      void wire.closed.then(() => (cut += 1));
      wire.write(chatRequest(key.key, BODY));
      wires.push(wire);
    }
    await until(() => held.length === wires.length);
    for (const wire of wires) wire.write(HEALTH.repeat(4000));
    await until(() => cut > 20);
    expect(waiting).toBeLessThan(20_000);
    const served = async (requests: number): Promise<void> => {
      const wire = await Wire.open(gateway.port);
      wires.push(wire);
      wire.write(HEALTH.repeat(requests));
      expect(await statusesOf(wire, requests)).toEqual({ 200: requests });
    };
    await served(8);
    for (const wire of wires) wire.close();
    for (const response of held) response.end('{}');
    const hundredServed = () =>
      served(100).then(
        () => true,
        () => false,
      );
    await until(hundredServed);
  });

  test('garbage after a request never changes the order of the responses', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(`${chatRequest(key.key, BODY)}garbage\r\n\r\n`);
    const first = await wire.response();
    // The request is rejected together with the garbage or served before it, but never served after a rejection.
    if (first.status === 200) expect(errorCodeIn(await wire.response())).toBe('400 bad_request');
    else expect(errorCodeIn(first)).toBe('400 bad_request');
    await wire.closed;
    expect(wire.unread).toBe('');
  });

  test('an unsupported Upgrade header is ignored', async () => {
    const head = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect((await Wire.once(gateway.port, head)).status).toBe(200);
  });

  test('connections that send no request do not affect other clients', async () => {
    const wires = await Promise.all(Array.from({ length: 50 }, () => Wire.open(gateway.port)));
    for (const wire of wires) wire.close();
    expect((await gateway.chat(key)).status).toBe(200);
  });
});

describe('request IDs', () => {
  test('each request gets a new version 7 UUID, even if the client sends its own ID', async () => {
    const ids = new Set<string | null>();
    for (let times = 0; times < 5; times++) {
      const response = await gateway.chat(key, {}, { headers: { 'x-request-id': 'mine' } });
      ids.add(response.headers.get('x-request-id'));
    }
    expect(ids.size).toBe(5);
    for (const id of ids) expect(id).toMatch(UUID_V7);
  });
});
