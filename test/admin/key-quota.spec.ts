import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { until } from '../support/until.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { errorCodeIn } from '../support/responses.js';
import { startGateway } from '../support/ready-gateway.js';
import { pinnedKey } from '../support/pinned-key.js';

interface Window {
  readonly count: number;
  readonly remaining: number;
  readonly reset_at: string;
  readonly reset_in_seconds: number;
}
interface Quota {
  readonly key_id: string;
  readonly status: string;
  readonly limits: Record<'rpm' | 'rpd' | 'monthly_requests' | 'monthly_tokens', number | null>;
  readonly current: {
    readonly minute: Window;
    readonly day: Window;
    readonly month: {
      readonly request_count: number;
      readonly request_remaining: number | null;
      readonly token_count: number;
      readonly token_remaining: number | null;
      readonly reset_at: string;
    };
  };
  readonly checked_at: string;
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const path = ({ id }: { readonly id: string }) => `/admin/api-keys/${id}/quota`;
const quotaOf = async (key: Key): Promise<Quota> => (await gateway.admin<Quota>('GET', path(key))).body;
const counts = ({ current: { minute, day, month } }: Quota) => [minute.count, day.count, month.request_count];

describe('GET /admin/api-keys/{id}/quota', () => {
  test('a new key has every field and no usage', async () => {
    const key = await gateway.createKey({ rpm_limit: 60, rpd_limit: 1000 });
    const { status, body } = await gateway.admin<Quota>('GET', path(key));
    expect(status).toBe(200);
    const checkedAt = new Date(body.checked_at);
    const [year, month, day] = [checkedAt.getUTCFullYear(), checkedAt.getUTCMonth(), checkedAt.getUTCDate()];
    const minuteEnd = Math.floor(checkedAt.getTime() / 60_000) * 60_000 + 60_000;
    const window = (remaining: number, resetsAtMs: number) => ({
      count: 0,
      remaining,
      reset_at: new Date(resetsAtMs).toISOString(),
      reset_in_seconds: Math.ceil((resetsAtMs - checkedAt.getTime()) / 1000),
    });
    expect(body).toEqual({
      key_id: key.id,
      status: 'active',
      limits: { rpm: 60, rpd: 1000, monthly_requests: null, monthly_tokens: null },
      current: {
        minute: window(60, minuteEnd),
        day: window(1000, Date.UTC(year, month, day + 1)),
        month: {
          request_count: 0,
          request_remaining: null,
          token_count: 0,
          token_remaining: null,
          reset_at: new Date(Date.UTC(year, month + 1)).toISOString(),
        },
      },
      checked_at: checkedAt.toISOString(),
    });
    expect(Math.abs(checkedAt.getTime() - Date.now())).toBeLessThan(10_000);
  });

  test('counts each request as soon as it completes, and does not count reads of the quota', async () => {
    const key = await pinnedKey(gateway, { rpm_limit: 9, rpd_limit: 90, monthly_limit: 900 });
    for (let served = 1; served <= 3; served++) {
      expect((await gateway.chat(key)).status).toBe(200);
      const quota = await quotaOf(key);
      expect(counts(quota)).toEqual([served, served, served]);
      const { minute, day, month } = quota.current;
      expect([minute.remaining, day.remaining, month.request_remaining]).toEqual([
        9 - served,
        90 - served,
        900 - served,
      ]);
    }
  });

  test('returns the tokens of this month, even without a token limit', async () => {
    const [limited, free] = [await gateway.createKey({ monthly_token_limit: 20 }), await gateway.createKey()];
    const tokens = async (key: Key) => {
      const { token_count, token_remaining } = (await quotaOf(key)).current.month;
      return [token_count, token_remaining];
    };
    for (const key of [limited, free]) await gateway.chat(key);
    await until(async () => (await tokens(free))[0] === 12 && (await tokens(limited))[0] === 12);
    expect([await tokens(limited), await tokens(free)]).toEqual([
      [12, 8],
      [12, null],
    ]);
  });

  test('the remaining quota is never negative', async () => {
    const key = await pinnedKey(gateway);
    for (let served = 0; served < 3; served++) await gateway.chat(key);
    const lower = { rpm_limit: 1, rpd_limit: 2, monthly_limit: 1, monthly_token_limit: 5 };
    await gateway.admin('PATCH', `/admin/api-keys/${key.id}`, lower);
    await until(async () => (await quotaOf(key)).current.month.token_count > 5);
    const quota = await quotaOf(key);
    const { minute, day, month } = quota.current;
    expect(counts(quota)).toEqual([3, 3, 3]);
    expect([minute.remaining, day.remaining, month.request_remaining, month.token_remaining]).toEqual([0, 0, 0, 0]);
    expect(quota.limits).toEqual({ rpm: 1, rpd: 2, monthly_requests: 1, monthly_tokens: 5 });
  });

  test('counts of past windows are returned as zero', async () => {
    const key = await gateway.createKey();
    await gateway.app.get(DataSource).query(
      `update key_quota set minute = floor(date_part('epoch', now()) / 60) - 1, minute_count = 5,
              day = floor(date_part('epoch', now()) / 86400) - 1, day_count = 6, month = 0, month_count = 7
        where key_id = $1`,
      [key.id],
    );
    expect(counts(await quotaOf(key))).toEqual([0, 0, 0]);
  });

  test.each(['suspended', 'revoked'])('the quota of a %s key can be read', async (status) => {
    const key = await pinnedKey(gateway);
    await gateway.chat(key);
    await gateway.admin('POST', `/admin/api-keys/${key.id}/${status === 'revoked' ? 'revoke' : 'suspend'}`);
    const quota = await quotaOf(key);
    expect([quota.status, counts(quota)]).toEqual([status, [1, 1, 1]]);
  });
});

test('the quota route rejects unknown IDs, parameters and callers without the admin key', async () => {
  const key = await gateway.createKey();
  for (const id of [randomUUID(), 'x', `${key.id}0`, '%00'])
    expect(errorCodeIn(await gateway.admin('GET', path({ id })))).toBe('404 not_found');
  expect(errorCodeIn(await gateway.admin('GET', `${path(key)}?window=day`))).toBe('400 validation_error window');
  expect((await gateway.admin<Quota>('GET', path({ id: key.id.toUpperCase() }))).body.key_id).toBe(key.id);
  expect(errorCodeIn(await gateway.call('GET', path(key)))).toBe('401 missing_api_key');
  expect(errorCodeIn(await gateway.call('GET', path(key), { key }))).toBe('401 invalid_api_key');
});
