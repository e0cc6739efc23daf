import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConnectProxy } from '../../../support/connect-proxy.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { startReceiver, type OtlpReceiver } from '../../../support/otlp-receiver.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { until } from '../../../support/until.js';

let upstream: ScriptedUpstream;
let receiver: OtlpReceiver;
let scratch: ScratchDatabase;
let proxy: ConnectProxy;

beforeAll(async () => {
  [upstream, receiver, scratch] = await Promise.all([startUpstream(), startReceiver(), createScratchDatabase()]);
  const port = (url: string) => Number(new URL(url).port);
  proxy = await ConnectProxy.start({
    'provider.test:80': port(upstream.url),
    'collector.test:4318': port(receiver.url),
  });
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await Promise.all([upstream.stop(), receiver.stop(), proxy.stop()]);
  await scratch.drop();
});

test('catalog, requests and traces use the proxy, and its credential is not in the output', async () => {
  const gateway = await GatewayProcess.start({
    DATABASE_URL: scratch.url,
    GW_UPSTREAM_BASE_URL: 'http://provider.test/v1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318',
    GW_EGRESS_PROXY: `http://gateway:proxy-password@127.0.0.1:${proxy.port}`,
    LOG_LEVEL: 'debug',
  });
  const { key } = await gateway.createKey();
  const response = await gateway.chat(key, {});
  expect(response.status).toBe(200);
  await until(() => receiver.spans.length > 0);

  proxy.rejectWith = 407;
  receiver.disconnect();
  const failed = await gateway.chat(key, {});
  await until(() => gateway.stdout.includes('refused a connection to collector.test:4318 with status 407'));

  expect(new Set(proxy.targets)).toEqual(new Set(['provider.test:80', 'collector.test:4318']));
  const basic = Buffer.from('gateway:proxy-password').toString('base64');
  expect(proxy.connects.every(({ authorization }) => authorization === `Basic ${basic}`)).toBe(true);
  expect(upstream.requests.some((request) => request.header('proxy-authorization') !== undefined)).toBe(false);
  for (const secret of ['proxy-password', basic])
    for (const text of [gateway.stdout, gateway.stderr, failed.text, receiver.text]) expect(text).not.toContain(secret);
});
