import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { UPSTREAM_KEY, type Key, type TestGateway } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';

const CHAT_PATH = '/v1/chat/completions';
const MESSAGES_PATH = '/v1/messages';
const RESPONSES_PATH = '/v1/responses';
const JSON_TYPE = 'application/json';
const SSE = 'text/event-stream';

let gateway: TestGateway;
beforeAll(async () => {
  // Without a sample, only failed requests are logged.
  gateway = await startGateway({ GW_LOG_SAMPLE_RATE: '0' });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

const messages = [{ role: 'user', content: 'Hello' }];
const BODIES: Readonly<Record<string, object>> = {
  [CHAT_PATH]: { model: 'gpt-4o-mini', messages },
  [MESSAGES_PATH]: { model: 'claude-3-haiku-20240307', max_tokens: 9, messages },
  [RESPONSES_PATH]: { model: 'gpt-4o-mini', input: 'Hello' },
};

function ask(key: Key, path: string, type: string, received: string) {
  gateway.upstream.on('POST', path, (_request, response) => {
    response.writeHead(200, { 'content-type': type }).end(received);
  });
  return gateway.call('POST', path, { key, body: { ...BODIES[path], stream: type === SSE } });
}
async function totals({ id }: Key) {
  let figures: Record<string, number> = {};
  await until(async () => {
    const usage = await gateway.admin<{ totals: Record<string, number> }>('GET', `/admin/usage?key_id=${id}`);
    figures = usage.body.totals;
    return figures['requests'] === 1;
  });
  return figures;
}
async function logged(requestId: string) {
  const path = `/admin/request-logs?request_id=${requestId}`;
  const { body } = await gateway.admin<{ logs: Record<string, unknown>[] }>('GET', path);
  return body.logs[0];
}
/** Waits, because usage and log entries are written by different statements. */
async function entryOf(requestId: string) {
  let entry: Record<string, unknown> | undefined;
  await until(async () => (entry = await logged(requestId)) !== undefined);
  return entry;
}

describe('200 response that contains an error', () => {
  const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const overloaded = { error: { type: 'overloaded_error', message: `No room for Bearer ${UPSTREAM_KEY}` } };

  test.each<[string, string, string]>([
    [CHAT_PATH, JSON_TYPE, JSON.stringify(overloaded)],
    [CHAT_PATH, SSE, `data: ${JSON.stringify(overloaded)}\n\ndata: [DONE]\n\n`],
    [MESSAGES_PATH, SSE, event('error', { type: 'error', ...overloaded })],
    [RESPONSES_PATH, SSE, event('response.failed', { type: 'response.failed', response: overloaded })],
    [RESPONSES_PATH, JSON_TYPE, JSON.stringify({ id: 'resp_1', status: 'failed', ...overloaded, usage: null })],
  ])('the response is recorded as failed, without the credential, on %s, as %s: %s', async (path, type, response) => {
    const key = await gateway.createKey();
    const { status, text, headers } = await ask(key, path, type, response);
    expect([status, text]).toEqual([200, response.replace(UPSTREAM_KEY, '[redacted]')]);
    expect(Number(headers.get('content-length') ?? text.length)).toBe(text.length);
    expect(await totals(key)).toMatchObject({ requests: 1, errors: 1 });
    expect(await entryOf(headers.get('x-request-id')!)).toMatchObject({
      status: 200,
      error_code: 'upstream_error',
      error_message: 'No room for Bearer [redacted]',
    });
  });

  test('the reported usage is recorded despite the error', async () => {
    const key = await gateway.createKey();
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    const response = `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: ${JSON.stringify(overloaded)}\n\n`;
    await ask(key, CHAT_PATH, SSE, response);
    expect(await totals(key)).toMatchObject({ errors: 1, input_tokens: 5, output_tokens: 2, estimated_tokens: 0 });
  });

  test('a JSON error without usage costs no tokens', async () => {
    const key = await gateway.createKey();
    await ask(key, CHAT_PATH, JSON_TYPE, JSON.stringify(overloaded));
    expect(await totals(key)).toMatchObject({ errors: 1, total_tokens: 0 });
  });

  test('an error without a readable message is recorded with a generic message', async () => {
    const key = await gateway.createKey();
    const { headers } = await ask(key, CHAT_PATH, JSON_TYPE, '{"error":{"code":5}}');
    await totals(key);
    expect(await entryOf(headers.get('x-request-id')!)).toMatchObject({
      error_message: 'The upstream reported an error.',
    });
  });
});

test('a stream that breaks after its headers is not an error, because its status was 200', async () => {
  const key = await gateway.createKey();
  gateway.upstream.on('POST', CHAT_PATH, (_request, response) => {
    response.writeHead(200, { 'content-type': SSE }).write('data: {"choices":[]}\n\n', () => response.destroy());
  });
  await expect(gateway.chat(key, { stream: true })).rejects.toThrow();
  expect(await totals(key)).toMatchObject({ requests: 1, errors: 0 });
});

test('a 200 response without an error is neither logged nor counted as an error', async () => {
  const key = await gateway.createKey();
  const response = { choices: [{ message: { content: '{"error":{"message":"quoted"}}' } }], error: null };
  const { headers } = await ask(key, CHAT_PATH, JSON_TYPE, JSON.stringify(response));
  expect(await totals(key)).toMatchObject({ requests: 1, errors: 0 });
  expect(await logged(headers.get('x-request-id')!)).toBeUndefined();
});
