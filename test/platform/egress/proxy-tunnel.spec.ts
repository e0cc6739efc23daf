import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Config } from '../../../src/platform/config/config.js';
import { proxyFor, type EgressProxy } from '../../../src/platform/egress/egress-proxy.js';
import { openTunnel } from '../../../src/platform/egress/proxy-tunnel.js';
import { CertificateAuthority, type Certificate } from '../../support/certificates.js';
import { until } from '../../support/until.js';
import { RawProxy } from '../../support/raw-proxy.js';

const TARGET = { host: 'target.test', port: 443 };
const TIMEOUT_MS = 5_000;
const SHORT_MS = 150;
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

let folder: string;
let certificate: Certificate;
const roots = getCACertificates('default');
const proxies: RawProxy[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-tunnel-'));
  const authority = CertificateAuthority.create(folder, 'authority');
  certificate = authority.issue('127.0.0.1');
  setDefaultCACertificates([...roots, authority.cert]);
});
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.stop())));
afterAll(() => {
  setDefaultCACertificates(roots);
  rmSync(folder, { recursive: true });
});

async function start(behavior: (socket: Socket, head: string) => void, secure = false): Promise<RawProxy> {
  const { cert, key } = certificate;
  const proxy = await RawProxy.start(behavior, secure ? { cert, key } : undefined);
  proxies.push(proxy);
  return proxy;
}

function settingsOf({ port }: RawProxy, credential = '', scheme = 'http'): EgressProxy {
  const config = Config.from({ GW_EGRESS_PROXY: `${scheme}://${credential}127.0.0.1:${port}` });
  return proxyFor(config, new URL('https://target.test'))!;
}

const open = (proxy: RawProxy, timeoutMs = TIMEOUT_MS, scheme = 'http') =>
  openTunnel(settingsOf(proxy, '', scheme), TARGET, timeoutMs).opened;

const problemOf = (proxy: RawProxy, timeoutMs = TIMEOUT_MS): Promise<string> =>
  open(proxy, timeoutMs).then(
    () => 'opened',
    (error: Error) => `${error.message} | ${String(error.cause)} | ${Object.keys(error).join()}`,
  );

/** Reads until the other end closes. */
async function allOf(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'close');
  return text;
}

