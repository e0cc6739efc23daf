import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates, getCACertificates } from 'node:tls';
import { proxyFor } from '../../src/egress/egress-proxy.js';
import { Config } from '../../src/config/config.js';
import type { Resolver } from '../../src/events/delivery/address-checked-connection.js';
import { postWebhook } from '../../src/events/delivery/post-webhook.js';
import { isGlobalUnicast } from '../../src/events/webhook-target.rules.js';
import { CertificateAuthority } from '../support/certificates.js';
import { ConnectProxy } from '../support/connect-proxy.js';

const LIMITS = { connectMs: 2000, headMs: 3000, bodyMs: 500 };
const HOST = 'hooks.test';
const PUBLIC = '93.184.216.34';

const roots = getCACertificates('default');
let folder: string;
let receiver: Server;
let proxy: ConnectProxy;
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
});
afterEach(() => {
  proxy.connects.length = 0;
  received = 0;
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
      addresses.map((address) => ({ address, family: 4 })),
    );
    return () => undefined;
  };
const failing: Resolver = (_name, done) => {
  done(new Error('no such name'), []);
  return () => undefined;
};

function post(url: string, resolver: Resolver, resolvesNames = false, port = proxy.port) {
  const config = Config.from({ GW_EGRESS_PROXY: `http://user:proxy-password@127.0.0.1:${port}` });
  const through = { proxy: proxyFor(config, new URL(url))!, resolvesNames };
  const options = { judge: isGlobalUnicast, limits: LIMITS, resolver, proxy: through };
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
    expect(await post(`https://${HOST}/x`, failing, true)).toBe('204');
    expect(proxy.targets).toEqual([`${HOST}:443`]);
  });

  test('a refusal or an unreachable proxy is reported without its address and credential', async () => {
    const problem = '[no response: the egress proxy is unreachable or refused the connection]';
    expect(await post('https://unknown.test/x', leadsTo('93.184.216.35'))).toBe(problem);
    expect(await post(`https://${HOST}/x`, leadsTo(PUBLIC), false, 1)).toBe(problem);
  });
});
