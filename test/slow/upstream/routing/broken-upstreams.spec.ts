import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { RawProvider } from '../../../../sandbox/src/scripted/raw-provider.js';
import { snapshot } from '../../../support/responses.js';
import type { Key } from '../../../support/gateway.js';
import { chatCompletion } from '../../../support/scripted-upstream-responses.js';
import { rawUpstream } from '../../../support/scripted-upstream.js';
import { until } from '../../../support/until.js';
import { RoutedGateway } from '../../../upstream/routing/routed-gateway.js';

const MODELS = { models: ['gpt-4o-mini'] };
const HEAD_MS = 300;
const PATIENT = { connect_ms: 60_000, head_ms: 60_000 };
const COMPLETION = JSON.stringify(chatCompletion('gpt-4o-mini'));
const complete = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${COMPLETION.length}\r\n\r\n${COMPLETION}`;

/** A first upstream whose sockets do what the test says, and a second one that serves. */
class BrokenFirst {
  behave: (socket: Socket) => void = () => {};
  private constructor(
    readonly routed: RoutedGateway,
    readonly key: Key,
    readonly raw: RawProvider,
  ) {}

  static async start(fields: Record<string, unknown> = {}, env: Record<string, string> = {}): Promise<BrokenFirst> {
    const holder: { broken: BrokenFirst | null } = { broken: null };
    const raw = await rawUpstream((socket) => holder.broken?.behave(socket));
    const routed = await RoutedGateway.start(
      {
        upstreams: [
          { name: 'first', base_url: raw.url, ...MODELS, ...fields },
          { name: 'second', ...MODELS, timeouts: PATIENT },
        ],
      },
      { GW_UPSTREAM_CONNECT_TIMEOUT_MS: '500', GW_UPSTREAM_HEAD_TIMEOUT_MS: String(HEAD_MS), ...env },
    );
    return (holder.broken = new BrokenFirst(routed, await routed.gateway.createKey(), raw));
  }

  async chat(fields: Record<string, unknown> = {}) {
    const response = await this.routed.gateway.chat(this.key, fields);
    return { response, outcome: [response.status, response.headers.get('x-gw-upstream')] };
  }

  /** Forgets the connections too, so that the next request opens one. */
  reset(): void {
    this.routed.reset();
    for (const socket of this.raw.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    await this.routed.stop();
    await this.raw.stop();
  }
}

const afterRequest = (work: (socket: Socket) => void) => (socket: Socket) =>
  void socket.once('data', () => work(socket));

describe('a first upstream that cannot be reached', () => {
  let broken: BrokenFirst;
  beforeAll(async () => {
    broken = await BrokenFirst.start({ connections: 1, timeouts: PATIENT });
  });
  afterEach(() => broken.routed.idle());
  afterAll(() => broken.stop());

  test('a refused connection moves the request, without the pauses of a retry', async () => {
    await broken.raw.stop();
    broken.reset();
    const { outcome, response } = await broken.chat();
    expect(outcome).toEqual([200, 'second']);
    const { attempts } = await broken.routed.logOf(response);
    expect(attempts?.map(({ upstream, status, error }) => [upstream, status, error])).toEqual([
      ['first', null, 'connect'],
      ['second', 200, null],
    ]);
    await broken.raw.restart();
  });

  test('an open circuit breaker moves the request at once, and the first upstream serves again after its return', async () => {
    await broken.raw.stop();
    broken.reset();
    for (let sent = 0; sent < 8; sent++) expect((await broken.chat()).outcome).toEqual([200, 'second']);
    expect(broken.routed.upstream('first').breaker.open).toBe(true);
    const { response } = await broken.chat();
    const { attempts } = await broken.routed.logOf(response);
    expect(attempts?.map(({ upstream }) => upstream)).toEqual(['second']);
    await broken.raw.restart();
    broken.behave = afterRequest((socket) => socket.write(complete));
    await until(async () => (await broken.chat()).outcome[1] === 'first');
    expect(broken.routed.upstream('first').breaker.open).toBe(false);
  });

  test('a busy upstream does not hold up a request that another one can serve', async () => {
    broken.reset();
    // It responds only after the others, so they would wait forever for its connection.
    const held = new Promise<Socket>((resolve) => (broken.behave = afterRequest(resolve)));
    const first = broken.chat();
    const socket = await held;
    const others = await Promise.all([broken.chat(), broken.chat(), broken.chat()]);
    expect(others.map(({ outcome }) => outcome)).toEqual(others.map(() => [200, 'second']));
    socket.write(complete);
    expect((await first).outcome).toEqual([200, 'first']);
  });
});

describe('a first upstream that hangs while it connects', () => {
  let broken: BrokenFirst;
  beforeAll(async () => {
    const mute = await rawUpstream(() => {});
    broken = await BrokenFirst.start({ base_url: mute.url.replace('http:', 'https:') });
    await mute.stop();
    await mute.restart();
    muteStop = () => mute.stop();
  });
  let muteStop: () => Promise<void>;
  afterAll(async () => {
    await broken.stop();
    await muteStop();
  });

  test('moves the request after the connect timeout, and releases the connection', async () => {
    const { outcome, response } = await broken.chat();
    expect(outcome).toEqual([200, 'second']);
    const { attempts } = await broken.routed.logOf(response);
    expect(attempts?.[0]).toMatchObject({ upstream: 'first', status: null, error: 'connect' });
    await broken.routed.idle();
  });
});

describe('a first upstream that might have processed the request', () => {
  let broken: BrokenFirst;
  beforeAll(async () => {
    broken = await BrokenFirst.start();
  });
  afterEach(() => broken.routed.idle());
  afterAll(() => broken.stop());

  test.each([
    ['resets the connection without reading', (socket: Socket) => void setImmediate(() => socket.resetAndDestroy())],
    ['resets the connection after the request', afterRequest((socket) => socket.resetAndDestroy())],
    ['closes the connection after the request', afterRequest((socket) => socket.destroy())],
    ['cuts the response headers', afterRequest((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'))],
    ['does not answer', () => {}],
    ['answers with something else than HTTP', afterRequest((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))],
  ])('a first upstream that %s is not followed by another one', async (_, behave) => {
    broken.reset();
    broken.behave = behave;
    for (const stream of [false, true]) {
      const { outcome, response } = await broken.chat({ stream });
      expect(outcome).toEqual([502, 'first']);
      expect(broken.routed.counts()['second']).toBe(0);
      const { attempts, upstream } = await broken.routed.logOf(response);
      expect([upstream, attempts?.length, attempts?.[0]?.status]).toEqual(['first', 1, null]);
    }
  });

  test('an upstream gets no requests for a while after two timeouts in a row, and serves again later', async () => {
    broken.reset();
    broken.behave = () => {};
    const outcomes = [];
    for (let sent = 0; sent < 5; sent++) outcomes.push((await broken.chat()).outcome);
    expect(outcomes).toEqual([
      [502, 'first'],
      [502, 'first'],
      [200, 'second'],
      [200, 'second'],
      [200, 'second'],
    ]);
    broken.behave = afterRequest((socket) => socket.write(complete));
    await until(async () => (await broken.chat()).outcome[1] === 'first');
  });

  test.each([false, true])(
    'a request whose response is interrupted after the headers is not repeated (stream: %s)',
    async (stream) => {
      broken.reset();
      const type = stream ? 'text/event-stream' : 'application/json';
      broken.behave = afterRequest((socket) =>
        socket.end(
          `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: 500\r\n\r\n${stream ? 'data: {}\n\n' : '{"id"'}`,
        ),
      );
      const sent = broken.chat({ stream });
      if (stream) await expect(sent).rejects.toThrow();
      else expect((await sent).outcome).toEqual([502, 'first']);
      expect(broken.routed.counts()['second']).toBe(0);
    },
  );
});

describe('a first upstream whose requests can be repeated', () => {
  let broken: BrokenFirst;
  beforeAll(async () => {
    broken = await BrokenFirst.start({ repeat_sent: true });
  });
  afterEach(() => broken.routed.idle());
  afterAll(() => broken.stop());

  test.each([
    ['resets the connection', afterRequest((socket) => socket.resetAndDestroy()), 'reset'],
    ['cuts the response headers', afterRequest((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty')), 'reset'],
    ['does not answer', () => {}, 'head_timeout'],
    ['answers 500', afterRequest((socket) => socket.end('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n')), 500],
    ['answers 502', afterRequest((socket) => socket.end('HTTP/1.1 502 No\r\ncontent-length: 0\r\n\r\n')), 502],
    ['answers 504', afterRequest((socket) => socket.end('HTTP/1.1 504 No\r\ncontent-length: 0\r\n\r\n')), 504],
  ])('a first upstream that %s is followed by the next one, and the request counts once', async (_, behave, reason) => {
    for (const stream of [false, true]) {
      broken.reset();
      broken.behave = behave;
      const key = await broken.routed.gateway.createKey({ monthly_limit: 100 });
      const response = await broken.routed.gateway.chat(key, { stream });
      expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'second']);
      const { attempts, upstream, input_tokens, output_tokens, usage_source } = await broken.routed.logOf(response);
      expect(attempts?.map(({ status, error }) => status ?? error)).toEqual([reason, 200]);
      expect([upstream, input_tokens, output_tokens, usage_source]).toEqual(
        stream ? ['second', expect.any(Number), expect.any(Number), expect.any(String)] : ['second', 9, 3, 'reported'],
      );
      const { today, this_month: month } = await snapshot(broken.routed.gateway, key);
      expect([today.used, month.requests.used]).toEqual([1, 1]);
    }
  });

  test.each([400, 404, 422])('a status of %s is final, and the request is not repeated', async (status) => {
    broken.reset();
    broken.behave = afterRequest((socket) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`));
    expect((await broken.chat()).outcome).toEqual([502, 'first']);
    expect(broken.routed.counts()['second']).toBe(0);
  });
});

