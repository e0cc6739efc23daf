import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { Config } from '../../src/platform/config/config.js';
import { CertificateAuthority, type Certificate } from '../support/certificates.js';
import { ConnectProxy } from '../support/connect-proxy.js';
import { until } from '../support/until.js';
import { startForwarding, type ForwardingApp } from './forwarding-app.js';

const HOST = 'provider.test';
const CREDENTIAL = 'gateway:proxy-password';

let folder: string;
let authority: CertificateAuthority;
let client: Certificate;
let provider: Server;
let plain: ReturnType<typeof createServer>;
let proxy: ConnectProxy;
const apps: ForwardingApp[] = [];
const proxies: ConnectProxy[] = [];
/** Common names of the client certificates that the provider saw. */
const clients: string[] = [];
const headersSeen: IncomingMessage['headers'][] = [];

const portOf = (server: Server | ReturnType<typeof createServer>) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
  authority = CertificateAuthority.create(folder, 'authority');
  client = authority.issue('client-1');
  const { cert, key } = authority.issue(HOST);
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    headersSeen.push(request.headers);
    const { subject } = (request.socket as Partial<TLSSocket>).getPeerCertificate?.() ?? ({} as PeerCertificate);
    clients.push(String(subject?.CN));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  };
  provider = createTlsServer({ cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: true }, respond);
  plain = createServer(respond);
  await Promise.all(
    [provider, plain].map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))),
  );
});
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.stop()));
  await Promise.all(proxies.splice(0).map((one) => one.stop()));
  clients.length = 0;
  headersSeen.length = 0;
});
afterAll(() => {
  for (const server of [provider, plain]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

async function startProxy(tls?: Certificate): Promise<ConnectProxy> {
  proxy = await ConnectProxy.start({ [`${HOST}:443`]: portOf(provider), [`${HOST}:80`]: portOf(plain) }, tls);
  proxies.push(proxy);
  return proxy;
}

const tlsFiles = (): Record<string, string> => ({
  GW_UPSTREAM_CA_FILE: authority.certFile,
  GW_UPSTREAM_CLIENT_CERT_FILE: client.certFile,
  GW_UPSTREAM_CLIENT_KEY_FILE: client.keyFile,
});

async function start(env: Record<string, string>, url = `https://${HOST}/v1`): Promise<ForwardingApp> {
  const app = await startForwarding({ url, env: { GW_UPSTREAM_CONNECT_TIMEOUT_MS: '1000', ...env } });
  apps.push(app);
  return app;
}

const chat = async (app: ForwardingApp) => {
  const response = await fetch(`http://127.0.0.1:${app.port}/v1/chat/completions`, { method: 'POST', body: '{}' });
  return { status: response.status, text: await response.text() };
};

/** The cause of a failed request, which the log shows. */
async function causeOf(app: ForwardingApp): Promise<string> {
  const error = (await app.upstream
    .fetchSmall({ method: 'GET', path: '/models', bytesMax: 1000, timeoutMs: 5000 })
    .then(
      () => new Error('it succeeded'),
      (thrown: unknown) => thrown,
    )) as Error;
  return `${error.message} ${String((error.cause as Error | undefined)?.message)}`;
}

describe('requests to the provider through a proxy', () => {
  test('the proxy resolves the host name, and the provider sees the client certificate and no proxy credential', async () => {
    const { port } = await startProxy();
    const app = await start({ ...tlsFiles(), GW_EGRESS_PROXY: `http://${CREDENTIAL}@127.0.0.1:${port}` });
    expect(await chat(app)).toEqual({ status: 200, text: '{"ok":true}' });
    const authorization = `Basic ${Buffer.from(CREDENTIAL).toString('base64')}`;
    expect(proxy.connects).toEqual([{ target: `${HOST}:443`, authorization }]);
    expect(clients).toEqual(['client-1']);
    expect(headersSeen[0]).not.toHaveProperty('proxy-authorization');
    expect(headersSeen[0]!.host).toBe(HOST);
    expect(proxy.others).toEqual([]);
  });

  test('requests to an http:// provider use a tunnel as well', async () => {
    const { port } = await startProxy();
    const app = await start({ HTTP_PROXY: `http://127.0.0.1:${port}` }, `http://${HOST}/v1`);
    expect((await chat(app)).status).toBe(200);
    expect([proxy.targets, proxy.others]).toEqual([[`${HOST}:80`], []]);
  });

  test('a proxy can require TLS', async () => {
    const certificate = authority.issue('127.0.0.1');
    const { port } = await startProxy(certificate);
    const app = await start({ ...tlsFiles(), HTTPS_PROXY: `https://127.0.0.1:${port}` });
    // The provider's certificate authority does not apply to the proxy, which needs a public one or NODE_EXTRA_CA_CERTS.
    expect(await causeOf(app)).toMatch(
      /The egress proxy 127\.0\.0\.1:\d+ cannot be reached: [A-Z_]*(VERIFY|SIGNED|CERT)/,
    );
  });

  test.each([407, 403, 502])(
    'a refusal with %i fails with 502, and names the proxy without its credential',
    async (code) => {
      const { port } = await startProxy();
      proxy.rejectWith = code;
      const app = await start({ ...tlsFiles(), GW_EGRESS_PROXY: `http://${CREDENTIAL}@127.0.0.1:${port}` });
      const { status, text } = await chat(app);
      expect(status).toBe(502);
      const cause = await causeOf(app);
      expect(cause).toContain(
        `The egress proxy 127.0.0.1:${port} refused a connection to ${HOST}:443 with status ${code}`,
      );
      for (const secret of ['proxy-password', 'secret-of-the-proxy', Buffer.from(CREDENTIAL).toString('base64')])
        expect(cause + text).not.toContain(secret);
    },
  );

  test('an unreachable or silent proxy causes a 502 within the timeout, and the connection is released', async () => {
    const { port } = await startProxy();
    proxy.silent = true;
    const app = await start({
      ...tlsFiles(),
      GW_EGRESS_PROXY: `http://127.0.0.1:${port}`,
      GW_UPSTREAM_CONNECTIONS: '1',
    });
    expect((await chat(app)).status).toBe(502);
    await until(() => app.first.permits.free === 1);
    await until(() => proxy.openConnections === 0);
    await proxy.stop();
    expect(await causeOf(app)).toMatch(/cannot be reached: ECONNREFUSED/);
    proxies.length = 0;
  });

  test('a reused connection costs no further CONNECT', async () => {
    const { port } = await startProxy();
    const app = await start({ ...tlsFiles(), GW_EGRESS_PROXY: `http://127.0.0.1:${port}` });
    await until(async () => {
      const opened = proxy.connects.length;
      return (await chat(app)).status === 200 && proxy.connects.length === opened;
    });
  });
});

describe('certificates', () => {
  const direct = (env: Record<string, string>) => start(env, `https://127.0.0.1:${portOf(provider)}/v1`);

  test('a provider with a private authority and a required client certificate is served directly as well', async () => {
    expect((await chat(await direct(tlsFiles()))).status).toBe(200);
    expect(clients).toEqual(['client-1']);
  });

  test('without the authority or the client certificate the request fails', async () => {
    const { GW_UPSTREAM_CA_FILE: ca, ...pair } = tlsFiles();
    expect((await chat(await direct(pair))).status).toBe(502);
    expect((await chat(await direct({ GW_UPSTREAM_CA_FILE: ca! }))).status).toBe(502);
    expect(clients).toEqual([]);
  });

  test('the messages upstream has its own certificates, even on the same server', async () => {
    const messages = authority.issue('client-of-messages');
    const url = `https://127.0.0.1:${portOf(provider)}/v1`;
    const env = {
      ...tlsFiles(),
      GW_UPSTREAM_MESSAGES_BASE_URL: url,
      GW_UPSTREAM_MESSAGES_CA_FILE: authority.certFile,
      GW_UPSTREAM_MESSAGES_CLIENT_CERT_FILE: messages.certFile,
      GW_UPSTREAM_MESSAGES_CLIENT_KEY_FILE: messages.keyFile,
    };
    for (const api of ['openai', 'anthropic'] as const) {
      const app = await startForwarding({ url, env, api });
      apps.push(app);
      expect((await chat(app)).status).toBe(200);
    }
    expect(clients).toEqual(['client-1', 'client-of-messages']);
  });

  test('changed files are used for new connections, and unusable ones are logged and ignored', async () => {
    const [certFile, keyFile] = [join(folder, 'rotated.pem'), join(folder, 'rotated.key')];
    const use = (certificate: Certificate) => {
      copyFileSync(certificate.certFile, certFile);
      copyFileSync(certificate.keyFile, keyFile);
    };
    const errors: string[] = [];
    const { error, log } = Logger.prototype;
    Logger.prototype.error = (message: string) => void errors.push(message);
    Logger.prototype.log = () => undefined;
    try {
      use(client);
      const files = { GW_UPSTREAM_CLIENT_CERT_FILE: certFile, GW_UPSTREAM_CLIENT_KEY_FILE: keyFile };
      const app = await direct({ ...tlsFiles(), ...files });
      const seen = async () => {
        provider.closeAllConnections();
        await chat(app);
        return clients.at(-1);
      };
      expect(await seen()).toBe('client-1');
      writeFileSync(keyFile, authority.issue('other').key);
      await until(async () => (await seen()) === 'client-1' && errors.length > 0);
      expect(errors[0]).toContain('the private key does not belong to the certificate');
      use(authority.issue('client-2'));
      await until(async () => (await seen()) === 'client-2');
    } finally {
      Object.assign(Logger.prototype, { error, log });
    }
  });

  test('unusable files stop startup, and the error names their settings', () => {
    const other = authority.issue('other');
    const refused = (env: Record<string, string>) => expect(() => Config.from({ ...tlsFiles(), ...env }));
    refused({ GW_UPSTREAM_CA_FILE: client.keyFile }).toThrow(/^GW_UPSTREAM_CA_FILE cannot be .*with one or more cert/);
    refused({ GW_UPSTREAM_CLIENT_KEY_FILE: '' }).toThrow(/^GW_UPSTREAM_CLIENT_KEY_FILE is not set, but GW_UPSTREAM_CL/);
    refused({ GW_UPSTREAM_CLIENT_KEY_FILE: other.keyFile }).toThrow(/does not belong to the first certificate of/);
    refused({ GW_UPSTREAM_CLIENT_KEY_FILE: '/none' }).toThrow(/^GW_UPSTREAM_CLIENT_KEY_FILE cannot be "\/none"/);
  });
});
