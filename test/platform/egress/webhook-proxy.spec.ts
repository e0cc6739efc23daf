import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { connect, isIP, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates, getCACertificates } from 'node:tls';
import { proxyFor } from '../../../src/platform/egress/egress-proxy.js';
import { Config } from '../../../src/platform/config/config.js';
import type { Resolver } from '../../../src/audit/events/delivery/address-checked-connection.js';
import { postWebhook } from '../../../src/audit/events/delivery/post-webhook.js';
import { isGlobalUnicast } from '../../../src/audit/events/public-address.rules.js';
import { CertificateAuthority, type Certificate } from '../../support/certificates.js';
import { ConnectProxy } from '../../support/connect-proxy.js';
import { until } from '../../support/until.js';
import { RawProxy } from '../../support/raw-proxy.js';

const LIMITS = { connectMs: 2000, headMs: 3000, bodyMs: 500 };
const HOST = 'hooks.test';
const PUBLIC = '93.184.216.34';
const PUBLIC_6 = '2606:2800:220:1::1';

const roots = getCACertificates('default');
let folder: string;
let receiver: Server;
let proxy: ConnectProxy;
let certificate: Certificate;
const rawProxies: RawProxy[] = [];
let received = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-hooks-'));
  const authority = CertificateAuthority.create(folder, 'authority');
  setDefaultCACertificates([...roots, authority.cert]);
  const { cert, key } = authority.issue(HOST);
  receiver = createServer({ cert, key }, (_request, response) => {
    received += 1;
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  proxy = await ConnectProxy.start({ [`${PUBLIC}:443`]: port, [`${HOST}:443`]: port });
  certificate = authority.issue('127.0.0.1');
});
afterEach(async () => {
  proxy.connects.length = 0;
  received = 0;
  await Promise.all(rawProxies.splice(0).map((one) => one.stop()));
});
afterAll(async () => {
  setDefaultCACertificates(roots);
  await proxy.stop();
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true });
});

const leadsTo =
  (...addresses: string[]): Resolver =>
  (_name, done) => {
    done(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
    return () => undefined;
  };
const failing: Resolver = (_name, done) => {
  done(new Error('no such name'), []);
  return () => undefined;
};

interface Through {
  readonly resolvesNames?: boolean;
  readonly port?: number;
  readonly scheme?: string;
  readonly stop?: AbortSignal;
  readonly limits?: typeof LIMITS;
}

function post(url: string, resolver: Resolver, through: Through = {}) {
  const { resolvesNames = false, port = proxy.port, scheme = 'http', limits = LIMITS, stop } = through;
  const config = Config.from({ GW_EGRESS_PROXY: `${scheme}://user:proxy-password@127.0.0.1:${port}` });
  const webhookProxy = { proxy: proxyFor(config, new URL(url))!, resolvesNames };
  const options = { judge: isGlobalUnicast, limits, resolver, proxy: webhookProxy, ...(stop && { stop }) };
  return postWebhook({ url, headers: {}, body: '{}' }, options).then(
    ({ status }) => String(status),
    (error: Error) => error.message,
  );
}

describe('webhook deliveries through a proxy', () => {
  test('the proxy gets the checked address instead of the name, and TLS checks the name', async () => {
    expect(await post(`https://${HOST}/x`, leadsTo('10.0.0.1', PUBLIC))).toBe('204');
    expect(proxy.targets).toEqual([`${PUBLIC}:443`]);
    expect(await post('https://other.test/x', leadsTo(PUBLIC))).toBe('[no response: the TLS handshake failed]');
    expect(received).toBe(1);
  });

  test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254'])(
    'the private address %s is rejected without a connection to the proxy',
    async (address) => {
      const refused = '[no response: the address is not public]';
      expect(await post(`https://${HOST}/x`, leadsTo(address))).toBe(refused);
      if (address !== '127.0.0.1') expect(await post(`https://${address}/x`, leadsTo(PUBLIC))).toBe(refused);
      expect(proxy.targets).toEqual([]);
    },
  );

  test('the proxy resolves the name only if private addresses are allowed', async () => {
    expect(await post(`https://${HOST}/x`, failing)).toBe('[no response: the host name could not be resolved]');
    expect(proxy.targets).toEqual([]);
    expect(await post(`https://${HOST}/x`, failing, { resolvesNames: true })).toBe('204');
    expect(proxy.targets).toEqual([`${HOST}:443`]);
  });

  test('a refusal or an unreachable proxy is reported without its address and credential', async () => {
    const problem = '[no response: the egress proxy is unreachable or refused the connection]';
    expect(await post('https://unknown.test/x', leadsTo('93.184.216.35'))).toBe(problem);
    expect(await post(`https://${HOST}/x`, leadsTo(PUBLIC), { port: 1 })).toBe(problem);
  });

  test('the address of the other family is tried if the proxy has no route to the first one', async () => {
    expect(await post(`https://${HOST}/x`, leadsTo(PUBLIC_6, '2606:2800:220:1::2', PUBLIC))).toBe('204');
    expect(proxy.targets).toEqual([`[${PUBLIC_6}]:443`, `${PUBLIC}:443`]);
  });

  test('a host name that changes its address during a delivery never leads the proxy to the new address', async () => {
    const responses = [PUBLIC, '169.254.169.254', '10.0.0.1'];
    const rebinding: Resolver = (name, done) => leadsTo(responses.shift()!)(name, done);
    expect(await post(`https://${HOST}/x`, rebinding)).toBe('204');
    expect(responses).toHaveLength(2);
    expect(proxy.targets).toEqual([`${PUBLIC}:443`]);
  });

  test.each([
    [`https://[${PUBLIC_6}]/x`, `[${PUBLIC_6}]:443`],
    [`https://[${PUBLIC_6}]:8443/x`, `[${PUBLIC_6}]:8443`],
    [`https://${HOST}./x`, `${PUBLIC}:443`],
  ])('%s is requested from the proxy as %s', async (url, target) => {
    await post(url, leadsTo(PUBLIC));
    expect(proxy.targets).toEqual([target]);
  });

  test.each(['[::1]', '[::ffff:10.0.0.1]', '[64:ff9b::a00:1]', '[fd00::1]', '0x0a000001', '167772161'])(
    'the private address %s is not requested from the proxy',
    async (host) => {
      expect(await post(`https://${host}/x`, leadsTo(PUBLIC))).toBe('[no response: the address is not public]');
      expect(proxy.targets).toEqual([]);
    },
  );
});

