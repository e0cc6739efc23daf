import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { StatsWriter } from '../../src/stats/stats-writer.service.js';
import { RollupJob } from '../../src/stats/aggregates/rollup-job.service.js';
import { describeInOrder } from '../support/describe-in-order.js';
import { DAY, HOUR, insert, keyIdOf, type Sampled } from '../support/statistics-sample.js';
import { expectRejections } from '../support/statistics-route.js';
import { TestGateway } from '../support/gateway.js';

interface Row {
  readonly model: string;
  readonly request_count: number;
  readonly [name: string]: unknown;
}

const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const BY_COST = [null, { nanos: 100n, unpriced: true }, { nanos: 23n, unpriced: false }] as const;
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
  const request = (model: string | null, more: Partial<Sampled> = {}): Sampled => ({
    atMs: NOW - 2 * DAY,
    keyId: keyIdOf(0),
    model,
    endpoint: '/v1/chat/completions',
    status: 200,
    latencyMs: 40,
    inputTokens: 100,
    outputTokens: 10,
    ...more,
  });
  await insert(gateway.app.get(DataSource), [
    ...[1, 2, 3].map((i) =>
      request('b-model', { latencyMs: i, atMs: NOW - 2 * DAY + i * HOUR, cost: BY_COST[i - 1]! }),
    ),
    request('a-model', { keyId: keyIdOf(1), status: 429, inputTokens: 0, outputTokens: 0 }),
    request('c-model', { inputTokens: 4000, cost: { nanos: null, unpriced: true } }),
    ...[1, 2, 3, 4].map(() => request(null, { endpoint: '/v1/files' })),
  ]);
});
afterAll(() => gateway.stop());

const list = async (query = '') => {
  const { status, text, body } = await gateway.admin<{ models: Row[] }>('GET', `/admin/model-stats${query}`);
  if (status !== 200) throw new Error(text);
  expect(Object.keys(body)).toEqual(['models']);
  return body.models;
};
const models = async (query: string) => (await list(query)).map(({ model }) => model);

/** The order matters, because a later test sends requests that would change the figures of the others. */
describeInOrder('model statistics', () => {
  describe.each(['from samples', 'from rollups'])('%s', (how) => {
    beforeAll(async () => {
      if (how !== 'from samples') await gateway.app.get(RollupJob).run();
    });

    test('returns every figure per model and skips requests without a model', async () => {
      const rows = await list();
      expect(rows.map(({ model }) => model)).toEqual(['b-model', 'a-model', 'c-model']);
      expect(rows[0]).toEqual({
        model: 'b-model',
        request_count: 3,
        error_count: 0,
        error_rate: 0,
        input_tokens: 300,
        output_tokens: 30,
        total_tokens: 330,
        cost: '0.000000123',
        currency: 'USD',
        unpriced_requests: 1,
        avg_latency_ms: 2,
        max_latency_ms: 3,
        p50_latency_ms: 2,
        p95_latency_ms: 3,
      });
    });

    test('the cost of requests without a price is unknown, and that of rejected ones is 0', async () => {
      const costs = (await list()).map((row) => [row.model, row['cost'], row['unpriced_requests']]);
      expect(costs).toEqual([
        ['b-model', '0.000000123', 1],
        ['a-model', '0', 0],
        ['c-model', null, 1],
      ]);
    });

    test('filters by key, by model and by both', async () => {
      expect(await models(`?key_id=${keyIdOf(1)}`)).toEqual(['a-model']);
      expect(await models('?model=c-model')).toEqual(['c-model']);
      expect(await models(`?model=a-model&key_id=${keyIdOf(0)}`)).toEqual([]);
      expect(await models(`?model=a-model&key_id=${keyIdOf(1)}`)).toEqual(['a-model']);
    });

    test('sorts by every sort_by value', async () => {
      for (const [sort, order] of Object.entries({
        request_count: ['b-model', 'a-model', 'c-model'],
        error_count: ['a-model', 'b-model', 'c-model'],
        total_tokens: ['c-model', 'b-model', 'a-model'],
        cost: ['b-model', 'a-model', 'c-model'],
        avg_latency_ms: ['a-model', 'c-model', 'b-model'],
        max_latency_ms: ['a-model', 'c-model', 'b-model'],
        p95_latency_ms: ['a-model', 'c-model', 'b-model'],
      })) {
        expect([sort, await models(`?sort_by=${sort}`)]).toEqual([sort, order]);
        expect([sort, await models(`?sort_by=${sort}&limit=2&sort_dir=desc`)]).toEqual([sort, order.slice(0, 2)]);
      }
      expect(await models('?sort_by=total_tokens&sort_dir=asc')).toEqual(['a-model', 'b-model', 'c-model']);
      expect(await models('?sort_by=request_count&sort_dir=asc')).toEqual(['a-model', 'c-model', 'b-model']);
    });
  });

  test('includes a new request as soon as its sample is written', async () => {
    const key = await gateway.createKey();
    await gateway.chat(key);
    await gateway.chat(key, { temperature: 9 });
    await gateway.app.get(StatsWriter).flush();
    const [row, ...others] = await list(`?key_id=${key.id}`);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ model: 'gpt-4o-mini', request_count: 2, error_count: 1, error_rate: 50 });
    // Percentiles from rollups can be off by 1.1%.
    const { p50_latency_ms: p50, p95_latency_ms: p95, ...exact } = row!;
    const [summedUp] = await list('?model=gpt-4o-mini');
    expect(summedUp).toMatchObject(exact);
    expect(Math.abs(Number(summedUp!['p50_latency_ms']) - Number(p50))).toBeLessThanOrEqual(0.011 * Number(p50));
    expect(Math.abs(Number(summedUp!['p95_latency_ms']) - Number(p95))).toBeLessThanOrEqual(0.011 * Number(p95));
  });

  test('rejects invalid parameters, methods and credentials', () =>
    expectRejections(gateway, '/admin/model-stats', []));
});
