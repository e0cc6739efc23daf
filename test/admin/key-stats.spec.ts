import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { RollupJob } from '../../src/stats/aggregates/rollup-job.service.js';
import { DAY, HOUR, insert, keyIdOf, type Sampled } from '../support/statistics-sample.js';
import { expectRejections } from '../support/statistics-route.js';
import { type Key, TestGateway } from '../support/gateway.js';

interface Row {
  readonly key_id: string;
  readonly key_name: string | null;
  readonly request_count: number;
  readonly top_models: { model: string; count: number }[];
  readonly [name: string]: unknown;
}

const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const UNKNOWN = keyIdOf(5);
let gateway: TestGateway;
let busy: Key;
let quiet: Key;

beforeAll(async () => {
  gateway = await TestGateway.start();
  busy = await gateway.createKey({ name: 'busy' });
  quiet = await gateway.createKey({ name: 'quiet' });
  const request = (keyId: string, more: Partial<Sampled> = {}): Sampled => ({
    atMs: NOW - DAY,
    keyId,
    model: 'gpt-4o',
    endpoint: '/v1/chat/completions',
    status: 200,
    latencyMs: 40,
    inputTokens: 100,
    outputTokens: 10,
    ...more,
  });
  const models = [...Array.from({ length: 12 }, (_, i) => `m-${String(i).padStart(2, '0')}`), 'm-07', null, null];
  await insert(gateway.app.get(DataSource), [
    ...models.map((model, i) =>
      request(busy.id, { model, atMs: NOW - DAY + i * HOUR, latencyMs: 10 + i, inputTokens: i }),
    ),
    request(quiet.id, { cost: { nanos: 2_500_000_000n, unpriced: false } }),
    request(quiet.id, { status: 502, latencyMs: 48, inputTokens: 0, outputTokens: 0 }),
    request(UNKNOWN, { outputTokens: 5000, cost: { nanos: 1n, unpriced: false } }),
  ]);
});
afterAll(() => gateway.stop());

const list = async (query = '') => {
  const { status, text, body } = await gateway.admin<{ keys: Row[] }>('GET', `/admin/key-stats${query}`);
  if (status !== 200) throw new Error(text);
  expect(Object.keys(body)).toEqual(['keys']);
  return body.keys;
};
const names = async (query: string) => (await list(query)).map(({ key_name }) => key_name);

describe.each(['from samples', 'from rollups'])('key statistics %s', (how) => {
  beforeAll(async () => {
    if (how !== 'from samples') await gateway.app.get(RollupJob).run();
  });

  test('returns every figure per key, with a null name for an unknown key', async () => {
    const rows = await list();
    expect(rows.map(({ key_id, key_name }) => [key_id, key_name])).toEqual([
      [busy.id, 'busy'],
      [quiet.id, 'quiet'],
      [UNKNOWN, null],
    ]);
    expect(rows[1]).toEqual({
      key_id: quiet.id,
      key_name: 'quiet',
      request_count: 2,
      error_count: 1,
      error_rate: 50,
      input_tokens: 100,
      output_tokens: 10,
      total_tokens: 110,
      cost: '2.5',
      currency: 'USD',
      unpriced_requests: 0,
      avg_latency_ms: 44,
      max_latency_ms: 48,
      p50_latency_ms: 40,
      p95_latency_ms: 48,
      top_models: [{ model: 'gpt-4o', count: 2 }],
    });
    expect(rows[0]).toMatchObject({ request_count: 15, input_tokens: 105, output_tokens: 150, total_tokens: 255 });
  });

  test('top_models lists the ten most used models, ties by name, and skips requests without a model', async () => {
    const [row] = await list(`?key_id=${busy.id}`);
    expect(row!.request_count).toBe(15);
    expect(row!.top_models).toEqual([
      { model: 'm-07', count: 2 },
      ...['00', '01', '02', '03', '04', '05', '06', '08', '09'].map((n) => ({ model: `m-${n}`, count: 1 })),
    ]);
  });

  test('filters by key, by model and by time', async () => {
    expect(await names(`?key_id=${quiet.id}`)).toEqual(['quiet']);
    expect(await names('?model=m-07')).toEqual(['busy']);
    expect((await list('?model=m-07'))[0]!.top_models).toEqual([{ model: 'm-07', count: 2 }]);
    expect(await names(`?model=gpt-4o&key_id=${quiet.id}`)).toEqual(['quiet']);
    expect(await names(`?model=gpt-4o&key_id=${busy.id}`)).toEqual([]);
    expect(await names(`?since=${new Date(NOW - DAY + 1).toISOString()}`)).toEqual(['busy']);
    expect(await names(`?until=${new Date(NOW - DAY - 1).toISOString()}`)).toEqual([]);
    const first = await list(`?until=${new Date(NOW - DAY).toISOString()}`);
    expect(first.map(({ request_count }) => request_count)).toEqual([2, 1, 1]);
  });

  test('sorts by every sort_by value, in both directions', async () => {
    for (const [sort, order] of Object.entries({
      request_count: ['busy', 'quiet', null],
      total_tokens: [null, 'busy', 'quiet'],
      cost: ['quiet', null, 'busy'],
      avg_latency_ms: ['quiet', null, 'busy'],
      max_latency_ms: ['quiet', null, 'busy'],
      p95_latency_ms: ['quiet', null, 'busy'],
    })) {
      expect([sort, await names(`?sort_by=${sort}`)]).toEqual([sort, order]);
      expect([sort, await names(`?sort_by=${sort}&sort_dir=asc`)]).toEqual([sort, order.toReversed()]);
      expect([sort, await names(`?sort_by=${sort}&limit=1`)]).toEqual([sort, order.slice(0, 1)]);
    }
    // Ties are in ID order in both directions.
    const without = [busy.id, UNKNOWN].sort();
    const byErrors = async (direction: string) =>
      (await list(`?sort_by=error_count&sort_dir=${direction}`)).map(({ key_id }) => key_id);
    expect(await byErrors('desc')).toEqual([quiet.id, ...without]);
    expect(await byErrors('asc')).toEqual([...without, quiet.id]);
  });
});

test('key statistics reject invalid parameters, methods and credentials', () =>
  expectRejections(gateway, '/admin/key-stats', []));
