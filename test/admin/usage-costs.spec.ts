import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { formatNanos } from '../../src/costs/pricing/price-text.rules.js';
import { CostMonthStore } from '../../src/costs/stores/cost-month.store.js';
import { CostDayStore } from '../../src/costs/stores/cost-day.store.js';
import type { UsageKind } from '../../src/costs/usage-kinds.data.js';
import { type CostEntry, UsageLedger } from '../../src/stats/usage-ledger.js';
import { UsageStore } from '../../src/stats/stores/usage.store.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { RESPONSE, MESSAGE } from '../support/message-responses.js';
import { untilPasses } from '../support/poll.js';
import { startSettledGateway } from '../support/settled-gateway.js';

const DAY_MS = 86_400_000;
const today = Math.floor(Date.now() / DAY_MS);
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

interface Figures {
  readonly cost: string | null;
  readonly unpriced_requests: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
}
interface Usage {
  readonly currency: string;
  readonly totals: Figures;
  readonly daily: (Figures & { readonly date: string })[];
  readonly by_key: (Figures & { readonly key_id: string })[];
  readonly by_model: (Figures & { readonly model: string | null })[];
}
interface KeyUsage {
  readonly currency: string;
  readonly daily: (Figures & { readonly date: string })[];
  readonly monthly: (Figures & { readonly month: string })[];
}
interface Used {
  readonly key: Key;
  readonly day: number;
  readonly model: string;
  /** Null without a price. */
  readonly nanos: bigint | null;
  readonly units: Partial<Record<UsageKind, number>>;
}

let gateway: TestGateway;
let source: DataSource;
let keys: Key[];
beforeAll(async () => {
  gateway = await startSettledGateway();
  source = gateway.app.get(DataSource);
  keys = [];
  for (const name of ['one', 'two', 'three']) keys.push(await gateway.createKey({ name }));
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.upstream.reset();
  for (const table of ['usage_monthly', 'usage_daily', 'cost_daily']) await source.query(`delete from ${table}`);
});

async function write(used: readonly Used[]): Promise<void> {
  const ledger = new UsageLedger(100_000);
  for (const { key, day, model, nanos, units } of used) {
    const kinds = {
      units,
      inputTokens: 5,
      reasoning: 0,
      imageSize: null,
      imageQuality: null,
      mediaOnly: false,
      unmeasured: [],
      corrected: [],
    };
    const cost: CostEntry = {
      endpoint: '/v1/chat/completions',
      provider: 'default',
      estimated: false,
      additionalTokens: 0,
      unpriced: null,
      priced: { kinds, nanos, unpriced: nanos === null, cost: null, price: null },
    };
    const tokens = { inputTokens: 5, outputTokens: 1, estimatedTokens: 0 };
    ledger.add(key.id, day * DAY_MS, model, { failed: false, ...tokens, cost });
  }
  await new UsageStore(source).write(ledger.take(100_000));
}

function figuresOf(used: readonly Used[]): Figures {
  const sum = (...kinds: UsageKind[]) =>
    used.reduce((total, { units }) => total + kinds.reduce((part, kind) => part + (units[kind] ?? 0), 0), 0);
  const unpriced = used.filter(({ nanos }) => nanos === null).length;
  const nanos = used.reduce((total, one) => total + (one.nanos ?? 0n), 0n);
  return {
    cost: unpriced === used.length && used.length > 0 ? null : formatNanos(nanos),
    unpriced_requests: unpriced,
    cache_read_tokens: sum('cached_input', 'cached_audio_input'),
    cache_write_tokens: sum('cache_write_5m', 'cache_write_1h'),
  };
}
const pick = ({ cost, unpriced_requests, cache_read_tokens, cache_write_tokens }: Figures): Figures => ({
  cost,
  unpriced_requests,
  cache_read_tokens,
  cache_write_tokens,
});
const named = <T extends Figures>(rows: readonly T[], nameOf: (row: T) => string) =>
  Object.fromEntries(rows.map((row) => [nameOf(row), pick(row)]));
function groups(used: readonly Used[], nameOf: (one: Used) => string) {
  return Object.fromEntries([...Map.groupBy(used, nameOf)].map(([name, group]) => [name, figuresOf(group)]));
}

