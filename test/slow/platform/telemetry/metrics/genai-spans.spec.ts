import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  RESPONSE as MESSAGE_RESPONSE,
  MESSAGE,
  STREAM as MESSAGE_STREAM,
  answering,
} from '../../../../support/message-responses.js';
import { respondToResponses, REQUEST } from '../../../../support/responses-api-responses.js';
import { UPSTREAM_KEY, type Key, type TestGateway } from '../../../../support/gateway.js';
import { startGateway } from '../../../../support/ready-gateway.js';
import { startReceiver, type OtlpReceiver, type ReceivedSpan } from '../../../../support/otlp-receiver.js';

const CLIENT = 3;
const CHAT = '/v1/chat/completions';

let receiver: OtlpReceiver;
let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, GW_PROFILE: 'current' });
  key = await gateway.createKey();
});
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});
beforeEach(() => gateway.upstream.reset());

async function clientSpan(path: string, body: unknown, signal?: AbortSignal): Promise<ReceivedSpan> {
  const traceId = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
  await gateway.call('POST', path, { key, body, headers, ...(signal ? { signal } : {}) }).catch(() => undefined);
  const spans = await receiver.trace(traceId, 2);
  return spans.find(({ kind }) => kind === CLIENT)!;
}

const chat = (fields: object) => ({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }], ...fields });

const genai = ({ attributes }: ReceivedSpan, part: 'request' | 'response') =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => name.startsWith(`gen_ai.${part}.`) && !name.endsWith('time_to_first_chunk'))
      .map(([name, value]) => [name.slice(`gen_ai.${part}.`.length), value]),
  );

/** Sends the text in chunks of a few bytes, so that no event arrives whole. */
const inPieces = (text: string, bytes = 7) => {
  const buffer = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(buffer.length / bytes) }, (_, at) =>
    buffer.subarray(at * bytes, (at + 1) * bytes).toString('latin1'),
  );
  return chunks.map((chunk) => Buffer.from(chunk, 'latin1'));
};

describe('response attributes of the client span', () => {
  test.each([true, false])('a chat stream has model, ID and finish reason (usage requested: %s)', async (usage) => {
    const span = await clientSpan(CHAT, chat({ stream: true, stream_options: { include_usage: usage } }));
    expect(genai(span, 'response')).toEqual({
      model: 'gpt-4o-mini',
      id: 'chatcmpl-scripted1',
      finish_reasons: ['stop'],
    });
    expect(span.attributes['gen_ai.request.stream']).toBe(true);
    expect(span.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0);
  });

  test('a chat stream with several choices has one finish reason per choice, in the order of the choices', async () => {
    const chunk = (index: number, finish_reason: string | null) =>
      `data: ${JSON.stringify({ id: 'chatcmpl-2', model: 'gpt-4o-mini', choices: [{ index, delta: {}, finish_reason }] })}\n\n`;
    const text = `${chunk(1, 'length')}${chunk(0, null)}${chunk(0, 'stop')}data: [DONE]\n\n`;
    gateway.upstream.on('POST', CHAT, async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of inPieces(text)) await new Promise((resolve) => response.write(piece, resolve));
      response.end();
    });
    const span = await clientSpan(CHAT, chat({ stream: true, n: 2 }));
    expect(genai(span, 'response')).toMatchObject({ id: 'chatcmpl-2', finish_reasons: ['stop', 'length'] });
  });

  test('a buffered chat response with several choices has one finish reason per choice', async () => {
    const choices = ['stop', 'length'].map((finish_reason, index) => ({ index, message: {}, finish_reason }));
    gateway.upstream.on('POST', CHAT, () => ({ body: { choices, id: 'chatcmpl-3', model: 'gpt-4o-mini' } }));
    const span = await clientSpan(CHAT, chat({ n: 2 }));
    expect(genai(span, 'response')).toEqual({
      model: 'gpt-4o-mini',
      id: 'chatcmpl-3',
      finish_reasons: ['stop', 'length'],
    });
  });

  test.each([true, false])('a message has model, ID and stop reason (stream: %s)', async (stream) => {
    gateway.upstream.on('POST', '/v1/messages', answering(MESSAGE_RESPONSE, MESSAGE_STREAM));
    const span = await clientSpan('/v1/messages', { ...MESSAGE, stream });
    expect(genai(span, 'response')).toEqual({
      model: MESSAGE.model,
      id: 'msg_scripted1',
      finish_reasons: ['end_turn'],
    });
    expect(span.name).toBe(`chat ${MESSAGE.model}`);
    expect(span.attributes).toMatchObject({ 'gen_ai.provider.name': 'anthropic', 'gen_ai.request.max_tokens': 64 });
  });

  test.each([true, false])('a response has model, ID and status (stream: %s)', async (stream) => {
    gateway.upstream.on('POST', '/v1/responses', respondToResponses);
    const span = await clientSpan('/v1/responses', { ...REQUEST, stream });
    expect(genai(span, 'response')).toMatchObject({ model: REQUEST.model, finish_reasons: ['completed'] });
    expect(span.attributes['gen_ai.response.id']).toMatch(/^resp_/);
  });

  test('a stream that the client leaves has the finish reason error', async () => {
    const abort = new AbortController();
    gateway.upstream.on('POST', CHAT, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"id":"chatcmpl-4","model":"gpt-4o-mini","choices":[]}\n\n', () => abort.abort());
    });
    const span = await clientSpan(CHAT, chat({ stream: true }), abort.signal);
    expect(span.attributes).toMatchObject({ 'error.type': 'aborted', 'gen_ai.response.finish_reasons': ['error'] });
    expect(span.status.code).toBe(2);
  });

  test('credentials that the provider echoes are not exported', async () => {
    const body = { id: UPSTREAM_KEY, model: `sk-gw-${'a'.repeat(40)}`, choices: [{ finish_reason: UPSTREAM_KEY }] };
    gateway.upstream.on('POST', CHAT, () => ({ body }));
    const span = await clientSpan(CHAT, chat({}));
    expect(span.attributes['gen_ai.response.id']).toBeUndefined();
    expect(receiver.text).not.toContain(UPSTREAM_KEY);
    expect(receiver.text).not.toContain('a'.repeat(40));
  });
});

