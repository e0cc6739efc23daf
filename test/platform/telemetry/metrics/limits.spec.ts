import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { LimitMetrics } from '../../../../src/quota/limits/limit-metrics.service.js';
import { LimitSet } from '../../../../src/quota/limits/limit-set.service.js';
import { LimitCalls } from '../../../support/limit-calls.js';
import { startMetered, type MeteredGateway } from '../../../support/metered-gateway.js';

const COUNT = 'gateway_limits';
const REFUSALS = 'gateway_limit_refusals_total';
const RATIO = 'gateway_limit_used_ratio';

let metered: MeteredGateway;
let limits: LimitCalls;
let source: DataSource;
beforeAll(async () => {
  metered = await startMetered();
  limits = new LimitCalls(metered.gateway, { period: 'month' });
  source = metered.gateway.app.get(DataSource);
});
afterAll(() => metered.stop());
beforeEach(async () => {
  await source.query('delete from limits');
  await metered.gateway.app.get(LimitSet).refresh();
});

test('enabled limits are counted by scope', async () => {
  await limits.create();
  await limits.create({ scope: 'tag', tag: 'a' });
  const { id } = await limits.create({ scope: 'tag', tag: 'b' });
  await metered.gateway.admin('PATCH', `/admin/limits/${id}`, { enabled: false });
  const counts = (await metered.scrape()).of(COUNT).map(({ labels, value }) => [labels['scope'], value]);
  expect(counts).toEqual([
    ['account', 1],
    ['team', 0],
    ['key', 0],
    ['tag', 1],
  ]);
});

test('refusals have a series for each scope and measure from the start, and are counted', async () => {
  expect((await metered.scrape()).of(REFUSALS)).toHaveLength(4 * 6);
  const labels = { scope: 'tag', measure: 'requests' };
  const key = await metered.gateway.createKey({ tags: ['full'] });
  await limits.create({ scope: 'tag', tag: 'full', amount: 0 });
  const refused = async () => expect((await metered.gateway.chat(key)).status).toBe(429);
  expect(await metered.added(REFUSALS, labels, refused)).toBe(1);
});

test('the 50 limits with the highest share have a series, and the database is read at most every 15 seconds', async () => {
  await source.query(
    `insert into limits (scope, scope_tag, measure, period, amount) select 'tag', 't' || n, 'requests', 'month', 1000 from generate_series(1, 60) as n`,
  );
  await source.query('update limit_counters set used = limit_id - (select min(id) from limits), held = 10');
  await metered.gateway.app.get(LimitSet).refresh();
  const metrics = metered.gateway.app.get(LimitMetrics);
  const first = await metrics.fullest(performance.now() + 100_000);
  expect(first).toHaveLength(50);
  expect(first.slice(0, 2).map(({ ratio }) => ratio)).toEqual([0.069, 0.068]);
  expect(await metrics.fullest(performance.now() + 114_000)).toBe(first);
  await source.query('update limit_counters set used = 2000 where limit_id = (select min(id) from limits)');
  const [full] = await metrics.fullest(performance.now() + 116_000);
  expect(full).toMatchObject({ ratio: 2.01, limit: { scope: 'tag', scopeTag: 't1', measure: 'requests' } });
  const series = (await metered.scrape()).of(RATIO);
  expect(series).toHaveLength(50);
  expect(series[0]).toMatchObject({
    labels: { limit_id: String(full!.limit.id), scope: 'tag', measure: 'requests', period: 'month', mode: 'enforce' },
    value: 2.01,
  });
});
