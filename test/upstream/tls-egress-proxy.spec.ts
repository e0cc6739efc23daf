import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { CertificateAuthority } from '../support/certificates.js';
import { startForwarding, type ForwardingApp } from './forwarding-app.js';
import { RawProxy } from '../support/raw-proxy.js';

const HOST = 'provider.test';

const roots = getCACertificates('default');
let folder: string;
let provider: Server;
let proxy: RawProxy;
let app: ForwardingApp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-tls-proxy-'));
  const authority = CertificateAuthority.create(folder, 'authority');
  setDefaultCACertificates([...roots, authority.cert]);
  provider = createServer(authority.issue(HOST), (request, response) => {
    request.pipe(response.writeHead(200, { 'content-type': 'text/plain' }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  const { cert, key } = authority.issue('127.0.0.1');
  proxy = await RawProxy.start(
    (socket) => {
      const tunnel = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      tunnel.on('error', () => socket.destroy());
      socket
        .on('close', () => tunnel.destroy())
        .pipe(tunnel)
        .pipe(socket);
    },
    { cert, key },
  );
  app = await startForwarding({
    url: `https://${HOST}/v1`,
    env: {
      HTTPS_PROXY: `https://user:proxy-password@127.0.0.1:${proxy.port}`,
      GW_UPSTREAM_CA_FILE: authority.certFile,
    },
  });
});
afterAll(async () => {
  await app.stop();
  await proxy.stop();
  provider.closeAllConnections();
  provider.close();
  setDefaultCACertificates(roots);
  rmSync(folder, { recursive: true });
});

test.each([10, 1_000_000])('a body of %i bytes passes TLS to the provider inside TLS to the proxy', async (bytes) => {
  const body = JSON.stringify({ text: 'x'.repeat(bytes) });
  const response = await fetch(`http://127.0.0.1:${app.port}/v1/chat/completions`, { method: 'POST', body });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(body);
  expect(proxy.heads[0]).toMatch(/^CONNECT provider\.test:443 HTTP\/1\.1\r\n/);
});
