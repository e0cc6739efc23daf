import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Tracing } from '../../../../src/platform/telemetry/tracing/tracing.js';
import { UPSTREAM_KEY, type Key, type TestGateway } from '../../../support/gateway.js';
import { startGateway } from '../../../support/ready-gateway.js';
import { startReceiver, type OtlpReceiver, type ReceivedSpan } from '../../../support/otlp-receiver.js';

const [SERVER, CLIENT] = [2, 3];
const CHAT = '/v1/chat/completions';

let receiver: OtlpReceiver;
let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startGateway({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  });
  key = await gateway.createKey();
});
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});
beforeEach(() => gateway.upstream.reset());

const parentOf = (flags = '01') => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
};
const byKind = (spans: readonly ReceivedSpan[], kind: number) => spans.find((span) => span.kind === kind)!;
const forwardedTraceparent = () => gateway.upstream.requests.at(-1)!.header('traceparent');

async function spansOf(traceId: string, count: number): Promise<{ server: ReceivedSpan; client: ReceivedSpan }> {
  const spans = await receiver.trace(traceId, count);
  return { server: byKind(spans, SERVER), client: byKind(spans, CLIENT) };
}

describe('tracing with a collector', () => {
  test('a request has a server span by the HTTP conventions and a client span by the GenAI conventions, without secrets', async () => {
    const { traceId, spanId, traceparent } = parentOf();
    const secret = 'sk-test-secret-in-a-body';
    const response = await gateway.chat(
      key,
      { messages: [{ role: 'user', content: secret }] },
      { headers: { traceparent, tracestate: 'vendor=state-of-the-caller', 'x-secret': 'secret-in-a-header' } },
    );
    const up = forwardedTraceparent();
    const stateUp = gateway.upstream.requests.at(-1)!.header('tracestate');
    const { server, client } = await spansOf(traceId, 2);
    expect([server.name, server.parentSpanId]).toEqual([`POST ${CHAT}`, spanId]);
    expect([client.name, client.parentSpanId]).toEqual(['chat gpt-4o-mini', server.spanId]);
    expect(up).toBe(`00-${traceId}-${client.spanId}-01`);
    expect(stateUp).toBe('vendor=state-of-the-caller');
    const [own, upstream] = [new URL(gateway.url), new URL(gateway.upstream.url)];
    expect(server.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': CHAT,
      'http.response.status_code': 200,
      'url.path': CHAT,
      'url.scheme': 'http',
      'server.address': own.hostname,
      'server.port': Number(own.port),
      'network.protocol.version': '1.1',
      'gateway.request.id': response.headers.get('x-request-id'),
      'gateway.api_key.id': key.id,
      'gateway.model': 'gpt-4o-mini',
    });
    expect(client.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'url.full': `${gateway.upstream.url}/chat/completions`,
      'url.scheme': 'http',
      'server.address': upstream.hostname,
      'server.port': Number(upstream.port),
      'network.protocol.version': '1.1',
      'gateway.api_key.id': key.id,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o-mini',
      'gen_ai.response.model': 'gpt-4o-mini',
      'gen_ai.response.id': expect.stringMatching(/^chatcmpl-/),
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.output_tokens': 3,
    });
    const inside = BigInt(client.startTimeUnixNano) >= BigInt(server.startTimeUnixNano);
    expect(inside && BigInt(client.endTimeUnixNano) <= BigInt(server.endTimeUnixNano)).toBe(true);
    expect(receiver.resource).toMatchObject({ 'service.name': 'inference-gateway', 'service.version': 'test' });
    for (const text of [secret, 'secret-in-a-header', 'state-of-the-caller', key.key, UPSTREAM_KEY, 'Hello there']) {
      expect(receiver.text).not.toContain(text);
    }
  });

  test('spans record upstream failures, rejections and client disconnects', async () => {
    const [failed, refused, left] = [parentOf(), parentOf(), parentOf()];
    const headers = ({ traceparent }: { traceparent: string }) => ({ headers: { traceparent } });
    gateway.upstream.on('POST', CHAT, (_request, response) => void response.writeHead(500).end());
    await gateway.chat(key, {}, headers(failed));
    await gateway.chat(key, { model: `${key.key}-pasted-into-the-wrong-field` }, headers(refused));
    gateway.upstream.on('POST', CHAT, () => {});
    const abort = new AbortController();
    const sent = gateway.upstream.requests.length;
    const received = gateway.chat(key, {}, { ...headers(left), signal: abort.signal });
    await gateway.upstream.received(sent);
    abort.abort();
    await expect(received).rejects.toThrow();

    const of = await spansOf(failed.traceId, 2);
    expect(of.server.attributes).toMatchObject({ 'http.response.status_code': 502, 'error.type': 'upstream_error' });
    expect(of.client.attributes).toMatchObject({ 'http.response.status_code': 500, 'error.type': '500' });
    expect([of.server.status.code, of.client.status.code]).toEqual([2, 2]);
    const { server } = await spansOf(refused.traceId, 1);
    expect(server.attributes).toMatchObject({ 'http.response.status_code': 403, 'error.type': 'model_not_available' });
    expect(server.status.code).not.toBe(2);
    expect(receiver.text).not.toContain(key.key);
    const gone = await spansOf(left.traceId, 2);
    expect(gone.server.attributes).toMatchObject({ 'error.type': 'aborted' });
    expect(gone.client.attributes).toMatchObject({ 'error.type': 'aborted' });
  });

  test('an unsampled trace is not exported, but is forwarded with the span of the gateway', async () => {
    const kept = parentOf();
    const unkept = parentOf('00');
    await gateway.chat(key, {}, { headers: { traceparent: unkept.traceparent } });
    expect(forwardedTraceparent()).toMatch(new RegExp(`^00-${unkept.traceId}-(?!${unkept.spanId})[0-9a-f]{16}-00$`));
    await gateway.chat(key, {}, { headers: { traceparent: kept.traceparent } });
    await spansOf(kept.traceId, 2);
    expect(receiver.spans.filter(({ traceId }) => traceId === unkept.traceId)).toEqual([]);
  });

  test.each(['', 'garbage', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, `ff-${'1'.repeat(32)}-${'1'.repeat(16)}-01`])(
    'the invalid traceparent %j starts a new trace and drops the tracestate',
    async (traceparent) => {
      await gateway.chat(key, {}, { headers: { traceparent, tracestate: 'a=b' } });
      expect(forwardedTraceparent()).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
      expect(forwardedTraceparent()).not.toContain('1'.repeat(16));
      expect(gateway.upstream.requests.at(-1)!.header('tracestate')).toBeUndefined();
    },
  );
});

test('trace headers are forwarded unchanged without a collector', async () => {
  const plain = await startGateway({}, { upstream: gateway.upstream });
  try {
    const own = await plain.createKey();
    for (const traceparent of [parentOf().traceparent, 'garbage']) {
      await plain.chat(own, {}, { headers: { traceparent, tracestate: 'a=b' } });
      expect(forwardedTraceparent()).toBe(traceparent);
      expect(gateway.upstream.requests.at(-1)!.header('tracestate')).toBe('a=b');
    }
    expect(plain.app.get(Tracing, { strict: false }).begin({ headers: {}, url: CHAT } as never, 0)).toBeNull();
  } finally {
    await plain.stop();
  }
});
