import { afterEach, describe, expect, test } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import type { Socket } from 'node:net';
import { isGlobalUnicast } from '../../../src/audit/events/public-address.rules.js';
import type { Resolver } from '../../../src/audit/events/delivery/address-checked-connection.js';
import { postWebhook } from '../../../src/audit/events/delivery/post-webhook.js';
import { rawReceiver } from '../../support/webhook-receiver.js';

const LIMITS = { connectMs: 300, headMs: 500, bodyMs: 200 };
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

type Raw = Awaited<ReturnType<typeof rawReceiver>>;
const open: Raw[] = [];
afterEach(async () => {
  for (const raw of open.splice(0)) await raw.stop();
});

async function target(handler?: (socket: Socket) => void): Promise<Raw> {
  const raw = await rawReceiver(handler);
  open.push(raw);
  return raw;
}

const answering = (text: string) => (socket: Socket) => void socket.once('data', () => socket.write(text));
const leadsTo =
  (...addresses: string[]): Resolver =>
  (_name, done) => {
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
    return () => {};
  };

interface Options {
  readonly judge?: (address: string) => boolean;
  readonly resolver?: Resolver;
  readonly stop?: AbortSignal;
  readonly limits?: Partial<typeof LIMITS>;
}
const post = (url: string, { limits, judge = () => true, ...rest }: Options = {}) =>
  postWebhook({ url, headers: {}, body: '{}' }, { judge, limits: { ...LIMITS, ...limits }, ...rest });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it succeeded',
    (error: Error) => error.message,
  );
const BROKEN = '[no response: the connection closed before a response]';
const REJECTED = '[no response: the address is not public]';

describe('private addresses', () => {
  test.each(['http://127.0.0.1', 'https://127.0.0.1', 'http://[::ffff:127.0.0.1]', 'http://2130706433'])(
    'a URL with a private address is rejected without a connection: %s',
    async (origin) => {
      const raw = await target();
      expect(await failureOf(post(`${origin}:${raw.port}/x`, { judge: isGlobalUnicast }))).toBe(REJECTED);
      expect(raw.connections).toBe(0);
    },
  );

  test.each(['http', 'https'])(
    'an %s name that resolves to a private address is rejected without a connection',
    async (scheme) => {
      const raw = await target();
      for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '0.0.0.0', '::1']) {
        const url = `${scheme}://hooks.example.com:${raw.port}/x`;
        expect(await failureOf(post(url, { judge: isGlobalUnicast, resolver: leadsTo(address) }))).toBe(REJECTED);
      }
      expect(raw.connections).toBe(0);
    },
  );

  test('the gateway skips private addresses of a name that also has a public one', async () => {
    const raw = await target(answering(OK));
    const asked: string[] = [];
    const judge = (address: string) => {
      asked.push(address);
      return address === '127.0.0.1';
    };
    const resolver = leadsTo('127.0.0.2', '::1', '127.0.0.1');
    expect(await post(`http://hooks.example.com:${raw.port}/`, { judge, resolver })).toMatchObject({ status: 200 });
    expect(asked).toEqual(['127.0.0.2', '::1', '127.0.0.1', '127.0.0.1']);
    expect(raw.connections).toBe(1);
  });
});

test.each(['http', 'https'])(
  'the remote address of an %s socket is checked before any byte is sent',
  async (scheme) => {
    const bytes: Buffer[] = [];
    const closed = Promise.withResolvers<void>();
    const raw = await target(
      (socket) => void socket.on('data', (chunk: Buffer) => bytes.push(chunk)).on('close', closed.resolve),
    );
    let asked = 0;
    // The resolved address passes, and the socket's remote address does not.
    const judge = () => ++asked === 1;
    const work = post(`${scheme}://hooks.example.com:${raw.port}/`, { judge, resolver: leadsTo('127.0.0.1') });
    expect(await failureOf(work)).toBe(REJECTED);
    await closed.promise;
    expect([raw.connections, asked, bytes]).toEqual([1, 2, []]);
  },
);

test('every message uses a new connection, so that its address is checked', async () => {
  const raw = await target(answering(OK));
  for (let n = 1; n <= 3; n++) {
    expect(await post(`http://127.0.0.1:${raw.port}/`)).toMatchObject({ status: 200, body: Buffer.from('ok') });
    expect(raw.connections).toBe(n);
  }
});