describe('429 with a body that never ends', () => {
  let broken: BrokenFirst;
  beforeAll(async () => {
    broken = await BrokenFirst.start();
  });
  afterAll(() => broken.stop());

  test.each([
    ['quickly', 1],
    ['slowly', 100],
  ])(
    'a request is served by the next upstream immediately, and the connection is released (sent %s)',
    async (_, everyMs) => {
      broken.reset();
      const timers = new Set<NodeJS.Timeout>();
      broken.behave = afterRequest((socket) => {
        socket.write('HTTP/1.1 429 No\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n');
        const chunk = everyMs === 1 ? `4000\r\n${'x'.repeat(0x4000)}\r\n` : '1\r\nx\r\n';
        const timer = setInterval(() => socket.write(chunk), everyMs);
        timers.add(timer);
        socket.on('close', () => clearInterval(timer));
      });
      expect((await broken.chat()).outcome).toEqual([200, 'second']);
      await broken.routed.idle();
      for (const timer of timers) clearInterval(timer);
    },
  );
});

describe('64 upstreams that are down', () => {
  test('a request fails with an attempt for each', async () => {
    const raw = await rawUpstream(() => {});
    const names = Array.from({ length: 64 }, (_, at) => `up-${at}`);
    const routed = await RoutedGateway.start({
      upstreams: names.map((name) => ({ name, base_url: raw.url, ...MODELS })),
    });
    await raw.stop();
    const key = await routed.gateway.createKey();
    const response = await routed.gateway.chat(key);
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([502, 'up-63']);
    const { attempts, upstream } = await routed.logOf(response);
    expect([upstream, attempts?.map((attempt) => attempt.upstream)]).toEqual(['up-63', names]);
    await routed.idle();
    await routed.stop();
  });
});
