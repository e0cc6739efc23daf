import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { type TestGateway, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { CHAT, errorIn, refusalIn } from '../../support/answers.js';
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

describe('what is no HTTP', () => {
  test.each([
    ['words', 'hello there\r\n\r\n'],
    ['bytes', '\x00\x01\x02\xff\r\n\r\n'],
    ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown method', 'FETCH /health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['bytes beyond ASCII in the target', 'GET /h\xe9alth HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another version', 'GET /health HTTP/7.0\r\nHost: x\r\n\r\n'],
    ['a blank in a header’s name', 'GET /health HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n'],
    ['a header without a colon', 'GET /health HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['a control character in a header', 'GET /health HTTP/1.1\r\nHost: x\r\nA: b\x01c\r\n\r\n'],
    ['a length that is no number', 'POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n'],
  ])('%s: 400 in the envelope, with a request id, and the connection ends', async (_what, bytes) => {
    const wire = await Wire.open(gateway.port);
    wire.write(bytes);
    const answer = await wire.answer();
    expect(refusalIn(answer)).toBe('400 bad_request');
    expect(errorIn(answer)).toMatchObject({ type: 'invalid_request_error', param: null });
    expect(errorIn(answer).request_id).toBe(answer.headers['x-request-id']);
    expect(answer.headers['x-request-id']).toMatch(UUID_V7);
    await wire.closed;
  });

  test('a request without Host: 400 in the envelope', async () => {
    const answer = await Wire.once(gateway.port, 'GET /health HTTP/1.1\r\n\r\n');
    expect(refusalIn(answer)).toBe('400 bad_request');
    expect(errorIn(answer).request_id).toBe(answer.headers['x-request-id']);
  });

  test('HTTP/1.0 needs no Host', async () => {
    expect((await Wire.once(gateway.port, 'GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  test.each([
    ['a header', `X-Long: ${'x'.repeat(20_000)}`],
    ['a thousand headers', Array.from({ length: 1000 }, (_, at) => `X-${at}: ${'y'.repeat(20)}`).join('\r\n')],
    ['a key', `Authorization: Bearer sk-gw-${'x'.repeat(20_000)}`],
  ])('a head that is too long by %s: 431 headers_too_large', async (_what, lines) => {
    const answer = await Wire.once(gateway.port, `GET /v1/usage HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n`);
    expect(refusalIn(answer)).toBe('431 headers_too_large');
    expect(errorIn(answer).request_id).toBe(answer.headers['x-request-id']);
  });

  test('a target that is too long: 431 headers_too_large', async () => {
    const answer = await Wire.once(gateway.port, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(refusalIn(answer)).toBe('431 headers_too_large');
  });

  test('a head of 15 KB is read', async () => {
    const head = `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(15_000)}\r\n\r\n`;
    expect((await Wire.once(gateway.port, head)).status).toBe(200);
  });
});

describe('a connection', () => {
  const cleanUps: (() => void)[] = [];
  afterEach(() => {
    for (const cleanUp of cleanUps.splice(0)) cleanUp();
  });

  test('carries pipelined requests, answered in their order', async () => {
    const wire = await Wire.open(gateway.port);
    const refused = chatRequest(null, BODY);
    wire.write(chatRequest(key.key, BODY) + refused + HEALTH + chatRequest(key.key, BODY));
    const statuses = [];
    for (let at = 0; at < 4; at++) statuses.push((await wire.answer()).status);
    expect(statuses).toEqual([200, 401, 200, 200]);
    wire.close();
  });

  test('has one request under way at a time: what is sent ahead begins when that is answered', async () => {
    const opened: ServerResponse[] = [];
    gateway.upstream.on('POST', '/v1/chat/completions', (_request, response) => void opened.push(response));
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, BODY).repeat(2));
    await until(() => opened.length === 1, 5000);
    // Others go all the way meanwhile.
    expect((await gateway.call('GET', '/v1/usage', { key: key.key })).status).toBe(200);
    expect(opened).toHaveLength(1);
    opened[0]!.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    expect((await wire.answer()).status).toBe(200);
    await until(() => opened.length === 2, 5000);
    opened[1]!.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    expect((await wire.answer()).status).toBe(200);
    wire.close();
    gateway.upstream.reset();
  });

  test('is not read on while many requests wait on it, and all of them are answered', async () => {
    const sent = 8000;
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
    // In that time the gateway would have read all of it.
    for (let times = 0; times < 20; times++) expect((await gateway.call('GET', '/health')).status).toBe(200);
    expect(waiting).toBeLessThan(sent / 2);
    first.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    for (let at = 0; at <= sent; at++) expect((await wire.answer()).status).toBe(200);
    gateway.app.getHttpServer().off('request', count);
    wire.close();
    gateway.upstream.reset();
  });

  test('that sends ten thousand ahead lets others in between', async () => {
    const wire = await Wire.open(gateway.port);
    const sent = 10_000;
    let answered = 0;
    wire.write(HEALTH.repeat(sent));
    const all = (async () => {
      for (; answered < sent; answered++) expect((await wire.answer()).status).toBe(200);
    })();
    await until(() => answered > 0, 5000);
    expect((await gateway.call('GET', '/health')).status).toBe(200);
    expect(answered).toBeLessThan(sent / 2);
    await all;
    wire.close();
  });

  test('is cut where too many wait on all of them, and others are served', async () => {
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
    await until(() => held.length === wires.length, 10_000);
    for (const wire of wires) wire.write(HEALTH.repeat(8000));
    await until(() => cut > 20, 10_000);
    expect(waiting).toBeLessThan(20_000);
    const served = async (requests: number): Promise<void> => {
      const wire = await Wire.open(gateway.port);
      wires.push(wire);
      wire.write(HEALTH.repeat(requests));
      for (let at = 0; at < requests; at++) expect((await wire.answer()).status).toBe(200);
    };
    await served(8);
    for (const wire of wires) wire.close();
    for (const response of held) response.end('{}');
    const hundredServed = () =>
      served(100).then(
        () => true,
        () => false,
      );
    await until(hundredServed, 10_000);
  });

  test('with garbage behind a whole request never has the answers mixed up', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(`${chatRequest(key.key, BODY)}garbage\r\n\r\n`);
    const first = await wire.answer();
    // Refused together with the garbage or served before it, but never served after a refusal.
    if (first.status === 200) expect(refusalIn(await wire.answer())).toBe('400 bad_request');
    else expect(refusalIn(first)).toBe('400 bad_request');
    await wire.closed;
    expect(wire.unread).toBe('');
  });

  test('is not taken over by an Upgrade that the gateway does not speak', async () => {
    const head = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect((await Wire.once(gateway.port, head)).status).toBe(200);
  });

  test('opened and left alone harms nobody', async () => {
    const wires = await Promise.all(Array.from({ length: 50 }, () => Wire.open(gateway.port)));
    for (const wire of wires) wire.close();
    expect((await gateway.chat(key)).status).toBe(200);
  });
});

describe('request ids', () => {
  test('are UUIDs of version 7, new for each request, whatever the client sends', async () => {
    const ids = new Set<string | null>();
    for (let times = 0; times < 5; times++) {
      const answer = await gateway.chat(key, {}, { headers: { 'x-request-id': 'mine' } });
      ids.add(answer.headers.get('x-request-id'));
    }
    expect(ids.size).toBe(5);
    for (const id of ids) expect(id).toMatch(UUID_V7);
  });
});
