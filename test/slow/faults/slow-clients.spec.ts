import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { CHAT, errorIn, errorCodeIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { chatHead, chatRequest, postHead, requestHead, Wire } from '../../support/wire.js';
import type { Key, TestGateway } from '../../support/gateway.js';

/** These timeouts limit Slowloris attacks: they end each connection even if the client keeps sending slowly. */
const HEAD_MS = 1_000;
const IDLE_MS = 500;
const KEEP_ALIVE_MS = 1_000;

const BODY = JSON.stringify(CHAT);
const JSON_TYPE = 'Content-Type: application/json';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway({
    GW_HEAD_TIMEOUT_MS: String(HEAD_MS),
    GW_BODY_IDLE_TIMEOUT_MS: String(IDLE_MS),
    GW_KEEPALIVE_TIMEOUT_MS: String(KEEP_ALIVE_MS),
  });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  key = await gateway.createKey();
  gateway.upstream.reset();
});

/** Sends one byte every 50 ms until the connection closes. */
function trickle(wire: Wire, bytes: string, endless = ''): { stop(): void } {
  let at = 0;
  const timer = setInterval(() => {
    const byte = bytes[at++] ?? endless;
    if (byte !== '') wire.write(byte);
  }, 50);
  const stop = () => clearInterval(timer);
  void wire.closed.then(stop);
  return { stop };
}

async function expectCut(begin: (wire: Wire) => void, refusal: string): Promise<void> {
  const wire = await Wire.open(gateway.port);
  begin(wire);
  const response = await wire.response();
  expect(errorCodeIn(response)).toBe(refusal);
  expect(errorIn(response).request_id).toBe(response.headers['x-request-id']);
  wire.close();
}

describe('request headers that arrive byte by byte', () => {
  test.each([
    ['an endless request line', `GET /v1/${'x'.repeat(500)}`],
    ['many headers', `GET /v1/usage HTTP/1.1\r\n${'X-A: 1\r\n'.repeat(500)}`],
    ['one endless header', `GET /v1/usage HTTP/1.1\r\nX-A: ${'x'.repeat(500)}`],
  ])('returns 408 for %s after the head timeout', async (_what, bytes) => {
    await expectCut((wire) => trickle(wire, bytes, 'x'), '408 request_timeout');
  });

  test('returns 408 for slow request headers after a served request on the same connection', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, BODY));
    expect((await wire.response()).status).toBe(200);
    trickle(wire, 'GET /v1/usage HTTP/1.1\r\nX-A: ', 'x');
    expect(errorCodeIn(await wire.response())).toBe('408 request_timeout');
    await wire.closed;
  });

  test('serves other clients while 200 connections send slow request headers', async () => {
    const wires = await Promise.all(Array.from({ length: 200 }, () => Wire.open(gateway.port)));
    const trickles = wires.map((wire) => trickle(wire, 'POST /v1/chat/completions HTTP/1.1\r\nX-A: ', 'x'));
    expect((await gateway.chat(key)).status).toBe(200);
    await Promise.all(wires.map((wire) => wire.closed));
    for (const { stop } of trickles) stop();
    expect((await gateway.chat(key)).status).toBe(200);
  });
});

describe('slow request bodies', () => {
  const head = (...lines: string[]) => chatHead(key.key, JSON_TYPE, ...lines);

  test.each([
    ['that never starts', () => head('Content-Length: 100')],
    ['that stops', () => `${head('Content-Length: 100')}{"model"`],
    ['that stops inside a chunk', () => `${head('Transfer-Encoding: chunked')}5\r\n{"mod`],
    ['that stops inside a chunk size', () => `${head('Transfer-Encoding: chunked')}5`],
    ['without its final chunk', () => `${head('Transfer-Encoding: chunked')}2\r\n{}\r\n`],
    ['that never starts after 100 Continue', () => head('Content-Length: 100', 'Expect: 100-continue')],
  ])('returns 408 for a body %s after the idle timeout, and does not count the request', async (_what, bytes) => {
    const wire = await Wire.open(gateway.port);
    wire.write(bytes());
    let response = await wire.response();
    if (response.status === 100) response = await wire.response();
    expect(errorCodeIn(response)).toBe('408 request_timeout');
    wire.close();
    expect(gateway.upstream.requests).toHaveLength(0);
    expect((await snapshot(gateway, key)).today.used).toBe(0);
    expect((await gateway.chat(key)).status).toBe(200);
  });

  test('serves a body that arrives byte by byte within the idle timeout', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(head(`Content-Length: ${BODY.length}`));
    trickle(wire, BODY);
    expect((await wire.response()).status).toBe(200);
    wire.close();
  });

  test('stops reading the slow body of a rejected request', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(null, JSON_TYPE, 'Content-Length: 100000'));
    const { stop } = trickle(wire, '', ' ');
    expect(errorCodeIn(await wire.response())).toBe('401 missing_api_key');
    await wire.closed;
    stop();
  });
});

/** A body of 20 bytes per second never pauses for the idle timeout, but falls 5 s behind the minimum rate. */
describe('bodies below the minimum rate', () => {
  test('returns 408 for a body that drips, and does not count the request', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(key.key, JSON_TYPE, 'Content-Length: 100000'));
    trickle(wire, '{', ' ');
    expect(errorCodeIn(await wire.response())).toBe('408 request_timeout');
    expect((await snapshot(gateway, key)).today.used).toBe(0);
    wire.close();
  });

  test('returns 408 for an upload that drips, and frees its place under a limit on concurrent requests', async () => {
    const fields = { scope: 'account', measure: 'concurrent_requests', amount: 1 };
    const limit = await gateway.admin<{ id: number }>('POST', '/admin/limits', fields);
    expect(limit.status).toBe(201);
    const wire = await Wire.open(gateway.port);
    const form = 'Content-Type: multipart/form-data; boundary=b';
    wire.write(`${postHead('/v1/files', key.key, form, 'Content-Length: 100000')}--b\r\n`);
    trickle(wire, '', 'x');
    await until(async () => (await gateway.chat(key)).status === 429);
    expect(errorCodeIn(await wire.response())).toBe('408 request_timeout');
    await until(async () => (await gateway.chat(key)).status === 200);
    await gateway.admin('DELETE', `/admin/limits/${limit.body.id}`);
    wire.close();
  });

  test('returns 408 for a sign-in whose body takes longer than 10 s, even at a sufficient rate', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(requestHead('POST', '/dashboard/session', JSON_TYPE, 'Content-Length: 65000'));
    trickle(wire, '{', ' '.repeat(200));
    expect(errorCodeIn(await wire.response())).toBe('408 request_timeout');
    wire.close();
  });
});

describe('idle and half-closed connections', () => {
  test('closes a connection on which nothing is sent', async () => {
    const wire = await Wire.open(gateway.port);
    await wire.closed;
  });

  test('closes an idle connection after the keep-alive timeout', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await wire.response()).status).toBe(200);
    await wire.closed;
  });

  test('treats a half-closed connection as disconnected and aborts the upstream request', async () => {
    gateway.upstream.on('POST', '/v1/chat/completions', () => {});
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(chatRequest(key.key, BODY));
    const request = await gateway.upstream.received(0);
    socket.end();
    await request.gone;
    expect(await textOf(socket)).toBe('');
  });
});

test('no connection from an earlier test stays open', async () => {
  await until(async () => (await connections()) <= 1);
});

const connections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    gateway.app
      .getHttpServer()
      .getConnections((error: Error | null, count: number) => (error ? reject(error) : resolve(count))),
  );

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}