describe('request attributes of the client span', () => {
  test('parameters of the body are attributes, and texts are not', async () => {
    const fields = {
      max_completion_tokens: 100,
      temperature: 0.5,
      top_p: 1,
      n: 2,
      seed: 7,
      frequency_penalty: 0.1,
      presence_penalty: -0.2,
      reasoning_effort: 'low',
      response_format: { type: 'json_object' },
      stop: ['text-of-the-caller'],
      user: 'text-of-the-caller',
    };
    const span = await clientSpan(CHAT, chat(fields));
    expect(genai(span, 'request')).toEqual({
      model: 'gpt-4o-mini',
      max_tokens: 100,
      temperature: 0.5,
      top_p: 1,
      'choice.count': 2,
      seed: 7,
      frequency_penalty: 0.1,
      presence_penalty: -0.2,
      'reasoning.level': 'low',
    });
    expect(span.attributes['gen_ai.output.type']).toBe('json');
    expect(receiver.text).not.toContain('text-of-the-caller');
  });

  test('a zero is an attribute', async () => {
    const span = await clientSpan(CHAT, chat({ temperature: 0, seed: 0 }));
    expect(genai(span, 'request')).toMatchObject({ temperature: 0, seed: 0 });
  });

  test('embeddings have their dimensions and encoding', async () => {
    gateway.upstream.on('POST', '/v1/embeddings', () => ({
      body: { object: 'list', data: [], model: 'text-embedding-3-small', usage: { prompt_tokens: 2, total_tokens: 2 } },
    }));
    const fields = { model: 'text-embedding-3-small', input: 'Hi', dimensions: 256, encoding_format: 'base64' };
    const span = await clientSpan('/v1/embeddings', fields);
    expect(span.name).toBe('embeddings text-embedding-3-small');
    expect(span.attributes).toMatchObject({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.embeddings.dimension.count': 256,
      'gen_ai.request.encoding_formats': ['base64'],
      'gen_ai.response.model': 'text-embedding-3-small',
      'gen_ai.usage.input_tokens': 2,
    });
  });
});

test('a route that calls no model has HTTP attributes only, without the query', async () => {
  const traceId = randomBytes(16).toString('hex');
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
  gateway.upstream.on('GET', '/v1/files/file-1', () => ({ body: { id: 'file-1' } }));
  await gateway.call('GET', '/v1/files/file-1?after=query-of-the-caller', { key, headers: { traceparent } });
  const spans = await receiver.trace(traceId, 2);
  const client = spans.find(({ kind }) => kind === CLIENT)!;
  const server = spans.find(({ kind }) => kind !== CLIENT)!;
  expect([server.name, client.name]).toEqual(['GET /v1/files/{file_id}', 'GET']);
  expect(server.attributes).toMatchObject({ 'url.path': '/v1/files/file-1', 'http.route': '/v1/files/{file_id}' });
  expect(client.attributes['url.full']).toBe(`${gateway.upstream.url}/files/file-1`);
  expect(Object.keys(client.attributes).filter((name) => name.startsWith('gen_ai.'))).toEqual([]);
  expect(receiver.text).not.toContain('query-of-the-caller');
});

test('the path of an unknown route is not exported, because it can be a credential', async () => {
  const traceId = randomBytes(16).toString('hex');
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
  await gateway.call('GET', '/v1/credential-in-the-path', { key, headers: { traceparent } });
  const [server] = await receiver.trace(traceId, 1);
  expect([server!.name, server!.attributes['url.path']]).toEqual(['GET', '/v1/[redacted]']);
  expect(receiver.text).not.toContain('credential-in-the-path');
});
