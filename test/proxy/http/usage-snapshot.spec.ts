import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { errorCodeIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const usage = async (key: Key, path = '/v1/usage') => (await gateway.call('GET', path, { key })).body;
const nextMinute = (now: Date) => new Date(Math.floor(now.getTime() / 60_000 + 1) * 60_000).toISOString();
const nextDay = (now: Date) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
const nextMonth = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();

/** Returns a snapshot and the time just before it. Repeats both if a new minute begins in between. */
async function inOneMinute(key: Key) {
  for (;;) {
    const now = new Date();
    const body = await usage(key);
    if (nextMinute(now) === nextMinute(new Date())) return { now, body };
  }
}

describe('GET /v1/usage', () => {
  test('a key without monthly limits has every field, and null for unlimited values', async () => {
    const key = await gateway.createKey({ name: 'Büro', rpm_limit: 60, rpd_limit: 10_000 });
    const { now, body } = await inOneMinute(key);
    expect(body).toEqual({
      object: 'usage',
      key_id: key.id,
      key_name: 'Büro',
      status: 'active',
      expires_at: null,
      is_expired: false,
      last_used_at: null,
      allowed_models: null,
      this_minute: { limit: 60, used: 0, remaining: 60, resets_at: nextMinute(now) },
      today: { limit: 10_000, used: 0, remaining: 10_000, resets_at: nextDay(now) },
      this_month: {
        requests: { limit: null, used: 0, remaining: null, resets_at: nextMonth(now) },
        tokens: { limit: null, used: null, remaining: null, resets_at: nextMonth(now) },
      },
    });
  });

  test('a key with every limit has its used and remaining quota', async () => {
    const expires_at = '2099-01-02T03:04:05.000Z';
    const limits = { rpd_limit: 20, monthly_limit: 30, monthly_token_limit: 40, allowed_models: ['gpt-4o-mini'] };
    const key = await gateway.createKey({ ...limits, expires_at });
    await gateway.chat(key);
    await until(async () => (await snapshot(gateway, key)).this_month.tokens.used === 12);
    expect(await usage(key)).toMatchObject({
      expires_at,
      is_expired: false,
      allowed_models: ['gpt-4o-mini'],
      today: { limit: 20, used: 1, remaining: 19 },
      this_month: {
        requests: { limit: 30, used: 1, remaining: 29 },
        tokens: { limit: 40, used: 12, remaining: 28 },
      },
    });
  });

  test('the remaining quota is never negative', async () => {
    const key = await gateway.createKey({ monthly_limit: 5, monthly_token_limit: 1 });
    for (let times = 0; times < 2; times++) await gateway.chat(key);
    await gateway.admin('PATCH', `/admin/api-keys/${key.id}`, { monthly_limit: 1 });
    await until(async () => (await snapshot(gateway, key)).this_month.tokens.used !== 0);
    const { this_month } = await snapshot(gateway, key);
    expect(this_month.requests).toMatchObject({ limit: 1, used: 2, remaining: 0 });
    expect(this_month.tokens).toMatchObject({ limit: 1, remaining: 0 });
  });

  test('a query is ignored, and the request does not count', async () => {
    const key = await gateway.createKey({ rpm_limit: 1 });
    for (let times = 0; times < 5; times++) expect((await usage(key, '/v1/usage?x=1')).object).toBe('usage');
    expect((await snapshot(gateway, key)).today.used).toBe(0);
  });

  test('the time of the last use is returned once it is stored', async () => {
    const key = await gateway.createKey();
    const before = Date.now();
    await gateway.chat(key);
    await until(async () => (await usage(key)).last_used_at !== null);
    expect(Math.abs(Date.parse(String((await usage(key)).last_used_at)) - before)).toBeLessThan(10_000);
  });

  test.each([
    ['a missing key', undefined, '401 missing_api_key'],
    ['an invalid key', 'sk-gw-none', '401 invalid_api_key'],
  ])('%s is rejected', async (_what, key, expected) =>
    expect(errorCodeIn(await gateway.call('GET', '/v1/usage', { key }))).toBe(expected),
  );
});
