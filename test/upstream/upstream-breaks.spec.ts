import { afterEach, describe, expect, test } from '@jest/globals';
import type { UpstreamExchange } from '../../src/upstream/upstream-exchange.js';
import type { Socket } from 'node:net';
import { rawUpstream, startUpstream } from '../support/scripted-upstream.js';
import { CHAT, CHAT_STREAMED, errorIn, send, startForwarding, type ForwardingApp } from './forwarding-app.js';
import { until } from '../support/until.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const SSE = 'Content-Type: text/event-stream\r\n';

/** What the raw upstream does once a request has come, and what the client has to see. */
type Fault = readonly [name: string, answer: (socket: Socket) => void];

const beforeTheHead: readonly Fault[] = [
  ['closes before the head', (s) => s.end()],
  ['resets before the head', (s) => s.resetAndDestroy()],
  ['closes in the head', (s) => s.end(`${OK}Content-`)],
  ['resets in the head', (s) => void s.write(`${OK}Content-`, () => s.resetAndDestroy())],
  ['two lengths', (s) => s.end(`${OK}${JSON_TYPE}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}`)],
  [
    'a length and chunks',
    (s) => s.end(`${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  ],
  ['garbage', (s) => s.end('SSH-2.0-OpenSSH_9.2\r\n\r\n')],
  ['bare line feeds', (s) => s.end('HTTP/1.1 200 OK\nContent-Length: 2\n\n{}')],
  ['a folded header', (s) => s.end(`${OK}X-A: 1\r\n  2\r\n${JSON_TYPE}Content-Length: 2\r\n\r\n{}`)],
  ['NUL in a header', (s) => s.end(`${OK}X-A: a\0b\r\nContent-Length: 2\r\n\r\n{}`)],
  ['a head of 100 KB', (s) => s.end(`${OK}X-A: ${'x'.repeat(100_000)}\r\n\r\n`)],
  ['an upgrade', (s) => s.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')],
  ['JSON shorter than announced', (s) => s.end(`${OK}${JSON_TYPE}Content-Length: 9\r\n\r\n{}`)],
  ['chunked JSON cut', (s) => s.end(`${OK}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`)],
  [
    'JSON without length, reset',
    (s) => void s.write(`${OK}${JSON_TYPE}\r\n{"a":`, () => later(() => s.resetAndDestroy())),
  ],
];

const inTheStream: readonly Fault[] = [
  ['closed among its chunks', (s) => s.end(`${OK}${SSE}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`)],
  [
    'reset among its chunks',
    (s) =>
      void s.write(`${OK}${SSE}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`, () => later(() => s.resetAndDestroy())),
  ],
  ['a bad chunk size', (s) => s.end(`${OK}${SSE}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n`)],
  ['shorter than announced', (s) => s.end(`${OK}${SSE}Content-Length: 9\r\n\r\nabc`)],
  [
    'without length or chunks, reset',
    (s) => void s.write(`${OK}${SSE}\r\nabc`, () => later(() => s.resetAndDestroy())),
  ],
];

const whole: readonly Fault[] = [
  ['longer than announced', (s) => s.end(`${OK}${JSON_TYPE}Content-Length: 2\r\n\r\n{}{"smuggled":1}`)],
  [
    '102 and 103 before the head',
    (s) =>
      s.end(
        `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`,
      ),
  ],
  ['ended by the end of the connection', (s) => s.end(`HTTP/1.0 200 OK\r\n${JSON_TYPE}\r\n{}`)],
  [
    'a status text that is no ASCII',
    (s) => s.end(Buffer.from(`HTTP/1.1 200 caf\xe9\r\n${JSON_TYPE}Content-Length: 2\r\n\r\n{}`, 'latin1')),
  ],
];

describe('an upstream that breaks', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  async function facing(answer: (socket: Socket) => void, env: Record<string, string> = {}): Promise<ForwardingApp> {
    const upstream = await rawUpstream((socket) => socket.once('data', () => answer(socket)));
    const app = await startForwarding({ url: upstream.url, env: { GW_UPSTREAM_CONNECTIONS: '2', ...env } });
    cleanUps.push(
      () => app.stop(),
      () => upstream.stop(),
    );
    return app;
  }

  async function expectNothingLeft(app: ForwardingApp): Promise<void> {
    await until(() => app.running === 0 && app.upstream.state().freeConnections === 2);
  }

  test.each(beforeTheHead)('%s: 502, and the permit comes back', async (_name, answer) => {
    const app = await facing(answer);
    const got = await send(app.port);
    expect([got.status, errorIn(got).code, errorIn(got).type]).toEqual([502, 'upstream_error', 'api_error']);
    await expectNothingLeft(app);
  });

  test.each(inTheStream)('a stream %s: what came goes out, then the client is cut', async (_name, answer) => {
    const app = await facing(answer);
    const got = await send(app.port, { body: CHAT_STREAMED });
    expect([got.status, got.body.toString(), got.cut]).toEqual([200, 'abc', true]);
    await expectNothingLeft(app);
  });

  test.each(whole)('%s: a whole answer', async (_name, answer) => {
    const app = await facing(answer);
    const got = await send(app.port);
    expect([got.status, got.body.toString(), got.cut]).toEqual([200, '{}', false]);
    await expectNothingLeft(app);
  });

  test('a whole answer with a length is whole though the upstream closed while its client was slow', async () => {
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

  test('a request that had reached the upstream is never sent a second time', async () => {
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

  test('one that refuses connections: tried again, 502, then the breaker, then served again once it is back', async () => {
    const first = await startUpstream();
    const port = Number(new URL(first.url).port);
    const app = await startForwarding({ url: first.url });
    await first.stop();
    const refused = await send(app.port);
    expect([refused.status, errorIn(refused).code]).toEqual([502, 'upstream_error']);
    while (!app.upstream.state().breakerOpen) await send(app.port);
    const startedAt = performance.now();
    const open = await send(app.port);
    expect([open.status, open.headers['retry-after']]).toEqual([502, expect.stringMatching(/^[1-4]$/)]);
    // The tries alone would take 300 ms.
    expect(performance.now() - startedAt).toBeLessThan(250);
    const second = await startUpstream(port);
    cleanUps.push(
      () => app.stop(),
      () => second.stop(),
    );
    let status = 0;
    while (status !== 200) ({ status } = await send(app.port));
    expect(app.upstream.state().breakerOpen).toBe(false);
    expect((await send(app.port)).status).toBe(200);
  });

  test('one that is back within the tries is answered from, without an error', async () => {
    const first = await startUpstream();
    const port = Number(new URL(first.url).port);
    const app = await startForwarding({ url: first.url });
    await first.stop();
    const answer = send(app.port);
    await until(() => app.running === 1);
    const second = await startUpstream(port);
    cleanUps.push(
      () => app.stop(),
      () => second.stop(),
    );
    expect((await answer).status).toBe(200);
  });
});

describe('time limits towards the upstream', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  async function limited(answer: (socket: Socket) => void, env: Record<string, string>, scheme = 'http:') {
    const upstream = await rawUpstream((socket) => socket.once('data', () => answer(socket)));
    const url = upstream.url.replace('http:', scheme);
    const app = await startForwarding({ url, env: { GW_UPSTREAM_CONNECTIONS: '1', ...env } });
    cleanUps.push(
      () => app.stop(),
      () => upstream.stop(),
    );
    return { app, upstream };
  }

  test('no head in time: 502, the upstream connection is closed; interim answers buy no time', async () => {
    const answer = (socket: Socket) => {
      const ticks = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(ticks));
    };
    const { app, upstream } = await limited(answer, { GW_UPSTREAM_HEAD_TIMEOUT_MS: '100' });
    const got = await send(app.port);
    expect([got.status, errorIn(got).message]).toEqual([502, 'The upstream did not answer in time.']);
    await until(() => upstream.sockets.size === 0 && app.upstream.state().freeConnections === 1);
  });

  test('silence between two chunks cuts the stream, chunks that keep coming do not', async () => {
    const pieces = [20, 20, 20, 20, 20, 20, 20, 20];
    const answer = (socket: Socket) => {
      socket.write(`${OK}${SSE}Transfer-Encoding: chunked\r\n\r\n`);
      const next = () => {
        const pauseMs = pieces.shift();
        if (pauseMs !== undefined) setTimeout(() => socket.write('1\r\nx\r\n', next), pauseMs);
      };
      next();
    };
    const { app } = await limited(answer, { GW_UPSTREAM_IDLE_TIMEOUT_MS: '100' });
    const got = await send(app.port, { body: CHAT_STREAMED });
    expect([got.status, got.body.toString(), got.cut]).toEqual([200, 'xxxxxxxx', true]);
    await until(() => app.upstream.state().freeConnections === 1);
  });

  test('a connection that is not made in time is 502', async () => {
    const { app } = await limited(() => {}, { GW_UPSTREAM_CONNECT_TIMEOUT_MS: '100' }, 'https:');
    const got = await send(app.port);
    expect([got.status, errorIn(got).code]).toEqual([502, 'upstream_error']);
    await until(() => app.upstream.state().freeConnections === 1);
  });

  test('a wait for a free connection that takes too long is 503 with Retry-After, in time it is served', async () => {
    let finish: () => void = () => {};
    const answer = (socket: Socket) => {
      finish = () => socket.end(`${OK}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`);
    };
    const { app } = await limited(answer, { GW_UPSTREAM_CONNECT_TIMEOUT_MS: '150' });
    const first = send(app.port);
    await until(() => app.upstream.state().freeConnections === 0);
    const late = await send(app.port);
    expect([late.status, errorIn(late).code, late.headers['retry-after']]).toEqual([503, 'service_unavailable', '1']);
    const second = send(app.port);
    await until(() => app.upstream.state().waiting === 1);
    finish();
    expect((await first).status).toBe(200);
    await until(() => app.upstream.state().waiting === 0);
    finish = () => {};
    await until(() => (finish(), app.running === 0));
    expect((await second).status).toBe(200);
  });
});

const later = (act: () => void): void => void setTimeout(act, 20);
