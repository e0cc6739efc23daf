import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { MetricExport } from '../../../../../src/platform/telemetry/otlp/metric-export.js';
import { Config } from '../../../../../src/platform/config/config.js';
import { readMetricsOf } from '../../../../../src/start/metrics-sources.js';
import type { TestGateway } from '../../../../support/gateway.js';
import { startGateway } from '../../../../support/ready-gateway.js';
import { startGrpcReceiver, startReceiver, type OtlpReceiver } from '../../../../support/otlp-receiver.js';
import { until } from '../../../../support/until.js';

const CHAT = '/v1/chat/completions';
const PROTOCOLS = ['http/json', 'http/protobuf', 'grpc'] as const;
type Protocol = (typeof PROTOCOLS)[number];

let receiver: OtlpReceiver;
let gateway: TestGateway;
/** The number of chat requests to `gateway`. */
let chats = 0;
const begin = async (protocol: Protocol, env: Record<string, string> = {}) => {
  receiver = protocol === 'grpc' ? await startGrpcReceiver() : await startReceiver();
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol, ...env };
  gateway = await startGateway(settings);
  chats = 0;
};
const end = async () => {
  await gateway.stop();
  await receiver.stop();
};

const encodingOf = (protocol: Protocol) => (protocol === 'grpc' ? 'grpc-encoding' : 'content-encoding');

async function tracedChat(): Promise<string> {
  const traceId = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
  chats += 1;
  await gateway.chat(await gateway.createKey(), { temperature: 0.5 }, { headers });
  return traceId;
}

describe.each(PROTOCOLS)('traces by %s with settings of the environment', (protocol) => {
  const environment = {
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=gateway',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.namespace=ai',
  };
  beforeAll(async () => {
    Object.assign(process.env, environment);
    await begin(protocol);
  });
  afterAll(async () => {
    for (const name of Object.keys(environment)) delete process.env[name];
    await end();
  });

  test('traces arrive with all attributes, and with the headers and resource attributes of the environment', async () => {
    const spans = await receiver.trace(await tracedChat(), 2);
    const client = spans.find(({ kind }) => kind === 3)!;
    expect(client).toMatchObject({ name: 'chat gpt-4o-mini', parentSpanId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(client.attributes).toMatchObject({
      'http.response.status_code': 200,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.output_tokens': 3,
    });
    expect(receiver.resource).toMatchObject({
      'service.name': 'inference-gateway',
      'service.version': 'test',
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'service.namespace': 'ai',
      'deployment.environment.name': 'test',
    });
    expect(receiver.last.headers['x-tenant']).toBe('gateway');
    expect(receiver.last.path).toMatch(protocol === 'grpc' ? /TraceService\/Export$/ : /^\/v1\/traces$/);
  });

  test('traces arrive compressed if the environment requests it', async () => {
    await receiver.trace(await tracedChat(), 2);
    expect(receiver.last.headers[encodingOf(protocol)]).toBe('gzip');
  });
});

describe.each(PROTOCOLS)('exports by %s', (protocol) => {
  let metrics: ReturnType<typeof readMetricsOf>;
  beforeAll(async () => {
    await begin(protocol, { OTEL_METRICS_EXPORTER: 'otlp', OTEL_METRIC_EXPORT_INTERVAL: '1000' });
    metrics = readMetricsOf(gateway.app);
  });
  afterAll(end);
  beforeEach(() => receiver.fail(null));

  test('traces arrive again after the collector has closed its connections', async () => {
    await receiver.trace(await tracedChat(), 2);
    expect([undefined, 'identity']).toContain(receiver.last.headers[encodingOf(protocol)]);
    receiver.disconnect();
    await receiver.trace(await tracedChat(), 2);
  });

  test('traces arrive even if the collector briefly rejects them', async () => {
    receiver.fail(protocol === 'grpc' ? 14 : 503);
    const traceId = await tracedChat();
    // Protobuf contains the ID as bytes.
    const forms = [traceId, Buffer.from(traceId, 'hex').toString('latin1')];
    await until(() => forms.some((form) => receiver.text.includes(form)));
    receiver.fail(null);
    await receiver.trace(traceId, 2);
  });

  test('metrics arrive with the names, labels and values of Prometheus', async () => {
    await tracedChat();
    const before = receiver.metrics;
    const log = { log: () => undefined, warn: () => undefined };
    const exported = new MetricExport(gateway.app.get(Config), log, () => metrics.figures());
    try {
      await until(() => receiver.metrics !== before);
      const { kind, points } = receiver.metrics.get('gateway_requests_total')!;
      const point = points.find(({ attributes }) => attributes['route'] === CHAT)!;
      expect(kind).toBe('sum');
      expect(point.attributes).toEqual({ route: CHAT, status: '200', model: 'gpt-4o-mini' });
      expect(point.asDouble).toBe(chats);
      expect(Number(point.startTimeUnixNano)).toBeLessThanOrEqual(Date.now() * 1e6);

      const duration = receiver.metrics.get('gateway_request_duration_seconds')!;
      const histogram = duration.points.find(({ attributes }) => attributes['route'] === CHAT)!;
      expect([duration.kind, duration.unit, histogram.attributes]).toEqual(['histogram', 's', { route: CHAT }]);
      const counts = histogram.bucketCounts!.map(Number);
      expect(Number(histogram.count)).toBe(chats);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(chats);
      expect(histogram.explicitBounds!.length).toBe(counts.length - 1);
      expect(histogram.explicitBounds).toEqual(histogram.explicitBounds!.toSorted((a, b) => a - b));
      expect(receiver.metrics.get('gateway_requests_in_flight')!.kind).toBe('gauge');
      expect(receiver.metrics.get('process_resident_memory_bytes')!.unit).toBe('By');
      expect(receiver.resource['service.instance.id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(receiver.last.path).toMatch(protocol === 'grpc' ? /MetricsService\/Export$/ : /^\/v1\/metrics$/);
    } finally {
      await exported.stop();
    }
  });

  test('an outage of the collector is logged once, without text of the collector', async () => {
    const exports = () => receiver.text.split('gateway_info').length;
    const before = exports();
    receiver.fail(protocol === 'grpc' ? 16 : 401);
    const lines: string[] = [];
    const log = { log: (text: string) => lines.push(text), warn: (text: string) => lines.push(text) };
    const exported = new MetricExport(gateway.app.get(Config), log, () => metrics.figures());
    try {
      await until(() => exports() > before + 2);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^Cannot send metrics: /);
      expect(lines[0]).not.toContain('reason-of-the-collector');
      receiver.fail(null);
      await until(() => lines.length === 2);
      expect(lines[1]).toBe('The metrics collector accepts metrics again');
    } finally {
      await exported.stop();
    }
  });
});

test('requests are served and shutdown ends while a gRPC collector does not respond', async () => {
  await begin('grpc');
  receiver.disconnect();
  await receiver.stop();
  try {
    await tracedChat();
  } finally {
    await gateway.stop();
  }
});

test('OTEL_TRACES_EXPORTER=none creates no traces, and the client keeps its traceparent', async () => {
  await begin('http/json', { OTEL_TRACES_EXPORTER: 'none' });
  try {
    const traceId = await tracedChat();
    expect(gateway.upstream.requests.at(-1)!.header('traceparent')).toContain(traceId);
    expect(receiver.text).toBe('');
  } finally {
    await end();
  }
});