async function writeSlowly(socket: Socket, text: string): Promise<void> {
  for (const byte of Buffer.from(text, 'latin1')) {
    if (socket.destroyed) return;
    socket.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe.each(['http', 'https'])('a tunnel through an %s proxy', (scheme) => {
  const secure = scheme === 'https';

  test.each([
    ['', 'the status line alone'],
    ['Content-Length: 5\r\n', 'a content length, which has no meaning here'],
    ['Transfer-Encoding: chunked\r\n', 'a transfer encoding, which has no meaning here'],
    ['Connection: close\r\nProxy-Agent: x\r\n', 'other headers'],
  ])('keeps bytes that follow the response (%j: %s)', async (headers) => {
    const proxy = await start((socket) => socket.end(`HTTP/1.1 200 OK\r\n${headers}\r\n5\r\nFIRST bytes`), secure);
    const socket = await open(proxy, TIMEOUT_MS, scheme);
    expect(await allOf(socket)).toBe('5\r\nFIRST bytes');
  });

  test('keeps every byte of a response that arrives byte by byte', async () => {
    const proxy = await start((socket) => {
      void writeSlowly(socket, `${ESTABLISHED}FIRST`).then(() => socket.end('LAST'));
    }, secure);
    expect(await allOf(await open(proxy, TIMEOUT_MS, scheme))).toBe('FIRSTLAST');
  });
});

describe('a proxy that misbehaves', () => {
  test.each<[string, (socket: Socket) => void, string]>([
    ['closes at once', (socket) => socket.end(), 'cannot be reached: ECONNRESET'],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'cannot be reached: ECONNRESET'],
    ['closes within the status line', (socket) => socket.end('HTTP/1.1 20'), 'cannot be reached: '],
    ['closes within the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nx-secret: y\r\n'), 'cannot be reached: '],
    [
      'speaks another protocol',
      (socket) => socket.end('SSH-2.0-secret\r\n'),
      'cannot be reached: HPE_INVALID_CONSTANT',
    ],
    [
      'sends a huge head',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'secret'.repeat(20_000)}`),
      'HPE_HEADER_OVERFLOW',
    ],
    [
      'sends many headers',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x: secret\r\n'.repeat(20_000)}`),
      'HPE_HEADER_OVERFLOW',
    ],
    ['sends an interim response', (socket) => socket.end('HTTP/1.1 100 secret\r\n\r\n'), 'with status 100'],
    ['redirects', (socket) => socket.end('HTTP/1.1 302 secret\r\nlocation: http://secret/\r\n\r\n'), 'with status 302'],
    [
      'switches protocols',
      (socket) => socket.end('HTTP/1.1 101 secret\r\nupgrade: secret\r\nconnection: upgrade\r\n\r\n'),
      'with status 101',
    ],
  ])('and %s is reported without its text, and its connection is closed', async (_name, behavior, problem) => {
    const proxy = await start(behavior);
    const message = await problemOf(proxy);
    expect(message).toContain(`The egress proxy 127.0.0.1:${proxy.port}`);
    expect(message).toContain(problem);
    expect(message).not.toContain('secret');
    await until(() => proxy.openConnections === 0);
  });

  test('a proxy that echoes the credential with 407 does not reveal it', async () => {
    const proxy = await start((socket, head) => {
      const credential = /proxy-authorization: (\S+ \S+)/i.exec(head)![1]!;
      const body = `denied ${credential}`;
      socket.end(
        `HTTP/1.1 407 ${credential}\r\nproxy-authenticate: ${credential}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    });
    const tunnel = openTunnel(settingsOf(proxy, 'user:hunter2@'), TARGET, TIMEOUT_MS);
    const error = (await tunnel.opened.catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toMatch(/refused a connection to target\.test:443 with status 407$/);
    const basic = Buffer.from('user:hunter2').toString('base64');
    const { inspect } = await import('node:util');
    expect(proxy.heads[0]).toContain(basic);
    for (const secret of ['hunter2', basic])
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['never responds', () => undefined],
    ['responds too slowly', (socket) => void writeForever(socket, 'HTTP/1.1 200 OK\r\n')],
  ])('and %s costs the timeout, and its connection is closed', async (_name, behavior) => {
    const proxy = await start(behavior);
    expect(await problemOf(proxy, SHORT_MS)).toContain('did not respond in time');
    await until(() => proxy.openConnections === 0);
  });

  test('a proxy that never finishes its TLS handshake causes a timeout, and its connection is closed', async () => {
    const proxy = await start(() => undefined);
    const message = await open(proxy, SHORT_MS, 'https').catch((error: Error) => error.message);
    expect(message).toContain('did not respond in time');
    await until(() => proxy.openConnections === 0);
  });

  test('a proxy that closes directly after the response leaves a closed tunnel and no error', async () => {
    const proxy = await start((socket) => socket.write(ESTABLISHED, () => socket.resetAndDestroy()));
    const socket = await open(proxy);
    socket.resume();
    await until(() => socket.destroyed);
  });
});

test('a canceled tunnel closes its connection, and leaves no timer', async () => {
  const proxy = await start(() => undefined);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const tunnel = openTunnel(settingsOf(proxy), TARGET, 600_000);
  await until(() => proxy.heads.length === 1);
  tunnel.cancel(new Error('the client left'));
  await expect(tunnel.opened).rejects.toThrow('the client left');
  await until(() => proxy.openConnections === 0);
  await until(() => timers() <= before);
});

test('a password with every special character reaches the proxy unchanged', async () => {
  const password = '%:@/?#[]& +é"\\\'<>^`{|}~';
  const proxy = await start((socket) => socket.end('HTTP/1.1 403 no\r\n\r\n'));
  const settings = settingsOf(proxy, `us%40er:${encodeURIComponent(password)}@`);
  await openTunnel(settings, TARGET, TIMEOUT_MS).opened.catch(() => undefined);
  const [, basic = ''] = /proxy-authorization: Basic (\S+)/i.exec(proxy.heads[0]!) ?? [];
  expect(Buffer.from(basic, 'base64').toString()).toBe(`us@er:${password}`);
});

async function writeForever(socket: Socket, start: string): Promise<void> {
  socket.write(start);
  while (!socket.destroyed) {
    socket.write('x: y\r\n');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
