import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { UsageStore } from '../../src/stats/stores/usage.store.js';
import { UsageLedger } from '../../src/stats/usage-ledger.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { errorCodeIn } from '../support/responses.js';
import { startSettledGateway } from '../support/settled-gateway.js';

const ofKey = (id: string) => `/admin/api-keys/${id}/usage`;
const DAY_MS = 86_400_000;

interface KeyUsage {
  readonly key_id: string;
  readonly daily: { readonly date: string; readonly requests: number }[];
  readonly monthly: { readonly month: string; readonly requests: number }[];
}

let gateway: TestGateway;
let source: DataSource;
let keys: Key[];
beforeAll(async () => {
  gateway = await startSettledGateway();
  source = gateway.app.get(DataSource);
  keys = [await gateway.createKey({ name: 'one' }), await gateway.createKey({ name: 'two' })];
});
afterAll(() => gateway.stop());
beforeEach(() => source.query('with months as (delete from usage_monthly) delete from usage_daily'));

const readKey = async (key: Key, query = '') =>
  (await gateway.admin<KeyUsage>('GET', `${ofKey(key.id)}?${query}`)).body;
const today = Math.floor(Date.now() / DAY_MS);
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

async function write(momentsMs: readonly number[]): Promise<void> {
  const ledger = new UsageLedger(1000);
  for (const atMs of momentsMs)
    ledger.add(keys[0]!.id, atMs, 'a', { failed: false, inputTokens: 1, outputTokens: 1, estimatedTokens: 0 });
  await new UsageStore(source).write(ledger.take(1000));
}
const each = (count: number, atMs: (n: number) => number) => Array.from({ length: count }, (_, n) => atMs(n));

describe('GET /admin/api-keys/{id}/usage', () => {
  test('returns 30 days and 12 months by default, newest first', async () => {
    await write(each(400, (n) => (today - n) * DAY_MS));
    const usage = await readKey(keys[0]!);
    expect(usage.daily.map(({ date }) => date)).toEqual(Array.from({ length: 30 }, (_, n) => dateOf(today - n)));
    expect(usage.monthly).toHaveLength(12);
    expect(usage.monthly.map(({ month }) => month)).toEqual(
      usage.monthly
        .map(({ month }) => month)
        .toSorted()
        .reverse(),
    );
    const most = await readKey(keys[0]!, 'daily_limit=365&monthly_limit=24');
    expect([most.daily.length, most.monthly.length]).toEqual([
      365,
      new Set(Array.from({ length: 400 }, (_, n) => dateOf(today - n).slice(0, 7))).size,
    ]);
    const least = await readKey(keys[0]!, 'daily_limit=1&monthly_limit=1');
    expect([least.daily.map(({ requests }) => requests), least.monthly.length]).toEqual([[1], 1]);
  });

  test('from and to are inclusive, and every month that contains one of these days is returned', async () => {
    await write(each(60, (n) => Date.parse('2024-02-01T23:59:59.999Z') + n * DAY_MS));
    const usage = await readKey(keys[0]!, 'from=2024-02-28T12:00:00Z&to=2024-03-01');
    expect(usage.daily.map(({ date }) => date)).toEqual(['2024-03-01', '2024-02-29', '2024-02-28']);
    expect(usage.monthly.map(({ month, requests: n }) => `${month} ${n}`)).toEqual(['2024-03 31', '2024-02 29']);
    expect(await readKey(keys[0]!, 'from=2020-01-01&to=2020-02-01')).toEqual({
      key_id: keys[0]!.id,
      daily: [],
      monthly: [],
      currency: 'USD',
    });
  });

  test('excludes the usage of other keys, and an unknown key returns 404 after query validation', async () => {
    await write(each(3, () => today * DAY_MS));
    expect(await readKey(keys[1]!)).toEqual({ key_id: keys[1]!.id, currency: 'USD', daily: [], monthly: [] });
    for (const id of [randomUUID(), 'x', '%00'])
      expect(errorCodeIn(await gateway.admin('GET', ofKey(id)))).toBe('404 not_found');
    expect(errorCodeIn(await gateway.admin('GET', `${ofKey(randomUUID())}?from=x`))).toBe('400 validation_error from');
  });
});

describe('invalid usage query of a key', () => {
  test.each([
    ...['soon', '', '2026-02-29', '2026-2-1'].map((day) => [`from=${day}`, 'from']),
    ...['x', '', '10000-01-01'].map((day) => [`to=${day}`, 'to']),
    ['from=2026-02-02&to=2026-02-01', 'from'],
    ['to=2026-01-01&to=2026-01-02', 'to'],
    ['colour=red', 'colour'],
    ['limit=5', 'limit'],
    ...['0', '366', '-1', 'x', '', '1.5'].map((limit) => [`daily_limit=${limit}`, 'daily_limit']),
    ...['0', '25', 'x', '', '1e1'].map((limit) => [`monthly_limit=${limit}`, 'monthly_limit']),
    ['key_id=x', 'key_id'],
  ] as [string, string][])('%s is rejected and the parameter is named', async (query, param) => {
    expect(errorCodeIn(await gateway.admin('GET', `${ofKey(keys[0]!.id)}?${query}`))).toBe(
      `400 validation_error ${param}`,
    );
  });

  test('the route requires the admin key', async () => {
    expect(errorCodeIn(await gateway.call('GET', ofKey(keys[0]!.id)))).toBe('401 missing_api_key');
    expect(errorCodeIn(await gateway.call('GET', ofKey(keys[0]!.id), { key: keys[0]! }))).toBe('401 invalid_api_key');
  });
});
