import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Key, TestGateway } from '../../support/gateway.js';
import { LimitCalls } from '../../support/limit-calls.js';
import { untilPasses } from '../../support/poll.js';
import { startGateway } from '../../support/ready-gateway.js';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const CLAUDE = 'claude-3-5-sonnet-20241022';
const TEXT = 'lorem ipsum '.repeat(40_000);

let gateway: TestGateway;
let key: Key;
let limits: LimitCalls;
beforeAll(async () => {
  gateway = await startGateway({ GW_VALIDATION: 'provider' });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.upstream.reset();
  key = await gateway.createKey();
  limits = new LimitCalls(gateway, { scope: 'key', key_id: key.id, period: 'month', reserve: 'full' });
});

const TOKENS = { measure: 'tokens', amount: 50_000_000 };

/** The tokens or dollars that a request reserves while the provider processes it. */
async function reservedBy(path: string, body: object, limit: object = TOKENS): Promise<number> {
  const { id } = await limits.create(limit);
  let finish = () => {};
  gateway.upstream.on('POST', path, () => new Promise((resolve) => (finish = () => resolve({ body: {} }))));
  const response = gateway.call('POST', path, { key, body });
  await Promise.race([gateway.upstream.received(0), response]);
  const { reserved } = await limits.get(id);
  finish();
  await response;
  return Number(reserved);
}

const said = (content: unknown, fields: object = {}) => ({
  model: 'gpt-4o',
  max_tokens: 1,
  messages: [{ role: 'user', content }],
  ...fields,
});
const claude = (fields: object) => said('x', { model: CLAUDE, ...fields });

describe('a full reservation', () => {
  const toolUse = {
    type: 'tool_use',
    id: 'toolu_1',
    name: 'f',
    input: { data: `${'a'.repeat(256)} ${TEXT} ${'a'.repeat(256)}` },
  };

  test.each<[string, string, object, number]>([
    ['a field `input` of another route', CHAT, said(TEXT, { input: [1] }), 400_000],
    ['a field `prompt` of another route', MESSAGES, claude({ prompt: [1], system: TEXT }), 400_000],
    ['a maximum of another route', MESSAGES, claude({ max_tokens: 8000, max_completion_tokens: 1 }), 8000],
    ['a second maximum', CHAT, said('x', { max_tokens: 8000, max_completion_tokens: 1 }), 8000],
    [
      'text between two pieces of base64',
      MESSAGES,
      claude({ messages: [{ role: 'assistant', content: [toolUse] }] }),
      400_000,
    ],
    ['a number of choices that no provider accepts', CHAT, said('x', { max_tokens: 1000, n: 2000 }), 2_000_000],
    [
      'stored items',
      '/v1/responses',
      { model: 'gpt-4o', input: [{ type: 'item_reference', id: 'msg_1' }], max_output_tokens: 1 },
      100_000,
    ],
  ])('a full reservation is not reduced by %s', async (_, path, body, atLeast) => {
    expect(await reservedBy(path, body)).toBeGreaterThanOrEqual(atLeast);
  });

  test('a full reservation is not reduced by a WAV header in a text field', async () => {
    const { id } = await limits.create({ measure: 'cost', amount: '100' });
    const headers = { 'content-type': 'text/plain' };
    gateway.upstream.on('POST', '/v1/audio/transcriptions', () => ({ body: 'Hello.', headers }));
    const form = new FormData();
    form.set('model', 'whisper-1');
    form.set('prompt', `RIFF    WAVEfmt ${'a'.repeat(40)}`);
    form.set('response_format', 'text');
    form.set('file', new Blob([Buffer.alloc(2_400_000)]), 'a.mp3');
    expect((await gateway.call('POST', '/v1/audio/transcriptions', { key, form })).status).toBe(200);
    // 53 minutes at 6 kbit/s, at $0.006 each.
    await untilPasses(async () => expect(await limits.get(id)).toMatchObject({ reserved: '0', used: '0.32' }));
  });
});

test.each([{ models: ['o1'] }, { fallbacks: ['o1'] }, { extra_body: { models: ['o1'] } }])(
  'a request reserves the price of its most expensive fallback: %j',
  async (fields) => {
    // 480,000 bytes at $15 per million tokens, instead of $2.50.
    expect(await reservedBy(CHAT, said(TEXT, fields), { measure: 'cost', amount: '1000' })).toBeGreaterThan(7);
  },
);

test('a request cannot reserve more output than its model can generate', async () => {
  expect(await reservedBy(CHAT, said('x', { max_tokens: 2_000_000_000 }))).toBeLessThan(17_000);
});
