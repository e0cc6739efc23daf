import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { Response, Key, TestGateway } from '../../support/gateway.js';
import { RESPONSE, MESSAGE } from '../../support/message-responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { chatCompletion } from '../../support/scripted-upstream-responses.js';
import { until } from '../../support/until.js';

const MESSAGES = '/v1/messages';
const CHAT = '/v1/chat/completions';
/** 20 tokens as the specification counts them, and 95 more that are read from or written to a cache. */
const ANTHROPIC = {
  input_tokens: 6,
  cache_read_input_tokens: 70,
  cache_creation_input_tokens: 25,
  output_tokens: 14,
};
const COUNTED = 20;
const ADDITIONAL = 95;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  gateway.upstream.on('POST', MESSAGES, () => ({ body: { ...RESPONSE, usage: ANTHROPIC } }));
});
afterAll(() => gateway.stop());

const createKey = (fields: Record<string, unknown>) => gateway.createKey(fields);
const message = (key: Key): Promise<Response> =>
  gateway.call('POST', MESSAGES, {
    key,
    headers: { 'anthropic-version': '2023-06-01' },
    body: MESSAGE,
  });

async function recordedOf({ id }: Key): Promise<{ counted: number; additional: number }> {
  const rows = await gateway.app.get(DataSource).query<{ counted: number; additional: number }[]>(
    `select (input_tokens + output_tokens)::int as counted, additional_tokens::int as additional
         from usage_monthly where key_id = $1 and requests > 0`,
    [id],
  );
  return rows[0] ?? { counted: 0, additional: 0 };
}
const untilRecorded = (key: Key) => until(async () => (await recordedOf(key)).counted > 0);

/** The tokens that each view shows as used. */
async function usedIn(key: Key): Promise<Record<string, number>> {
  const usage = await gateway.call<{ this_month: { tokens: { used: number; limit: number } } }>('GET', '/v1/usage', {
    key,
  });
  const quota = await gateway.admin<{ current: { month: { token_count: number; token_remaining: number } } }>(
    'GET',
    `/admin/api-keys/${key.id}/quota`,
  );
  const { limit, used } = usage.body.this_month.tokens;
  const { token_count, token_remaining } = quota.body.current.month;
  return {
    usage: used,
    quota: token_count,
    quotaRemaining: limit - token_remaining,
    headers: limit - Number(usage.headers.get('x-ratelimit-remaining-tokens')),
  };
}
const all = (used: number) => ({ usage: used, quota: used, quotaRemaining: used, headers: used });

test('by default, cache tokens in addition to the input do not count toward the token limit', async () => {
  const key = await createKey({ monthly_token_limit: COUNTED + 1 });
  expect((await message(key)).status).toBe(200);
  await untilRecorded(key);
  expect(await recordedOf(key)).toEqual({ counted: COUNTED, additional: ADDITIONAL });
  expect(await usedIn(key)).toEqual(all(COUNTED));
  expect((await message(key)).status).toBe(200);
});

test('with token_counting all, cache tokens count in every view, and the limit rejects the next request', async () => {
  const key = await createKey({ monthly_token_limit: COUNTED + ADDITIONAL, token_counting: 'all' });
  expect((await message(key)).status).toBe(200);
  await untilRecorded(key);
  expect(await usedIn(key)).toEqual(all(COUNTED + ADDITIONAL));
  const refused = await message(key);
  expect([refused.status, refused.headers.get('x-ratelimit-remaining-tokens')]).toEqual([429, '0']);
});

test('with token_counting all, a request passes while one token is left', async () => {
  const key = await createKey({ monthly_token_limit: COUNTED + ADDITIONAL + 1, token_counting: 'all' });
  await message(key);
  await untilRecorded(key);
  expect((await message(key)).status).toBe(200);
});

test('cached tokens in a chat completion are part of its input, and count once', async () => {
  const usage = { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 90 } };
  gateway.upstream.on('POST', CHAT, () => ({ body: chatCompletion('gpt-4o-mini', usage) }));
  const key = await createKey({ monthly_token_limit: 1000, token_counting: 'all' });
  await gateway.chat(key);
  await untilRecorded(key);
  expect(await recordedOf(key)).toEqual({ counted: 105, additional: 0 });
  expect(await usedIn(key)).toEqual(all(105));
});

test('a change of token_counting applies to the next request, in both directions, and is in the audit log', async () => {
  const key = await createKey({ monthly_token_limit: COUNTED + ADDITIONAL });
  await message(key);
  await untilRecorded(key);
  const patch = (token_counting: string) =>
    gateway.admin<{ token_counting: string }>('PATCH', `/admin/api-keys/${key.id}`, { token_counting });
  for (const [counting, status] of [
    ['all', 429],
    ['specification', 200],
  ] as const) {
    expect((await patch(counting)).body.token_counting).toBe(counting);
    const responses = await Promise.all(Array.from({ length: 8 }, () => message(key)));
    expect(responses.map((response) => response.status)).toEqual(Array<number>(8).fill(status));
  }
  const audit = await gateway.admin<{ logs: { metadata: { changes: object } }[] }>(
    'GET',
    `/admin/api-keys/${key.id}/audit`,
  );
  expect(audit.body.logs.slice(0, 2).map(({ metadata }) => metadata.changes)).toEqual([
    { token_counting: { old: 'all', new: 'specification' } },
    { token_counting: { old: 'specification', new: 'all' } },
  ]);
});

test.each([null, 'some', 1, ''])('rejects %j as token_counting', async (token_counting) => {
  const { status, body } = await gateway.admin<{ error: { param: string } }>('POST', '/admin/api-keys', {
    name: 'x',
    token_counting,
  });
  expect([status, body.error.param]).toEqual([400, 'token_counting']);
});
