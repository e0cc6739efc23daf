import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { Key, TestGateway } from '../../../support/gateway.js';
import { LimitCalls } from '../../../support/limit-calls.js';
import { untilPasses } from '../../../support/poll.js';
import { startGateway } from '../../../support/ready-gateway.js';
import { postHead, Wire } from '../../../support/wire.js';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const SAID = [{ role: 'user', content: 'Hello' }];
/** About 600 tokens. */
const TEXT = 'lorem ipsum dolor sit amet '.repeat(100);

let gateway: TestGateway;
let key: Key;
let limits: LimitCalls;
beforeAll(async () => {
  gateway = await startGateway({ GW_UPSTREAM_HEAD_TIMEOUT_MS: '1000', GW_UPSTREAM_IDLE_TIMEOUT_MS: '1000' });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.upstream.reset();
  key = await gateway.createKey();
  limits = new LimitCalls(gateway, { scope: 'key', key_id: key.id, period: 'month', measure: 'output_tokens' });
});

/** Returns the output tokens that are used when nothing is reserved any more. */
async function usedBy(request: () => Promise<unknown>, limit: object = {}): Promise<number> {
  const { id } = await limits.create({ amount: 1_000_000, ...limit });
  await request();
  await gateway.upstream.received(0);
  await untilPasses(async () => expect((await limits.get(id)).reserved).toBe(0));
  return Number((await limits.get(id)).used);
}
const chat = (fields: object = {}) => gateway.chat(key, { max_tokens: 5000, ...fields });

/** Sends a request and disconnects as soon as `text` has arrived, or the provider has the request. */
async function leaveAfter(text: string | null, body: object, path = CHAT): Promise<void> {
  const wire = await Wire.open(gateway.port);
  const json = JSON.stringify(body);
  wire.write(postHead(path, key.key, 'Content-Type: application/json', `Content-Length: ${json.length}`) + json);
  await gateway.upstream.received(0);
  if (text !== null) await untilPasses(() => expect(wire.unread).toContain(text));
  wire.close();
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const part = (content: string, fields: object = {}) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: null }], ...fields });
const usage = (output: number) => ({ usage: { prompt_tokens: 9, completion_tokens: output } });

/** The provider sends these events, and leaves the stream open. */
function streams(...events: string[]): void {
  const open = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events.join(''));
  };
  for (const path of [CHAT, MESSAGES]) gateway.upstream.on('POST', path, (_, response) => open(response));
}

describe('a request without a response', () => {
  test('the reserved output counts if the provider did not respond in time', async () => {
    gateway.upstream.on('POST', CHAT, () => {});
    expect(await usedBy(async () => expect((await chat({ max_tokens: 500 })).status).toBe(502))).toBe(500);
  });

  test('the reserved output counts if the provider closed the connection after it had received the request', async () => {
    gateway.upstream.on('POST', CHAT, (_, response) => void response.destroy());
    expect(await usedBy(async () => expect((await chat({ max_tokens: 500 })).status).toBe(502))).toBe(500);
  });

  test.each([
    [{ max_tokens: 500 }, {}, 500],
    [{ max_tokens: 500, n: 100 }, {}, 500],
    [{ max_tokens: 16_000, n: 10 }, {}, 4096],
    [{ max_tokens: 16_000, n: 10 }, { reserve: 'full' }, 4096],
    [{ model: 'o3-mini', max_completion_tokens: 16_000 }, { reserve: 'none' }, 4096],
  ])('one typical choice counts if the client left before the response: %j, %j', async (fields, limit, counted) => {
    gateway.upstream.on('POST', CHAT, () => {});
    const body = { model: 'gpt-4o', messages: SAID, ...fields };
    expect(await usedBy(() => leaveAfter(null, body), limit)).toBe(counted);
  });

  test('nothing counts if the provider returned an error', async () => {
    gateway.upstream.on('POST', CHAT, () => ({ status: 500, body: { error: { message: 'Broken.' } } }));
    expect(await usedBy(async () => expect((await chat()).status).toBe(502))).toBe(0);
  });
});

describe('a JSON response that does not arrive completely', () => {
  const body = JSON.stringify({ choices: [{ message: { content: TEXT } }] }).slice(0, 2000);

  test.each<[string, (response: ServerResponse) => void]>([
    ['breaks', (response) => response.socket?.end()],
    ['stalls', () => {}],
  ])('at least the reserved output counts if it %s', async (_, then) => {
    gateway.upstream.on('POST', CHAT, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100_000 });
      response.write(body, () => then(response));
    });
    expect(await usedBy(async () => expect((await chat()).status).toBe(502))).toBe(4096);
  });

  test('all choices count, because the provider has generated them', async () => {
    gateway.upstream.on('POST', CHAT, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100_000 });
      response.write(body, () => response.socket?.end());
    });
    expect(await usedBy(() => chat({ max_tokens: 500, n: 3 }))).toBe(1500);
  });
});

describe('a stream without a complete report', () => {
  const leave = (model: string, text: string, fields: object = {}) =>
    leaveAfter(text, { model, messages: SAID, max_tokens: 5000, stream: true, ...fields });
  const include = { stream_options: { include_usage: true } };
  const isAbout600 = (tokens: number) => {
    expect(tokens).toBeGreaterThan(400);
    expect(tokens).toBeLessThan(900);
  };

  test('the text that arrived counts if the model shows all of its output', async () => {
    streams(part(TEXT));
    isAbout600(await usedBy(() => leave('gpt-4o', 'lorem', include)));
  });

  test.each(['o3-mini', 'acme-custom-1'])(
    'the maximum of one choice counts if the model can hide reasoning: %s',
    async (model) => {
      streams(part(TEXT));
      expect(await usedBy(() => leave(model, 'lorem', include))).toBe(5000);
    },
  );

  test('the maximum of one choice counts if the provider ended the stream', async () => {
    streams(part(TEXT));
    const request = () => gateway.chat(key, { model: 'o3-mini', max_completion_tokens: 7000, stream: true });
    expect(await usedBy(() => request().catch(() => null))).toBe(7000);
  });

  test('the text of a message counts if its model cannot think', async () => {
    const start = { type: 'message_start', message: { usage: { input_tokens: 9, output_tokens: 1 } } };
    const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } };
    streams(event(start), event(text));
    const body = { model: 'claude-3-5-sonnet-20241022', messages: SAID, max_tokens: 5000, stream: true };
    isAbout600(await usedBy(() => leaveAfter('lorem', body, MESSAGES)));
  });

  test('the text that arrived counts if the provider had reported less so far', async () => {
    streams(part('Hello', usage(1)), part(TEXT));
    isAbout600(await usedBy(() => leave('gpt-4o', 'lorem', include)));
    const recorded = () => gateway.admin<{ totals: object }>('GET', `/admin/usage?key_id=${key.id}`);
    await untilPasses(async () =>
      expect((await recorded()).body.totals).toMatchObject({ output_tokens: 1, estimated_tokens: 0 }),
    );
  });

  test('the reported usage counts if the client left after the complete report', async () => {
    streams(part(TEXT), event({ choices: [], ...usage(700) }));
    expect(await usedBy(() => leave('o3-mini', '"completion_tokens":700', include))).toBe(700);
  });

  test('nothing counts if the provider reported an error before any output', async () => {
    gateway.upstream.on('POST', CHAT, () => ({
      headers: { 'content-type': 'text/event-stream' },
      chunks: [event({ error: { message: 'Overloaded.' } })],
    }));
    expect(await usedBy(() => chat({ model: 'o3-mini', stream: true }))).toBe(0);
  });
});
