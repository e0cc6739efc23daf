import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { RollupJob } from '../../src/stats/aggregates/rollup-job.service.js';
import { DAY, HOUR, insert, keyIdOf, type Sampled } from '../support/statistics-sample.js';
import { expectRejections } from '../support/statistics-route.js';
import { TestGateway } from '../support/gateway.js';

interface Row {
  readonly endpoint: string;
  readonly request_count: number;
  readonly [name: string]: unknown;
}

const CHAT = '/v1/chat/completions';
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const request = (more: Partial<Sampled>): Sampled => ({
  atMs: NOW - DAY,
  keyId: keyIdOf(0),
  model: 'gpt-4o',
  endpoint: CHAT,
  status: 200,
  latencyMs: 10,
  inputTokens: 1,
  outputTokens: 2,
  ...more,
});
/** Seven chat requests in one hour (three failed), a files request with another key, and an embeddings request that is 40 days old. */
const ROWS: Sampled[] = [
  ...[200, 200, 200, 201, 404, 429, 500].map((status, i) =>
    request({ status, latencyMs: 10 * i, atMs: NOW - DAY + i, cost: { nanos: 1_000_000n, unpriced: false } }),
  ),
  request({ endpoint: '/v1/files', model: null, keyId: keyIdOf(1), latencyMs: 99 }),
  request({ endpoint: '/v1/embeddings', atMs: NOW - 40 * DAY, latencyMs: 5 }),
];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
  await insert(gateway.app.get(DataSource), ROWS);
});
afterAll(() => gateway.stop());

const list = async (query = '') => {
  const { status, text, body } = await gateway.admin<{ endpoints: Row[] }>('GET', `/admin/endpoint-stats${query}`);
  if (status !== 200) throw new Error(text);
  expect(Object.keys(body)).toEqual(['endpoints']);
  return body.endpoints;
};
const endpoints = async (query: string) => (await list(query)).map(({ endpoint }) => endpoint);
const iso = (ms: number) => new Date(ms).toISOString();

describe.each(['from samples', 'from rollups'])('endpoint statistics %s', (how) => {
  beforeAll(async () => {
    if (how !== 'from samples') await gateway.app.get(RollupJob).run();
  });

  test('returns every figure per endpoint for the last 30 days by default', async () => {
    const [chat, files, ...others] = await list();
    expect(others).toEqual([]);
    expect(chat).toEqual({
      endpoint: CHAT,
      request_count: 7,
      error_count: 3,
      client_error_count: 2,
      server_error_count: 1,
      error_rate: 42.86,
      cost: '0.007',
      currency: 'USD',
      unpriced_requests: 0,
      avg_latency_ms: 30,
      max_latency_ms: 60,
      p50_latency_ms: 30,
      p95_latency_ms: 60,
    });
    expect(files).toMatchObject({ endpoint: '/v1/files', request_count: 1, error_count: 0, error_rate: 0 });
    expect(files!.avg_latency_ms).toBe(99);
  });

  test('since and until are inclusive', async () => {
    const count = async (query: string) => (await list(query)).reduce((sum, row) => sum + row.request_count, 0);
    expect(await count(`?since=${iso(NOW - 365 * DAY)}`)).toBe(9);
    expect(await count(`?since=${iso(NOW - DAY + 2)}`)).toBe(5);
    expect(await count(`?since=${iso(NOW - DAY + 2)}&until=${iso(NOW - DAY + 4)}`)).toBe(3);
    expect(await count(`?since=${iso(NOW - DAY + 6)}&until=${iso(NOW - DAY + 6)}`)).toBe(1);
    expect(await count(`?since=${iso(NOW - DAY + 7)}`)).toBe(0);
    expect(await count('?since=2020-01-01&until=2020-01-02')).toBe(0);
    expect(await count(`?since=${iso(NOW + 9 * DAY)}`)).toBe(0);
    // Without `since`, the range starts 30 days before `until`, or 30 days ago if `until` is in the future.
    expect(await count(`?until=${iso(NOW - 30 * DAY)}`)).toBe(1);
    expect(await count(`?until=${iso(NOW - 71 * DAY)}`)).toBe(0);
    expect(await count('?until=9999-12-31')).toBe(8);
    expect(await count('?until=0001-01-01')).toBe(0);
    expect(await count('?since=0001-01-01&until=9999-12-31T23:59:59.999Z')).toBe(9);
  });

  test('filters by key, by model and by both', async () => {
    expect(await endpoints(`?key_id=${keyIdOf(1)}`)).toEqual(['/v1/files']);
    expect(await endpoints(`?key_id=${keyIdOf(1).toUpperCase()}`)).toEqual(['/v1/files']);
    expect(await endpoints('?model=gpt-4o')).toEqual([CHAT]);
    expect(await endpoints(`?model=gpt-4o&key_id=${keyIdOf(1)}`)).toEqual([]);
    expect(await endpoints(`?model=gpt-4o&key_id=${keyIdOf(0)}`)).toEqual([CHAT]);
    expect(await endpoints(`?key_id=${keyIdOf(77)}`)).toEqual([]);
    expect(await endpoints('?model=GPT-4o')).toEqual([]);
    expect(await endpoints('?model=')).toEqual([]);
  });

  test('sorts by every sort_by value, in descending order by default', async () => {
    for (const sort of ['request_count', 'error_count', 'cost']) {
      expect(await endpoints(`?sort_by=${sort}`)).toEqual([CHAT, '/v1/files']);
      expect(await endpoints(`?sort_by=${sort}&sort_dir=asc`)).toEqual(['/v1/files', CHAT]);
    }
    for (const sort of ['avg_latency_ms', 'max_latency_ms', 'p95_latency_ms']) {
      expect(await endpoints(`?sort_by=${sort}`)).toEqual(['/v1/files', CHAT]);
      expect(await endpoints(`?sort_by=${sort}&sort_dir=asc`)).toEqual([CHAT, '/v1/files']);
    }
    expect(await endpoints('?limit=1')).toEqual([CHAT]);
    expect(await endpoints('?limit=500&sort_dir=asc')).toEqual(['/v1/files', CHAT]);
  });
});

test('endpoint statistics reject invalid parameters, methods and credentials', () =>
  expectRejections(gateway, '/admin/endpoint-stats', ['total_tokens']));
