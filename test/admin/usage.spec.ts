import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { UsageDayStore } from '../../src/stats/reports/stores/usage-day.store.js';
import { UsageStore } from '../../src/stats/stores/usage.store.js';
import { UsageLedger } from '../../src/stats/usage-ledger.js';
import { until } from '../support/until.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { errorCodeIn } from '../support/responses.js';
import { startSettledGateway } from '../support/settled-gateway.js';

const PATH = '/admin/usage';
const ofKey = (id: string) => `/admin/api-keys/${id}/usage`;
const DAY_MS = 86_400_000;

interface Figures {
  readonly requests: number;
  readonly errors: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly estimated_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly cost: string | null;
  readonly unpriced_requests: number;
}
/** The usage of these tests has no costs. */
const NO_COSTS = { cache_read_tokens: 0, cache_write_tokens: 0, unpriced_requests: 0 };
interface Usage {
  readonly object: string;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly totals: Figures;
  readonly rejected_requests: number;
  readonly daily: (Figures & { readonly date: string })[];
  readonly by_key: (Figures & { readonly key_id: string; readonly key_name: string | null })[];
  readonly by_model: (Figures & { readonly model: string | null })[];
}
interface KeyUsage {
  readonly key_id: string;
  readonly daily: (Figures & { readonly date: string })[];
  readonly monthly: (Figures & { readonly month: string })[];
}
interface Used {
  readonly key: Key;
  readonly atMs: number;
  readonly model: string;
  readonly failed: boolean;
  readonly input: number;
  readonly estimated: number;
}

let gateway: TestGateway;
let source: DataSource;
let keys: (Key & Record<string, unknown>)[];
beforeAll(async () => {
  gateway = await startSettledGateway();
  source = gateway.app.get(DataSource);
  keys = [];
  for (const name of ['one', 'two', 'three']) keys.push(await gateway.createKey({ name }));
});
afterAll(() => gateway.stop());
beforeEach(() =>
  source.query('with months as (delete from usage_monthly), costs as (delete from cost_daily) delete from usage_daily'),
);

const read = async (query = '') => (await gateway.admin<Usage>('GET', `${PATH}?${query}`)).body;
const readKey = async (key: Key, query = '') =>
  (await gateway.admin<KeyUsage>('GET', `${ofKey(key.id)}?${query}`)).body;
const today = Math.floor(Date.now() / DAY_MS);
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

async function write(used: readonly Used[]): Promise<void> {
  const ledger = new UsageLedger(100_000);
  for (const { key, atMs, model, failed, input, estimated } of used)
    ledger.add(key.id, atMs, model, {
      failed: failed,
      inputTokens: input,
      outputTokens: 1,
      estimatedTokens: estimated,
    });
  await new UsageStore(source).write(ledger.take(100_000));
}

function sumOf(used: readonly Used[]): Figures {
  const input = used.reduce((sum, one) => sum + one.input, 0);
  return {
    requests: used.length,
    errors: used.filter(({ failed }) => failed).length,
    input_tokens: input,
    output_tokens: used.length,
    total_tokens: input + used.length,
    estimated_tokens: used.reduce((sum, one) => sum + one.estimated, 0),
    ...NO_COSTS,
    cost: used.length === 0 ? '0' : null,
  };
}

function expected(used: readonly Used[], from: string, to: string, keyId?: string): Usage {
  const day = (one: Used) => new Date(one.atMs).toISOString().slice(0, 10);
  const kept = used.filter(
    (one) => day(one) >= from && day(one) <= to && (keyId === undefined || one.key.id === keyId),
  );
  const groups = <Name extends string>(nameOf: (one: Used) => Name) =>
    [...new Set(kept.map(nameOf))].map((name) => [name, sumOf(kept.filter((one) => nameOf(one) === name))] as const);
  const most = (x: readonly [string, Figures], y: readonly [string, Figures]) =>
    y[1].requests - x[1].requests || (x[0] < y[0] ? -1 : 1);
  return {
    object: 'usage',
    from,
    to,
    currency: 'USD',
    totals: sumOf(kept),
    rejected_requests: 0,
    daily: groups(day)
      .sort(([x], [y]) => (x < y ? 1 : -1))
      .map(([date, sum]) => ({ date, ...sum })),
    by_key: groups(({ key }) => key.id)
      .sort(most)
      .map(([key_id, sum]) => ({
        key_id,
        key_name: keys.find(({ id }) => id === key_id)!.name as string,
        ...sum,
      })),
    by_model: groups(({ model }) => model)
      .sort(most)
      .map(([model, sum]) => ({ model: model === '' ? null : model, ...sum })),
  };
}

