import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Config } from '../../../src/platform/config/config.js';
import { GrpcTransport } from '../../../src/platform/telemetry/otlp/grpc-transport.js';
import { connectionTo } from '../../../src/platform/telemetry/otlp/otlp-connection.js';
import { CertificateAuthority, type Certificate } from '../../support/certificates.js';
import { ConnectProxy } from '../../support/connect-proxy.js';
import { startGrpcReceiver, type OtlpReceiver } from '../../support/otlp-receiver.js';
import { until } from '../../support/until.js';

const PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const EMPTY = new Uint8Array();
const TIMEOUT_MS = 5_000;

let folder: string;
let authority: CertificateAuthority;
let certificate: Certificate;
let receiver: OtlpReceiver;
let transport: GrpcTransport;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'collector-'));
  authority = CertificateAuthority.create(folder, 'collector-authority');
  certificate = authority.issue('collector.test');
  receiver = await startGrpcReceiver(certificate);
});
afterEach(() => {
  delete process.env['OTEL_EXPORTER_OTLP_CERTIFICATE'];
  transport.shutdown();
});
afterAll(async () => {
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

const port = () => new URL(receiver.url).port;
const transportTo = (url: string, env: Record<string, string> = {}) => {
  const config = Config.from({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', ...env });
  return (transport = new GrpcTransport(connectionTo(config, 'TRACES', 'v1/traces'), PATH));
};

test('a collector with TLS is reached if its certificate is trusted, and not otherwise', async () => {
  const refused = await transportTo(`https://127.0.0.1:${port()}`).send(EMPTY, 500);
  expect(refused).toMatchObject({ status: 'retryable', error: { message: expect.stringMatching(/certificate/) } });
  process.env['OTEL_EXPORTER_OTLP_CERTIFICATE'] = authority.certFile;
  expect(await transportTo(`https://127.0.0.1:${port()}`).send(EMPTY, TIMEOUT_MS)).toEqual({ status: 'success' });
  expect(receiver.last.path).toBe(PATH);
});

test('a collector behind the egress proxy is reached, with TLS to the collector', async () => {
  process.env['OTEL_EXPORTER_OTLP_CERTIFICATE'] = authority.certFile;
  const proxy = await ConnectProxy.start({ 'collector.test:4317': Number(port()) });
  try {
    const env = { GW_EGRESS_PROXY: `http://127.0.0.1:${proxy.port}` };
    expect(await transportTo('https://collector.test:4317', env).send(EMPTY, TIMEOUT_MS)).toEqual({
      status: 'success',
    });
    expect(proxy.targets).toEqual(['collector.test:4317']);
    transport.shutdown();
    proxy.rejectWith = 403;
    const refused = await transportTo('https://collector.test:4317', env).send(EMPTY, 500);
    expect(refused).toMatchObject({ status: 'retryable', error: { message: expect.stringMatching(/status 403$/) } });
  } finally {
    await proxy.stop();
  }
});

test('a collector that accepts connections and never responds costs the timeout, and no connection stays open', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const result = await transportTo(url).send(EMPTY, 300);
  expect(result).toMatchObject({ status: 'retryable', error: { message: 'The collector did not respond in time' } });
  server.close();
  await until(() => sockets.size === 0);
});

test('an HTTP/1.1 server is reported, and does not end the process', async () => {
  const server = createServer(
    (socket) =>
      void socket
        .on('error', () => undefined)
        .resume()
        .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await transportTo(url).send(EMPTY, 500)).status).not.toBe('success');
  await new Promise((resolve) => server.close(resolve));
});
