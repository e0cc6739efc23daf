import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Key, TestGateway } from '../support/gateway.js';
import { LimitCalls } from '../support/limit-calls.js';
import { untilPasses } from '../support/poll.js';
import { startGateway } from '../support/ready-gateway.js';

const CHAT = '/v1/chat/completions';

let gateway: TestGateway;
let key: Key;
let limits: LimitCalls;
beforeAll(async () => {
  gateway = await startGateway({ GW_UPSTREAM_HEAD_TIMEOUT_MS: '1000' });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.upstream.reset();
  key = await gateway.createKey();
  limits = new LimitCalls(gateway, { scope: 'key', key_id: key.id, period: 'month', measure: 'output_tokens' });
});

/** Sends a request with at most 500 output tokens. Returns what is used when nothing is reserved any more. */
async function usedBy(request: () => Promise<unknown>): Promise<unknown> {
  const { id } = await limits.create({ amount: 1_000_000 });
  await request();
  await gateway.upstream.received(0);
  await untilPasses(async () => expect((await limits.get(id)).reserved).toBe(0));
  return (await limits.get(id)).used;
}
const chat = (options: { signal?: AbortSignal } = {}) => gateway.chat(key, { max_tokens: 500 }, options);

describe('the reserved output of a request without a response', () => {
  test('the reserved output counts if the provider did not respond in time', async () => {
    gateway.upstream.on('POST', CHAT, () => {});
    expect(await usedBy(async () => expect((await chat()).status).toBe(502))).toBe(500);
  });

  test('the reserved output counts if the provider closed the connection after it had received the request', async () => {
    gateway.upstream.on('POST', CHAT, (_, response) => void response.destroy());
    expect(await usedBy(async () => expect((await chat()).status).toBe(502))).toBe(500);
  });

  test('the reserved output counts if the client disconnected before the response', async () => {
    gateway.upstream.on('POST', CHAT, () => {});
    const used = await usedBy(async () => {
      const abort = new AbortController();
      const response = chat({ signal: abort.signal }).catch(() => null);
      await gateway.upstream.received(0);
      abort.abort();
      await response;
    });
    expect(used).toBe(500);
  });
});

test('nothing counts if the provider returned an error', async () => {
  gateway.upstream.on('POST', CHAT, () => ({ status: 500, body: { error: { message: 'Broken.' } } }));
  expect(await usedBy(async () => expect((await chat()).status).toBe(502))).toBe(0);
});
