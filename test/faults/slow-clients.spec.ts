import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { CHAT, errorIn, refusalIn, snapshot } from '../support/answers.js';
import { startGateway } from '../support/ready-gateway.js';
import { chatHead, chatRequest, Wire } from '../support/wire.js';
import type { Key, TestGateway } from '../support/gateway.js';

/** Slowloris: what each connection may take is bounded by the chosen limits, however slowly it sends. */
const HEAD_MS = 1_000;
const IDLE_MS = 500;
const KEEP_ALIVE_MS = 1_000;
/** Node looks at the heads each second; the rest is room for a busy machine. */
const LATE_MS = 4_000;

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

/** Sends a byte each 50 ms, for as long as the connection takes them. */
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

async function expectCutInTime(begin: (wire: Wire) => void, refusal: string, limitMs: number): Promise<void> {
  const wire = await Wire.open(gateway.port);
  const beganMs = performance.now();
  begin(wire);
  const answer = await wire.answer();
  expect(refusalIn(answer)).toBe(refusal);
  expect(errorIn(answer).request_id).toBe(answer.headers['x-request-id']);
  expect(performance.now() - beganMs).toBeLessThan(limitMs + LATE_MS);
  wire.close();
}

describe('a head that comes byte by byte is 408 when its limit is over, however steadily it comes', () => {
  test.each([
    ['a request line', `GET /v1/${'x'.repeat(500)}`],
    ['headers', `GET /v1/usage HTTP/1.1\r\n${'X-A: 1\r\n'.repeat(500)}`],
    ['one endless header', `GET /v1/usage HTTP/1.1\r\nX-A: ${'x'.repeat(500)}`],
  ])('%s', async (_what, bytes) => {
    await expectCutInTime((wire) => trickle(wire, bytes, 'x'), '408 request_timeout', HEAD_MS);
  });

  test('also behind a request that was served', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, BODY));
    expect((await wire.answer()).status).toBe(200);
    trickle(wire, 'GET /v1/usage HTTP/1.1\r\nX-A: ', 'x');
    expect(refusalIn(await wire.answer())).toBe('408 request_timeout');
    await wire.closed;
  });

  test('two hundred such connections keep nobody else from being served', async () => {
    const wires = await Promise.all(Array.from({ length: 200 }, () => Wire.open(gateway.port)));
    const trickles = wires.map((wire) => trickle(wire, 'POST /v1/chat/completions HTTP/1.1\r\nX-A: ', 'x'));
    expect((await gateway.chat(key)).status).toBe(200);
    await Promise.all(wires.map((wire) => wire.closed));
    for (const { stop } of trickles) stop();
    expect((await gateway.chat(key)).status).toBe(200);
  });
});

describe('a body', () => {
  const head = (...lines: string[]) => chatHead(key.key, JSON_TYPE, ...lines);

  test.each([
    ['of which nothing comes', () => head('Content-Length: 100')],
    ['that stops', () => `${head('Content-Length: 100')}{"model"`],
    ['that stops among its chunks', () => `${head('Transfer-Encoding: chunked')}5\r\n{"mod`],
    ['that stops in the size of a chunk', () => `${head('Transfer-Encoding: chunked')}5`],
    ['that is whole but for its last chunk', () => `${head('Transfer-Encoding: chunked')}2\r\n{}\r\n`],
    ['for which 100 Continue was granted', () => head('Content-Length: 100', 'Expect: 100-continue')],
  ])('%s is 408 when its limit is over, and counts nowhere', async (_what, bytes) => {
    const wire = await Wire.open(gateway.port);
    const beganMs = performance.now();
    wire.write(bytes());
    let answer = await wire.answer();
    if (answer.status === 100) answer = await wire.answer();
    expect(refusalIn(answer)).toBe('408 request_timeout');
    expect(performance.now() - beganMs).toBeLessThan(IDLE_MS + LATE_MS);
    wire.close();
    expect(gateway.upstream.requests).toHaveLength(0);
    expect((await snapshot(gateway, key)).today.used).toBe(0);
    expect((await gateway.chat(key)).status).toBe(200);
  });

  test('that comes byte by byte is served: the limit is between two pieces', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(head(`Content-Length: ${BODY.length}`));
    trickle(wire, BODY);
    expect((await wire.answer()).status).toBe(200);
    wire.close();
  });

  test('that is refused already is taken for 5 s at most, however steadily it comes', async () => {
    const wire = await Wire.open(gateway.port);
    const beganMs = performance.now();
    wire.write(chatHead(null, JSON_TYPE, 'Content-Length: 100000'));
    const { stop } = trickle(wire, '', ' ');
    expect(refusalIn(await wire.answer())).toBe('401 missing_api_key');
    await wire.closed;
    stop();
    expect(performance.now() - beganMs).toBeLessThan(5_000 + LATE_MS);
  });
});

describe('a connection', () => {
  test('that says nothing at all is closed', async () => {
    const wire = await Wire.open(gateway.port);
    await wire.closed;
  });

  test('that is idle behind an answer is closed when the keep-alive limit is over', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await wire.answer()).status).toBe(200);
    const beganMs = performance.now();
    await wire.closed;
    expect(performance.now() - beganMs).toBeLessThan(KEEP_ALIVE_MS + LATE_MS);
  });

  test('half closed behind its request is one whose client has gone: it is closed, the upstream is told', async () => {
    gateway.upstream.on('POST', '/v1/chat/completions', () => {});
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(chatRequest(key.key, BODY));
    const request = await gateway.upstream.received(0);
    socket.end();
    await request.gone;
    expect(await textOf(socket)).toBe('');
  });
});

test('after all of it no connection is left but those in use', async () => {
  await until(async () => (await connections()) <= 1, 20_000);
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
