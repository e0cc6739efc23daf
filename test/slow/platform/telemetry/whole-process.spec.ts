import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../../support/until.js';
import { ADMIN_KEY, UPSTREAM_KEY } from '../../../support/gateway.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { createScratchDatabase } from '../../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { startReceiver, type OtlpReceiver } from '../../../support/otlp-receiver.js';

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

test('the gateway serves metrics, logs requests soon and with their trace ID, and exports spans at shutdown', async () => {
  const gateway = await GatewayProcess.start({
    DATABASE_URL: database.url,
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_METRICS_PORT: '0',
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  });
  const { key } = await gateway.createKey();
  const response = await gateway.chat(key, { messages: [{ role: 'user', content: 'secret words' }] });
  expect(response.status).toBe(200);

  const [, metricsUrl] = /^ *Metrics +(http:\S+)$/m.exec(gateway.stdout) ?? [];
  const metrics = await (await fetch(metricsUrl!)).text();
  expect(metrics).toMatch(/^gateway_requests_total\{route="\/v1\/chat\/completions",status="200",model="[^"]+"\} 1$/m);
  expect(metrics).toContain('gateway_workers 1\n');
  expect((await gateway.call('GET', '/metrics')).status).toBe(404);

  // The line of a request is written without waiting for later requests.
  for (let nth = 0; nth < 2; nth++) {
    const { headers } = await gateway.call('GET', '/v1/models', { key: 'unknown' });
    await until(() => gateway.stdout.includes(`"request_id":"${headers.get('x-request-id')}"`));
  }

  expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  const requestId = response.headers.get('x-request-id');
  const span = receiver.spans.find(({ attributes }) => attributes['gateway.request.id'] === requestId);
  const line = gateway.stdout.split('\n').find((text) => text.includes(`"request_id":"${requestId}"`));
  expect(JSON.parse(line!)).toMatchObject({ status: 200, model: 'gpt-4o-mini', trace_id: span!.traceId });
  for (const secret of [key, ADMIN_KEY, UPSTREAM_KEY, 'secret words']) {
    for (const text of [gateway.stdout, gateway.stderr, receiver.text, metrics]) expect(text).not.toContain(secret);
  }
});

test('two workers share one set of metrics, which survives the death of a worker', async () => {
  const gateway = await GatewayProcess.start({
    DATABASE_URL: database.url,
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_METRICS_PORT: '0',
    GW_WORKERS: '2',
  });
  const { key } = await gateway.createKey();
  const [, metricsUrl] = /^ *Metrics +(http:\S+)$/m.exec(gateway.stdout) ?? [];
  const metrics = async () => (await fetch(metricsUrl!)).text();
  const valueOf = async (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics())?.[1]);
  const all = 'gateway_request_duration_seconds_count\\{route="/v1/chat/completions"\\}';
  await until(async () => (await valueOf('gateway_workers')) === 2);
  // Each request uses a new connection, so the workers alternate.
  for (let nth = 0; nth < 10; nth++) await gateway.chat(key);
  await until(async () => (await valueOf(all)) === 10);
  expect(await valueOf('gateway_worker_restarts_total')).toBe(0);

  const [worker] = childrenOf(gateway.pid);
  process.kill(worker!, 'SIGKILL');
  await until(async () => (await valueOf('gateway_worker_restarts_total')) === 1);
  expect(await valueOf(all)).toBe(10);
  expect(await gateway.stop()).toEqual({ code: 0, signal: null });
});

const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .map(Number);