async function check(used: readonly Used[], from: number, to: number, key?: Key): Promise<void> {
  const kept = used.filter((one) => one.day >= from && one.day <= to && (key === undefined || one.key === key));
  const query = `from=${dateOf(from)}&to=${dateOf(to)}${key === undefined ? '' : `&key_id=${key.id.toUpperCase()}`}`;
  const { body } = await gateway.admin<Usage>('GET', `/admin/usage?${query}`);
  expect({
    currency: body.currency,
    totals: pick(body.totals),
    days: named(body.daily, ({ date }) => date),
    keys: named(body.by_key, ({ key_id }) => key_id),
    models: named(body.by_model, ({ model }) => model ?? ''),
  }).toEqual({
    currency: 'USD',
    totals: figuresOf(kept),
    days: groups(kept, ({ day }) => dateOf(day)),
    keys: groups(kept, (one) => one.key.id),
    models: groups(kept, ({ model }) => model),
  });
}

/** Requests of 130 days with and without prices. */
const history = (): Used[] =>
  Array.from({ length: 400 }, (_, n) => ({
    key: keys[n % 7 === 0 ? 1 : n % 4 === 0 ? 2 : 0]!,
    day: today - (n % 130),
    model: ['gpt-4o', 'o1', 'self-hosted', ''][(n >> 2) % 4]!,
    nanos: (n >> 2) % 4 === 2 || n % 11 === 0 ? null : 9_007_199_254_740_993n + BigInt(n),
    units: { input: 5, cached_input: n % 13, cached_audio_input: n % 3, cache_write_5m: n % 5, cache_write_1h: n % 2 },
  }));

describe('costs in GET /admin/usage', () => {
  test('costs equal the recorded costs for every range and key, before and after days and months are closed', async () => {
    const used = history();
    await write(used);
    const checkAll = async () => {
      for (const [first, last] of [
        [129, 0],
        [100, 3],
        [0, 0],
        [39, 39],
      ] as const)
        for (const key of [undefined, ...keys]) await check(used, today - first, today - last, key);
    };
    await checkAll();
    const days = new CostDayStore(source);
    for (const day of await days.findOpen(200)) await days.close(day);
    await checkAll();
    const months = gateway.app.get(CostMonthStore);
    const closable = await months.findOpen(9);
    expect(closable.length).toBeGreaterThan(1);
    for (const month of closable) await months.close(month);
    await checkAll();
    // A late request reopens its day.
    const late: Used = { ...used[1]!, day: today - 45, nanos: 1n };
    await write([late]);
    used.push(late);
    await checkAll();
  });

  test('usage without recorded costs has an unknown cost, and no usage costs 0', async () => {
    await write(history().slice(0, 3));
    await source.query('delete from cost_daily');
    const read = async (query: string) => (await gateway.admin<Usage>('GET', `/admin/usage?${query}`)).body.totals;
    expect(await read('')).toMatchObject({ cost: null, unpriced_requests: 0 });
    expect(await read('from=2020-01-01&to=2020-01-05')).toMatchObject({ cost: '0', unpriced_requests: 0 });
  });
});

describe('costs in GET /admin/api-keys/{id}/usage', () => {
  test('days and whole months have the recorded costs', async () => {
    const used = history();
    await write(used);
    const key = keys[0]!;
    const own = used.filter((one) => one.key === key);
    const { body } = await gateway.admin<KeyUsage>('GET', `/admin/api-keys/${key.id}/usage?daily_limit=365`);
    const expected = [groups(own, ({ day }) => dateOf(day)), groups(own, ({ day }) => dateOf(day).slice(0, 7))];
    expect(body.currency).toBe('USD');
    expect([named(body.daily, ({ date }) => date), named(body.monthly, ({ month }) => month)]).toEqual(expected);
    // From sums of closed days and months.
    const [days, months] = [new CostDayStore(source), gateway.app.get(CostMonthStore)];
    for (const store of [days, months]) {
      for (const open of await store.findOpen(200)) await store.close(open);
      const closed = (await gateway.admin<KeyUsage>('GET', `/admin/api-keys/${key.id}/usage?daily_limit=365`)).body;
      expect([named(closed.daily, ({ date }) => date), named(closed.monthly, ({ month }) => month)]).toEqual(expected);
    }
  });

  test('cache tokens in addition to the input of a message are shown, but are not part of its tokens', async () => {
    const usage = {
      input_tokens: 6,
      cache_read_input_tokens: 30_940,
      cache_creation_input_tokens: 25,
      output_tokens: 14,
    };
    gateway.upstream.on('POST', '/v1/messages', () => ({ body: { ...RESPONSE, usage } }));
    const key = await gateway.createKey();
    await gateway.call('POST', '/v1/messages', { key, body: MESSAGE });
    await untilPasses(async () => {
      const { body } = await gateway.admin<KeyUsage>('GET', `/admin/api-keys/${key.id}/usage`);
      expect(body.daily).toMatchObject([
        { input_tokens: 6, output_tokens: 14, total_tokens: 20, cache_read_tokens: 30_940, cache_write_tokens: 25 },
      ]);
    });
  });
});