describe('GET /admin/usage', () => {
  /** Requests of the last 60 days and around a leap day, including the first and last millisecond of a day. */
  const history = () =>
    Array.from({ length: 600 }, (_, n) => {
      const day = n % 2 === 0 ? today - (n % 60) : Date.parse('2024-02-26') / DAY_MS + (n % 5);
      const moment = [0, DAY_MS - 1, 43_200_000][n % 3]!;
      return {
        key: keys[n % 7 === 0 ? 1 : n % 4 === 0 ? 2 : 0]!,
        atMs: day * DAY_MS + moment,
        model: ['gpt-4o', 'o1', ''][(n >> 2) % 3]!,
        failed: n % 9 === 0,
        input: n,
        estimated: n % 5,
      };
    });
  const RANGES = [
    [dateOf(today - 29), dateOf(today)],
    [dateOf(today), dateOf(today)],
    [dateOf(today - 59), dateOf(today - 31)],
    ['2024-02-28', '2024-03-01'],
    ['2024-02-29', '2024-02-29'],
    ['0001-01-01', '9999-12-31'],
    ['2020-01-01', '2020-01-05'],
  ] as const;

  test('usage equals the recorded requests for every range and key, before and after days are closed', async () => {
    const used = history();
    await write(used);
    const check = async () => {
      for (const [from, to] of RANGES) {
        expect(await read(`from=${from}&to=${to}`)).toEqual(expected(used, from, to));
        for (const { id } of keys)
          expect(await read(`from=${from}&to=${to}&key_id=${id}`)).toEqual(expected(used, from, to, id));
      }
    };
    await check();
    const days = new UsageDayStore(source);
    const open = await days.findOpen(1000);
    expect(open.length).toBeGreaterThan(30);
    for (const day of open.filter((_, n) => n % 2 === 0)) await days.close(day);
    await check();
    for (const day of open) await days.close(day);
    await check();
    expect((await read('from=0001-01-01&to=9999-12-31')).totals.requests).toBe(600);
  });

  test('covers the last 30 days including today by default', async () => {
    const used = history();
    await write(used);
    const body = await read();
    expect(body).toEqual(expected(used, dateOf(today - 29), dateOf(today)));
    expect(Object.keys(body).join()).toBe('object,from,to,totals,rejected_requests,daily,by_key,by_model,currency');
    expect(Object.keys(body.totals).join()).toBe(
      'requests,errors,input_tokens,output_tokens,total_tokens,estimated_tokens,cache_read_tokens,cache_write_tokens,cost,unpriced_requests',
    );
    expect(await read('from=2024-02-28T23:59:59Z&to=2024-03-01T00:00:00Z')).toMatchObject({
      from: '2024-02-28',
      to: '2024-03-01',
    });
    expect(await read('to=2024-03-01')).toMatchObject({ from: '2024-02-01', to: '2024-03-01' });
    expect(await read(`from=${dateOf(today - 3)}`)).toMatchObject({ from: dateOf(today - 3), to: dateOf(today) });
    expect(await read('from=2024-02-29T18:00:00Z&to=2024-02-29T06:00:00Z')).toMatchObject({
      from: '2024-02-29',
      to: '2024-02-29',
    });
  });

  test('an unknown key and a range without requests have no usage', async () => {
    const nothing = { totals: sumOf([]), daily: [], by_key: [], by_model: [] };
    expect(await read()).toMatchObject(nothing);
    await write(history());
    expect(await read(`key_id=${randomUUID()}`)).toMatchObject(nothing);
    expect(await read('from=2030-01-01&to=2030-12-31')).toMatchObject(nothing);
    expect((await read(`key_id=${keys[0]!.id.toUpperCase()}`)).by_key).toMatchObject([{ key_name: 'one' }]);
  });

  test('lists the 500 keys and models with the most requests, and includes all in the totals', async () => {
    await source.query(
      `insert into usage_daily (key_id, day, model, requests, errors, input_tokens, output_tokens)
       select gen_random_uuid(), current_date, 'm' || n, 10 + n, 1, 2, 3 from generate_series(1, 510) n`,
    );
    const { totals, by_key, by_model } = await read();
    expect(totals).toMatchObject({ requests: 5100 + 255 * 511, errors: 510, input_tokens: 1020, output_tokens: 1530 });
    const most = Array.from({ length: 500 }, (_, n) => 520 - n);
    expect([by_key, by_model].map((rows) => rows.map(({ requests }) => requests))).toEqual([most, most]);
    expect([by_model[0]!.model, by_key[0]!.key_name]).toEqual(['m510', null]);
  });

  test('a request appears within seconds and with the same figures in every view', async () => {
    const { id, key } = await gateway.createKey({ name: 'served' });
    await gateway.chat(key);
    await gateway.chat(key, { temperature: 9 });
    await gateway.call('GET', '/v1/models', { key });
    await until(async () => (await read(`key_id=${id}`)).totals.requests === 3);
    const usage = await read(`key_id=${id}`);
    const figures = { ...usage.totals };
    expect(figures).toMatchObject({ requests: 3, errors: 1, estimated_tokens: 0 });
    expect(figures.total_tokens).toBe(figures.input_tokens + figures.output_tokens);
    expect(usage.daily).toEqual([{ date: dateOf(today), ...figures }]);
    expect(usage.by_key).toEqual([{ key_id: id, key_name: 'served', ...figures }]);
    expect(usage.by_model.map(({ model, requests }) => [model, requests])).toEqual([
      ['gpt-4o-mini', 2],
      [null, 1],
    ]);
    expect(await readKey({ id, key })).toEqual({
      key_id: id,
      daily: [{ date: dateOf(today), ...figures }],
      monthly: [{ month: dateOf(today).slice(0, 7), ...figures }],
      currency: 'USD',
    });
  });
});

