import { afterEach, describe, expect, test } from '@jest/globals';
import type { UpstreamExchange } from '../../src/upstream/send-contract.js';
import type { Socket } from 'node:net';
import { rawUpstream, startUpstream } from '../support/scripted-upstream.js';
import { CHAT, CHAT_STREAMED, errorIn, send, startForwarding, type ForwardingApp } from './forwarding-app.js';
import { until } from '../support/until.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const SSE = 'Content-Type: text/event-stream\r\n';

/** The action of the raw upstream when a request has arrived. */
type Fault = readonly [name: string, respond: (socket: Socket) => void];

const beforeTheHead: readonly Fault[] = [
  ['closes before the response headers', (s) => s.end()],
  ['resets before the response headers', (s) => s.resetAndDestroy()],
  ['closes inside the response headers', (s) => s.end(`${OK}Content-`)],
  ['resets inside the response headers', (s) => void s.write(`${OK}Content-`, () => s.resetAndDestroy())],
  ['sends two lengths', (s) => s.end(`${OK}${JSON_TYPE}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}`)],
  [
    'sends a length and chunks',
    (s) => s.end(`${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  ],
  ['sends garbage', (s) => s.end('SSH-2.0-OpenSSH_9.2\r\n\r\n')],
  ['sends bare line feeds', (s) => s.end('HTTP/1.1 200 OK\nContent-Length: 2\n\n{}')],
  ['sends a folded header', (s) => s.end(`${OK}X-A: 1\r\n  2\r\n${JSON_TYPE}Content-Length: 2\r\n\r\n{}`)],
  ['sends NUL in a header', (s) => s.end(`${OK}X-A: a\0b\r\nContent-Length: 2\r\n\r\n{}`)],
  ['sends 100 KB of headers', (s) => s.end(`${OK}X-A: ${'x'.repeat(100_000)}\r\n\r\n`)],
  [
    'upgrades the connection',
    (s) => s.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ],
  ['sends JSON that is shorter than its length', (s) => s.end(`${OK}${JSON_TYPE}Content-Length: 9\r\n\r\n{}`)],
  ['truncates chunked JSON', (s) => s.end(`${OK}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`)],
  [
    'resets JSON without a length',
    (s) => void s.write(`${OK}${JSON_TYPE}\r\n{"a":`, () => later(() => s.resetAndDestroy())),
  ],
];

const inTheStream: readonly Fault[] = [
  ['that is closed between its chunks', (s) => s.end(`${OK}${SSE}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`)],
  [
    'that is reset between its chunks',
    (s) =>
      void s.write(`${OK}${SSE}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`, () => later(() => s.resetAndDestroy())),
  ],
  ['with an invalid chunk size', (s) => s.end(`${OK}${SSE}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n`)],
  ['that is shorter than its length', (s) => s.end(`${OK}${SSE}Content-Length: 9\r\n\r\nabc`)],
  [
    'without a length or chunks that is reset',
    (s) => void s.write(`${OK}${SSE}\r\nabc`, () => later(() => s.resetAndDestroy())),
  ],
];

const whole: readonly Fault[] = [
  ['that is longer than its length', (s) => s.end(`${OK}${JSON_TYPE}Content-Length: 2\r\n\r\n{}{"smuggled":1}`)],
  [
    'after the interim responses 102 and 103',
    (s) =>
      s.end(
        `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`,
      ),
  ],
  ['that ends with its connection', (s) => s.end(`HTTP/1.0 200 OK\r\n${JSON_TYPE}\r\n{}`)],
  [
    'with a status text that is not ASCII',
    (s) => s.end(Buffer.from(`HTTP/1.1 200 caf\xe9\r\n${JSON_TYPE}Content-Length: 2\r\n\r\n{}`, 'latin1')),
  ],
];

describe('broken upstreams', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  async function facing(respond: (socket: Socket) => void, env: Record<string, string> = {}): Promise<ForwardingApp> {
    const upstream = await rawUpstream((socket) => socket.once('data', () => respond(socket)));
    const app = await startForwarding({ url: upstream.url, env: { GW_UPSTREAM_CONNECTIONS: '2', ...env } });
    cleanUps.push(
      () => app.stop(),
      () => upstream.stop(),
    );
    return app;
  }

  async function expectNothingLeft(app: ForwardingApp): Promise<void> {
    await until(() => app.running === 0 && app.first.permits.free === 2);
  }

  test.each(beforeTheHead)('returns 502 and releases the permit if the upstream %s', async (_name, respond) => {
    const app = await facing(respond);
    const got = await send(app.port);
    expect([got.status, errorIn(got).code, errorIn(got).type]).toEqual([502, 'upstream_error', 'api_error']);
    await expectNothingLeft(app);
  });

  test.each(inTheStream)('forwards the beginning of a stream %s and disconnects the client', async (_name, respond) => {
    const app = await facing(respond);
    const got = await send(app.port, { body: CHAT_STREAMED });
    expect([got.status, got.body.toString(), got.cut]).toEqual([200, 'abc', true]);
    await expectNothingLeft(app);
  });

  test.each(whole)('forwards a whole response %s', async (_name, respond) => {
    const app = await facing(respond);
    const got = await send(app.port);
    expect([got.status, got.body.toString(), got.cut]).toEqual([200, '{}', false]);
    await expectNothingLeft(app);
  });

  test('a slow reader gets the whole response even if the upstream has closed the connection', async () => {
    const bytes = Buffer.alloc(300_000, 'x');
    const head = Buffer.from(`${OK}Content-Type: audio/mpeg\r\nContent-Length: ${bytes.length}\r\n\r\n`);
    const { upstream } = await facing((socket) => void socket.end(Buffer.concat([head, bytes])));
    const { outcome, received } = await new Promise<{ outcome: string; received: number }>((resolve) => {
      let received = 0;
      const request = { holder: 'key', method: 'GET', path: '/audio', headers: [], body: null };
      let exchange: UpstreamExchange;
      upstream.send(request, {
        onStart: (started) => (exchange = started),
        onHead: () => {},
        onData: (chunk) => {
          received += chunk.length;
          exchange.pause();
          setTimeout(() => exchange.resume(), 20);
        },
        onEnd: () => resolve({ outcome: 'end', received }),
        onError: (error) => resolve({ outcome: error.message, received }),
      });
    });
    expect([outcome, received]).toEqual(['end', bytes.length]);
  });

  test('a request that has reached the upstream is never sent again', async () => {
    let requests = 0;
    const upstream = await rawUpstream((socket) =>
      socket.on('data', () => {
        requests += 1;
        if (requests % 2 === 1) socket.write(`${OK}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`);
        else socket.destroy();
      }),
    );
    const app = await startForwarding({ url: upstream.url });
    cleanUps.push(
      () => app.stop(),
      () => upstream.stop(),
    );
    expect((await send(app.port, { body: CHAT })).status).toBe(200);
    expect((await send(app.port, { body: CHAT })).status).toBe(502);
    expect((await send(app.port, { method: 'GET', path: '/v1/models' })).status).toBe(200);
    expect((await send(app.port, { method: 'GET', path: '/v1/models' })).status).toBe(502);
    expect(requests).toBe(4);
  });

  test('the breaker opens for an upstream that refuses connections, and closes when it is back', async () => {
    const first = await startUpstream();
    const port = Number(new URL(first.url).port);
    const app = await startForwarding({ url: first.url });
    await first.stop();
    const refused = await send(app.port);
    expect([refused.status, errorIn(refused).code]).toEqual([502, 'upstream_error']);
    while (!app.first.breaker.open) await send(app.port);
    const open = await send(app.port);
    // Only a request without a connection attempt gets this header.
    expect([open.status, open.headers['retry-after']]).toEqual([502, expect.stringMatching(/^[1-4]$/)]);
    const second = await startUpstream(port);
    cleanUps.push(
      () => app.stop(),
      () => second.stop(),
    );
    let status = 0;
    while (status !== 200) ({ status } = await send(app.port));
    expect(app.first.breaker.open).toBe(false);
    expect((await send(app.port)).status).toBe(200);
  });

  test('serves a request if the upstream is back before the last connection attempt', async () => {
    const first = await startUpstream();
    const port = Number(new URL(first.url).port);
    const app = await startForwarding({ url: first.url });
    await first.stop();
    const response = send(app.port);
    await until(() => app.running === 1);
    const second = await startUpstream(port);
    cleanUps.push(
      () => app.stop(),
      () => second.stop(),
    );
    expect((await response).status).toBe(200);
  });
});

describe('upstream timeouts', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  async function limited(respond: (socket: Socket) => void, env: Record<string, string>, scheme = 'http:') {
    const upstream = await rawUpstream((socket) => socket.once('data', () => respond(socket)));
    const url = upstream.url.replace('http:', scheme);
    const app = await startForwarding({ url, env: { GW_UPSTREAM_CONNECTIONS: '1', ...env } });
    cleanUps.push(
      () => app.stop(),
      () => upstream.stop(),
    );
    return { app, upstream };
  }

  test('returns 502 after the head timeout, which interim responses do not extend', async () => {
    const respond = (socket: Socket) => {
      const ticks = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(ticks));
    };
    const { app, upstream } = await limited(respond, { GW_UPSTREAM_HEAD_TIMEOUT_MS: '100' });
    const got = await send(app.port);
    expect([got.status, errorIn(got).message]).toEqual([502, 'The upstream did not respond in time. Try again later.']);
    await until(() => upstream.sockets.size === 0 && app.first.permits.free === 1);
  });

  test('aborts a stream only if the pause between two chunks exceeds the idle timeout', async () => {
    const pieces = [20, 20, 20, 20, 20, 20, 20, 20];
    const respond = (socket: Socket) => {
      socket.write(`${OK}${SSE}Transfer-Encoding: chunked\r\n\r\n`);
      const next = () => {
        const pauseMs = pieces.shift();
        if (pauseMs !== undefined) setTimeout(() => socket.write('1\r\nx\r\n', next), pauseMs);
      };
      next();
    };
    const { app } = await limited(respond, { GW_UPSTREAM_IDLE_TIMEOUT_MS: '100' });
    const got = await send(app.port, { body: CHAT_STREAMED });
    expect([got.status, got.body.toString(), got.cut]).toEqual([200, 'xxxxxxxx', true]);
    await until(() => app.first.permits.free === 1);
  });

  test('returns 502 if the connection takes longer than the connect timeout', async () => {
    const { app } = await limited(() => {}, { GW_UPSTREAM_CONNECT_TIMEOUT_MS: '100' }, 'https:');
    const got = await send(app.port);
    expect([got.status, errorIn(got).code]).toEqual([502, 'upstream_error']);
    await until(() => app.first.permits.free === 1);
  });

  test('returns 503 with Retry-After if no connection becomes free within the timeout', async () => {
    let finish: () => void = () => {};
    const respond = (socket: Socket) => {
      finish = () => socket.end(`${OK}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`);
    };
    const { app } = await limited(respond, { GW_UPSTREAM_CONNECT_TIMEOUT_MS: '150' });
    const first = send(app.port);
    await until(() => app.first.permits.free === 0);
    const late = await send(app.port);
    expect([late.status, errorIn(late).code, late.headers['retry-after']]).toEqual([503, 'service_unavailable', '1']);
    const second = send(app.port);
    await until(() => app.first.permits.waiting === 1);
    finish();
    expect((await first).status).toBe(200);
    await until(() => app.first.permits.waiting === 0);
    finish = () => {};
    await until(() => (finish(), app.running === 0));
    expect((await second).status).toBe(200);
  });
});

const later = (act: () => void): void => void setTimeout(act, 20);
