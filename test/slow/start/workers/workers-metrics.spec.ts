import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { startReceiver, type OtlpReceiver } from '../../../support/otlp-receiver.js';
import { createScratchDatabase } from '../../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { until } from '../../../support/until.js';

const CHAT = '/v1/chat/completions';
const REQUESTS = 12;

let upstream: ScriptedUpstream;
let receiver: OtlpReceiver;
let database: Awaited<ReturnType<typeof createScratchDatabase>>;
beforeAll(async () => {
  [upstream, receiver, database] = await Promise.all([startUpstream(), startReceiver(), createScratchDatabase()]);
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await Promise.all([upstream.stop(), receiver.stop()]);
  await database.drop();
});

test('two workers export one sum of their metrics, with exemplars, and once more at shutdown', async () => {
  const gateway = await GatewayProcess.start({
    DATABASE_URL: database.url,
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_WORKERS: '2',
    GW_METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
  });
  const { key } = await gateway.createKey();
  const traceIds = Array.from({ length: REQUESTS }, () => randomBytes(16).toString('hex'));
  const chat = async (traceId: string) => {
    const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      traceparent,
      connection: 'close',
    };
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] });
    expect((await fetch(gateway.url + CHAT, { method: 'POST', headers, body })).status).toBe(200);
  };
  await Promise.all(traceIds.map(chat));
  const exported = () =>
    (receiver.metrics.get('gateway_requests_total')?.points ?? [])
      .filter(({ attributes }) => attributes['route'] === CHAT)
      .reduce((sum, { asDouble }) => sum + Number(asDouble), 0);
  await until(() => exported() === REQUESTS);
  expect(receiver.metrics.get('gateway_workers')!.points[0]!.asDouble).toBe(2);

  const [, metricsUrl] = /^ *Metrics +(http:\S+)$/m.exec(gateway.stdout) ?? [];
  const accept = 'application/openmetrics-text;version=1.0.0';
  const text = await (await fetch(metricsUrl!, { headers: { accept } })).text();
  const [, traceId] = new RegExp(
    `^gateway_request_duration_seconds_bucket.*"${CHAT}".* # \\{trace_id="(\\w+)"`,
    'm',
  ).exec(text)!;
  expect(traceIds).toContain(traceId);

  // The shutdown ends before the next interval, so only the last export has these.
  await Promise.all(traceIds.map(chat));
  expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  expect(exported()).toBe(2 * REQUESTS);
});
