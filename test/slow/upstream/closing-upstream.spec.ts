import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { fakeOnly } from '../../support/fake-timers.js';
import { rawUpstream } from '../../support/scripted-upstream.js';
import { CHAT, CHAT_STREAMED, send, startForwarding, type ForwardingApp } from '../../upstream/forwarding-app.js';
import { until } from '../../support/until.js';

const CHUNKED = 'Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n';
const STREAM = `HTTP/1.1 200 OK\r\n${CHUNKED}\r\ne\r\ndata: [DONE]\n\n\r\n0\r\n\r\n`;
const JSON_RESPONSE = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
const withHeader = (line: string) => JSON_RESPONSE.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`);

/** An upstream that writes `response` for each request and then acts on the connection. */
interface Closing {
  readonly response: string;
  /** @param requests number of requests on this connection so far */
  readonly close: (socket: Socket, requests: number) => void;
}

const CLOSING: readonly (readonly [what: string, closing: Closing])[] = [
  ['after each stream', { response: STREAM, close: (socket) => socket.end() }],
  ['after each JSON response', { response: JSON_RESPONSE, close: (socket) => socket.end() }],
  ['1 to 5 ms after each response', { response: JSON_RESPONSE, close: later((socket) => socket.end()) }],
  [
    'after its third response',
    { response: JSON_RESPONSE, close: (socket, requests) => requests === 3 && socket.end() },
  ],
  ['with a reset', { response: STREAM, close: (socket) => socket.write('', () => socket.resetAndDestroy()) }],
  [
    'with a reset 1 to 5 ms after each response',
    { response: JSON_RESPONSE, close: later((socket) => socket.resetAndDestroy()) },
  ],
  ['after a Connection: close', { response: withHeader('Connection: close'), close: (socket) => socket.end() }],
];

const ask = ({ upstream }: ForwardingApp, body: Buffer | null = null) =>
  new Promise<void>((resolve, reject) => {
    const request = { holder: 'key', method: body === null ? 'GET' : 'POST', path: '/models', headers: [], body };
    upstream.send(request, { onStart: () => {}, onHead: () => {}, onData: () => {}, onEnd: resolve, onError: reject });
  });

const together = (app: ForwardingApp, count: number) => Promise.all(Array.from({ length: count }, () => ask(app)));

/** Opens connections that the next requests reuse, and one that shows how long the upstream keeps them. Needs a fake `setInterval`. */
async function reusable(app: ForwardingApp, count: number): Promise<void> {
  await ask(app);
  jest.advanceTimersByTime(200);
  await together(app, count);
  jest.advanceTimersByTime(100);
}

interface ResettableHandle {
  reset(done: () => void): void;
}

/** Unlike `resetAndDestroy`, it does not wait for the end of the current turn. */
const resetNow = (socket: Socket): void => (Reflect.get(socket, '_handle') as ResettableHandle).reset(() => {});

function later(act: (socket: Socket) => void): Closing['close'] {
  let times = 0;
  return (socket) => setTimeout(() => act(socket), 1 + (times++ % 5));
}

describe('upstreams that close their connections', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    jest.useRealTimers();
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  async function facing({ response, close }: Closing, env: Record<string, string> = {}) {
    const seen = { requests: 0, connections: 0, most: 0, sockets: [] as Socket[], used: [] as Socket[] };
    const upstream = await rawUpstream((socket) => {
      let requests = 0;
      seen.connections += 1;
      seen.most = Math.max(seen.most, upstream.sockets.size);
      seen.sockets.push(socket);
      socket.on('data', () => {
        seen.requests += 1;
        requests += 1;
        seen.used.push(socket);
        socket.write(response);
        close(socket, requests);
      });
    });
    const app = await startForwarding({ url: upstream.url, env });
    cleanUps.push(
      () => app.stop(),
      () => upstream.stop(),
    );
    return { app, upstream, seen };
  }

  /**
   * An upstream that closes connections after this idle time. The close takes 30 ms to arrive. A request that is written in the
   * meantime is lost, as on a slow network.
   */
  async function closingIdle(idleMs: number) {
    const seen = { requests: 0, lost: 0, connections: 0 };
    const upstream = await rawUpstream((socket) => {
      seen.connections += 1;
      let isClosed = false;
      let timer: NodeJS.Timeout | undefined;
      socket.on('close', () => clearTimeout(timer));
      socket.on('data', () => {
        clearTimeout(timer);
        if (isClosed) {
          seen.lost += 1;
          return socket.resetAndDestroy();
        }
        seen.requests += 1;
        socket.write(JSON_RESPONSE);
        timer = setTimeout(() => {
          isClosed = true;
          timer = setTimeout(() => socket.end(), 30);
        }, idleMs);
      });
    });
    const app = await startForwarding({ url: upstream.url });
    cleanUps.push(
      () => app.stop(),
      () => upstream.stop(),
    );
    return { app, seen };
  }

  test.each([20, 90, 130, 200, 400, 700])(
    'an upstream that closes connections after %d ms without a request loses none, whatever the pauses are',
    async (idleMs) => {
      const { app, seen } = await closingIdle(idleMs);
      const client = async (offset: number) => {
        for (let at = 0; at < 24; at++) {
          expect((await send(app.port)).status).toBe(200);
          // Pauses from 0 to a bit more than the idle time, and most often close to it.
          const share = [1, 1.02, 0.5, 1.04, 0.98, 0.2, 1.06, 0][(at + offset) % 8]!;
          await new Promise((resolve) => setTimeout(resolve, idleMs * share + (at % 5) * 5));
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, offset) => client(offset)));
      expect(seen).toMatchObject({ requests: 192, lost: 0 });
    },
    60_000,
  );

  /** Runs eight clients that send one request after the other. Returns how often each status occurred. */
  async function statuses(app: ForwardingApp, body: unknown, times = 12): Promise<Record<string, number>> {
    const tally: Record<string, number> = {};
    const client = async () => {
      for (let at = 0; at < times; at++) {
        const { status, cut } = await send(app.port, { body });
        const outcome = cut ? 'cut' : String(status);
        tally[outcome] = (tally[outcome] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    return tally;
  }

  test.each(CLOSING)(
    'an upstream that closes connections %s gets each request exactly once',
    async (_what, closing) => {
      const { app, seen } = await facing(closing);
      expect(await statuses(app, closing.response === STREAM ? CHAT_STREAMED : CHAT)).toEqual({ 200: 96 });
      expect(seen.requests).toBe(96);
    },
  );

  test('never opens more connections than GW_UPSTREAM_CONNECTIONS allows', async () => {
    const { app, seen } = await facing({ response: JSON_RESPONSE, close: () => {} }, { GW_UPSTREAM_CONNECTIONS: '4' });
    expect(await statuses(app, CHAT)).toEqual({ 200: 96 });
    // The upstream still counts some connections that the gateway has already closed.
    expect(seen.most).toBeLessThanOrEqual(8);
  });

  test('no request is lost while all GW_UPSTREAM_CONNECTIONS are in use', async () => {
    const { app } = await facing(CLOSING[0]![1], { GW_UPSTREAM_CONNECTIONS: '4' });
    expect(await statuses(app, CHAT_STREAMED)).toEqual({ 200: 96 });
  });

  test('uses another connection if an idle one was reset before the request was written', async () => {
    fakeOnly('setInterval', 'clearInterval');
    const { app, seen } = await facing({ response: JSON_RESPONSE, close: () => {} });
    // Six is more than the five failures to connect that would open the circuit breaker.
    await reusable(app, 6);
    await new Promise<unknown>((resolve, reject) => {
      // In this phase of the event loop, the connection is checked again before the request is written.
      setImmediate(() => {
        together(app, 6).then(resolve, reject);
        for (const socket of seen.sockets) socket.resetAndDestroy();
      });
    });
    expect([seen.requests, seen.connections]).toEqual([13, 13]);
  });

  test.each([null, Buffer.alloc(100_000, ' ')])(
    'sends a request on another connection if the operating system rejects all its bytes, as after a reset (%#)',
    async (body) => {
      fakeOnly('setInterval', 'clearInterval');
      const { app, seen } = await facing({ response: JSON_RESPONSE, close: () => {} });
      await reusable(app, 1);
      let resets = 0;
      // Published immediately before undici writes, so that it cannot see the reset.
      const reset = () => {
        if (++resets === 1) resetNow(seen.sockets.at(-1)!);
      };
      subscribe('undici:client:sendHeaders', reset);
      try {
        await ask(app, body);
      } finally {
        unsubscribe('undici:client:sendHeaders', reset);
      }
      expect([resets, seen.connections]).toEqual([2, 3]);
      expect(app.first.failures.reset).toBe(0);
    },
  );

  test('keeps idle connections no longer than the upstream’s Keep-Alive header allows', async () => {
    const { app, upstream, seen } = await facing({ response: withHeader('Keep-Alive: timeout=1'), close: () => {} });
    expect((await send(app.port)).status).toBe(200);
    await until(() => upstream.sockets.size === 0);
    expect((await send(app.port)).status).toBe(200);
    expect(seen.connections).toBe(2);
  });

  test('reuses connections without a pause once the upstream is known to keep them', async () => {
    const { app, seen } = await facing({ response: JSON_RESPONSE, close: () => {} });
    let sent = 0;
    const client = async () => {
      while (sent++ < 2_000) await ask(app);
    };
    await Promise.all(Array.from({ length: 16 }, client));
    // At most 128 connections rest, in addition to those in use.
    expect(seen.connections).toBeLessThanOrEqual(16 + 128);
    const usesOneTwice = async () => {
      await ask(app);
      await ask(app);
      return seen.used.at(-1) === seen.used.at(-2);
    };
    await until(usesOneTwice);
    const before = { ...seen };
    seen.used = [];
    for (let times = 0; times < 20; times++) await ask(app);
    expect([seen.connections - before.connections, new Set(seen.used).size]).toEqual([0, 1]);
  });
});