test('concurrent messages to a host name are resolved by the system', async () => {
  const raw = await target(answering(OK));
  const responses = await Promise.all(
    Array.from({ length: 12 }, () =>
      post(`http://localhost:${raw.port}/`, { limits: { connectMs: 3000, headMs: 3000 } }),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(raw.connections).toBe(12);
});

test('HTTPS starts with a TLS handshake that contains the host name', async () => {
  const hello = Promise.withResolvers<Buffer>();
  const raw = await target((socket) =>
    socket.once('data', (chunk: Buffer) => {
      hello.resolve(chunk);
      socket.end('no TLS');
    }),
  );
  const resolver = leadsTo('127.0.0.1');
  expect(await failureOf(post(`https://hooks.example.com:${raw.port}/`, { resolver }))).toBe(
    '[no response: the TLS handshake failed]',
  );
  const bytes = await hello.promise;
  expect([bytes[0], bytes.includes('hooks.example.com'), bytes.includes('POST')]).toEqual([0x16, true, false]);
});

describe('failed receivers', () => {
  test.each<[string, (socket: Socket) => void, string]>([
    ['sends nothing', () => {}, '[no response: the request timed out]'],
    ['never completes its headers', answering('HTTP/1.1 200 OK\r\nx-a: b\r\n'), '[no response: the request timed out]'],
    ['sends only early hints', answering('HTTP/1.1 103 Early Hints\r\n\r\n'), '[no response: the request timed out]'],
    ['closes the connection immediately', (socket) => socket.destroy(), BROKEN],
    ['switches protocols', answering('HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), BROKEN],
    ['sends endless headers', answering(`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(100_000)}`), BROKEN],
  ])('a receiver that %s counts as failed within its timeouts', async (_name, handler, failure) => {
    const raw = await target(handler);
    expect(await failureOf(post(`http://127.0.0.1:${raw.port}/`))).toBe(failure);
  });

  test('a receiver that never completes the TLS handshake times out', async () => {
    const raw = await target();
    const failure = await failureOf(post(`https://127.0.0.1:${raw.port}/`));
    expect(failure).toBe('[no response: the connection timed out]');
  });

  test('a message fails if its host name does not resolve, or does not resolve within the timeout', async () => {
    const left = new Set<string>();
    const silent: Resolver = (name) => () => left.add(name);
    expect(await failureOf(post('http://hooks.example.com/', { resolver: silent }))).toBe(
      '[no response: the connection timed out]',
    );
    expect([...left]).toEqual(['hooks.example.com']);
    const unknown: Resolver = (_name, done) => {
      done(new Error('ENOTFOUND'), []);
      return () => {};
    };
    expect(await failureOf(post('http://hooks.example.com/', { resolver: unknown }))).toBe(
      '[no response: the host name could not be resolved]',
    );
    expect(await failureOf(post('http://hooks.example.com/', { resolver: leadsTo() }))).toBe(
      '[no response: the host name could not be resolved]',
    );
  });

  test('shutdown aborts a message that is waiting for its response', async () => {
    const stop = new AbortController();
    const raw = await target(() => stop.abort(new Error('stopped')));
    await failureOf(post(`http://127.0.0.1:${raw.port}/`, { stop: stop.signal, limits: { headMs: 10_000 } }));
  });
});

describe('response bodies', () => {
  test('only the first 4 KiB of an endless response body are read', async () => {
    const raw = await target((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n');
        const more = () => void (socket.destroyed || socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`, more));
        more();
      }),
    );
    const { status, body } = await post(`http://127.0.0.1:${raw.port}/`);
    expect([status, body.length]).toEqual([500, 4096]);
  });

  test.each<[string, string]>([
    ['stalls', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\npart'],
    ['never ends', 'HTTP/1.1 200 OK\r\n\r\npart'],
  ])('the response status counts even if the body %s', async (_name, text) => {
    const raw = await target(answering(text));
    const { status, body } = await post(`http://127.0.0.1:${raw.port}/`);
    expect([status, body.toString()]).toEqual([200, 'part']);
  });

  test('the response status counts even if the body is truncated', async () => {
    const raw = await target((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\npart')),
    );
    const { status, body } = await post(`http://127.0.0.1:${raw.port}/`);
    expect([status, body.toString()]).toEqual([200, 'part']);
  });
});