describe('invalid usage query', () => {
  const WRONG: [string, string][] = [
    ...['soon', '', '2026-13-01', '2026-02-29', '2026-2-1', '1893456000'].map((day): [string, string] => [
      `from=${day}`,
      'from',
    ]),
    ...['x', '', '10000-01-01', '2026-01-01T24:00:00Z'].map((day): [string, string] => [`to=${day}`, 'to']),
    ['from=2026-02-02&to=2026-02-01', 'from'],
    ['from=2026-02-01T23:00:00-02:00&to=2026-02-01', 'from'],
    ['colour=red', 'colour'],
    ['limit=5', 'limit'],
    ['from=2026-01-01&from=2026-01-02', 'from'],
  ];

  test.each([
    ...WRONG,
    ...['x', '', "'", `${randomUUID()}0`].map((id): [string, string] => [`key_id=${id}`, 'key_id']),
    ['daily_limit=1', 'daily_limit'],
  ] as [string, string][])('%s is rejected and the parameter is named', async (query, param) => {
    expect(errorCodeIn(await gateway.admin('GET', `${PATH}?${query}`))).toBe(`400 validation_error ${param}`);
  });

  test('the route requires the admin key', async () => {
    expect(errorCodeIn(await gateway.call('GET', PATH))).toBe('401 missing_api_key');
    expect(errorCodeIn(await gateway.call('GET', PATH, { key: keys[0]! }))).toBe('401 invalid_api_key');
  });
});