describe('webhook deliveries through a proxy that misbehaves', () => {
  const ESTABLISHED = 'HTTP/1.1 200 OK\r\n\r\n';
  const NO_TUNNEL = '[no response: the egress proxy is unreachable or refused the connection]';
  const SHORT = { connectMs: 200, headMs: 400, bodyMs: 100 };

  async function start(behavior: (socket: Socket, head: string) => void, secure = false): Promise<RawProxy> {
    const one = await RawProxy.start(behavior, secure ? { cert: certificate.cert, key: certificate.key } : undefined);
    rawProxies.push(one);
    return one;
  }

  const opens = (socket: Socket) => socket.write(ESTABLISHED);
  const opensAndCloses = (socket: Socket) => socket.end(ESTABLISHED);
  const responds = (socket: Socket) => socket.write(`${ESTABLISHED}HTTP/1.1 204 No Content\r\n\r\n`);
  const neverEnds = (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nx: ');

  test.each<[string, string, (socket: Socket) => void, string]>([
    ['never responds', 'https', () => undefined, NO_TUNNEL],
    ['responds without end', 'https', neverEnds, NO_TUNNEL],
    ['opens a silent tunnel', 'https', opens, '[no response: the connection timed out]'],
    ['opens a silent tunnel', 'http', opens, '[no response: the request timed out]'],
    ['closes the tunnel', 'https', opensAndCloses, '[no response: the TLS handshake failed]'],
    ['closes the tunnel', 'http', opensAndCloses, '[no response: the connection closed before a response]'],
    ['responds for the receiver', 'https', responds, '[no response: the TLS handshake failed]'],
  ])(
    'a proxy that %s (%s) fails the delivery in time, and keeps no connection',
    async (_name, scheme, behavior, problem) => {
      const one = await start(behavior);
      const limits = SHORT;
      expect(await post(`${scheme}://${HOST}/x`, leadsTo(PUBLIC), { port: one.port, limits })).toBe(problem);
      await until(() => one.openConnections === 0);
    },
  );

  test('a stop during CONNECT ends the delivery and its connection by the connect timeout', async () => {
    const one = await start(() => undefined);
    const stop = new AbortController();
    const limits = { ...LIMITS, connectMs: 500 };
    const delivery = post(`https://${HOST}/x`, leadsTo(PUBLIC), { port: one.port, stop: stop.signal, limits });
    await until(() => one.heads.length === 1);
    stop.abort();
    await delivery;
    await until(() => one.openConnections === 0);
  });

  test('a tunnel that opens after the delivery has ended is closed', async () => {
    const one = await start((socket) => void setTimeout(() => socket.write(ESTABLISHED), 300));
    const limits = { connectMs: 2000, headMs: 100, bodyMs: 100 };
    expect(await post(`http://${HOST}/x`, leadsTo(PUBLIC), { port: one.port, limits })).toBe(
      '[no response: the request timed out]',
    );
    expect(one.openConnections).toBe(1);
    await until(() => one.openConnections === 0);
  });

  test('a proxy with TLS is checked by its own address, and TLS to the receiver runs inside', async () => {
    const { port } = receiver.address() as AddressInfo;
    const one = await start((socket) => {
      const tunnel = connect(port, '127.0.0.1', () => socket.write(ESTABLISHED));
      socket.pipe(tunnel).pipe(socket);
    }, true);
    expect(await post(`https://${HOST}/x`, leadsTo(PUBLIC), { port: one.port, scheme: 'https' })).toBe('204');
    expect(received).toBe(1);
  });
});
