import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Config } from '../../../src/platform/config/config.js';
import { GrpcTransport } from '../../../src/platform/telemetry/otlp/grpc-transport.js';
import { connectionTo } from '../../../src/platform/telemetry/otlp/otlp-connection.js';
import { CertificateAuthority, type Certificate } from '../../support/certificates.js';
import { startGrpcReceiver, type OtlpReceiver } from '../../support/otlp-receiver.js';
import { until } from '../../support/until.js';
import { RawProxy } from '../../support/raw-proxy.js';

const PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const EMPTY = new Uint8Array();
const TIMEOUT_MS = 5_000;
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
const CREDENTIAL = 'user:proxy-password';

const roots = getCACertificates('default');
let folder: string;
let certificate: Certificate;
let secure: OtlpReceiver;
let plain: OtlpReceiver;
const proxies: RawProxy[] = [];
const transports: GrpcTransport[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-otlp-proxy-'));
  const authority = CertificateAuthority.create(folder, 'authority');
  certificate = authority.issue('127.0.0.1');
  setDefaultCACertificates([...roots, authority.cert]);
  [secure, plain] = await Promise.all([startGrpcReceiver(authority.issue('collector.test')), startGrpcReceiver()]);
});
afterEach(async () => {
  for (const transport of transports.splice(0)) transport.shutdown();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});
afterAll(async () => {
  setDefaultCACertificates(roots);
  await Promise.all([secure.stop(), plain.stop()]);
  rmSync(folder, { recursive: true });
});

async function start(behavior: (socket: Socket, head: string) => void, tls = false): Promise<RawProxy> {
  const proxy = await RawProxy.start(behavior, tls ? { cert: certificate.cert, key: certificate.key } : undefined);
  proxies.push(proxy);
  return proxy;
}

function transportThrough(proxy: RawProxy, url: string, scheme = 'http'): GrpcTransport {
  const config = Config.from({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    GW_EGRESS_PROXY: `${scheme}://${CREDENTIAL}@127.0.0.1:${proxy.port}`,
  });
  const transport = new GrpcTransport(connectionTo(config, 'TRACES', 'v1/traces'), PATH);
  transports.push(transport);
  return transport;
}

/** @param first sends the collector's first bytes in one packet with the response to CONNECT */
const tunnelTo =
  (receiver: OtlpReceiver, first = false) =>
  (socket: Socket): void => {
    const tunnel = connect(Number(new URL(receiver.url).port), '127.0.0.1');
    tunnel.on('error', () => socket.destroy());
    socket.on('close', () => tunnel.destroy());
    if (first)
      tunnel.once('data', (bytes: Buffer) => {
        socket.write(Buffer.concat([Buffer.from(ESTABLISHED), bytes]));
        tunnel.pipe(socket);
      });
    else {
      socket.write(ESTABLISHED);
      tunnel.pipe(socket);
    }
    socket.pipe(tunnel);
  };

describe('gRPC exports through a proxy', () => {
  test.each(['http', 'https'])('an %s proxy leads to a collector with and without TLS', async (scheme) => {
    const tls = scheme === 'https';
    const toSecure = transportThrough(await start(tunnelTo(secure), tls), 'https://collector.test:4317', scheme);
    expect(await toSecure.send(EMPTY, TIMEOUT_MS)).toEqual({ status: 'success' });
    const toPlain = transportThrough(await start(tunnelTo(plain), tls), 'http://collector.test:4317', scheme);
    expect(await toPlain.send(EMPTY, TIMEOUT_MS)).toEqual({ status: 'success' });
    expect(await toPlain.send(EMPTY, TIMEOUT_MS)).toEqual({ status: 'success' });
    expect(proxies.map(({ heads }) => heads.length)).toEqual([1, 1]);
  });

  test.each(['http', 'https'])(
    'the first bytes of the collector can arrive in one packet with the response of an %s proxy',
    async (scheme) => {
      const proxy = await start(tunnelTo(plain, true), scheme === 'https');
      const transport = transportThrough(proxy, 'http://collector.test:4317', scheme);
      expect(await transport.send(EMPTY, TIMEOUT_MS)).toEqual({ status: 'success' });
    },
  );

  test('the time to open a tunnel counts towards the timeout of an export', async () => {
    const proxy = await start((socket) => void setTimeout(() => socket.write(ESTABLISHED), 900));
    const result = await transportThrough(proxy, 'http://collector.test:4317').send(EMPTY, 1000);
    expect(result.status).toBe('retryable');
    await until(() => proxy.openConnections === 0);
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['closes the tunnel', 'http', (socket) => socket.end(ESTABLISHED)],
    ['closes the tunnel', 'https', (socket) => socket.end(ESTABLISHED)],
    ['resets the tunnel', 'https', (socket) => socket.write(ESTABLISHED, () => socket.resetAndDestroy())],
    ['speaks another protocol', 'http', (socket) => socket.write(`${ESTABLISHED}secret of the proxy`)],
    ['speaks another protocol', 'https', (socket) => socket.write(`${ESTABLISHED}secret of the proxy`)],
    ['opens a silent tunnel', 'http', (socket) => socket.write(ESTABLISHED)],
    ['opens a silent tunnel', 'https', (socket) => socket.write(ESTABLISHED)],
    ['refuses and echoes', 'https', (socket) => socket.end(`HTTP/1.1 407 ${CREDENTIAL} secret of the proxy\r\n\r\n`)],
  ])('a proxy that %s (%s) fails the export in time, and keeps no connection', async (_name, scheme, behavior) => {
    const proxy = await start(behavior);
    const result = await transportThrough(proxy, `${scheme}://collector.test:4317`).send(EMPTY, 400);
    expect(result.status).toBe('retryable');
    expect(JSON.stringify([result, String('error' in result && result.error)])).not.toMatch(/password|secret/);
    await until(() => proxy.openConnections === 0);
  });
});
