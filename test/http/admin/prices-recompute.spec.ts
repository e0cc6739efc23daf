import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { errorCodeIn } from '../../support/answers.js';
import { ADMIN_KEY, TestGateway, type Key } from '../../support/gateway.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { poll } from '../../support/poll.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { chatCompletion } from '../../support/scripted-upstream-answers.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { connect } from '../../support/stats-database.js';
import { until } from '../../support/until.js';
import { unpricedRows } from '../../support/unpriced-rows.js';

const MODEL = 'acme-custom-1';
const PRICES = { input: '1000', output: '2000' };
/** 9 input and 3 output tokens at these prices. */
const NANOS = 9_000_000n + 6_000_000n;

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;
let gateway: TestGateway;
let source: DataSource;
let key: Key;
beforeAll(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  gateway = await TestGateway.start({}, { upstream, databaseUrl: scratch.url });
  source = await connect(scratch.url);
  key = await gateway.createKey();
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await source.destroy();
  await Promise.all([gateway.stop(), upstream.stop()]);
  await scratch.drop();
});
beforeEach(async () => {
  upstream.reset();
  for (const table of ['model_prices', 'cost_daily', 'unpriced_usage', 'request_logs'])
    await source.query(`delete from ${table}`);
  await poll(async () => (await gateway.admin('GET', `/admin/prices/lookup?model=${MODEL}`)).status).toBe(404);
});

interface Totals {
  readonly requests: string;
  readonly unpriced: string;
  readonly nanos: string;
}
const totals = async (): Promise<Totals> => {
  const [row] = await source.query<Totals[]>(
    `select coalesce(sum(requests), 0) requests, coalesce(sum(unpriced_requests), 0) unpriced, coalesce(sum(cost_nanos), 0) nanos from cost_daily`,
  );
  return row!;
};
const waiting = async () => (await source.query<{ n: number }[]>('select count(*)::int n from unpriced_usage'))[0]!.n;
const setPrice = (body: object = {}) =>
  gateway.admin<{ id: string }>('POST', '/admin/prices', {
    model: MODEL,
    valid_from: '2020-01-01',
    prices: PRICES,
    ...body,
  });
const recompute = (body: object = {}) => gateway.admin('POST', '/admin/prices/recompute', body);
const missing = async (query = '') =>
  (await gateway.admin<{ total: number; models: object[] }>('GET', `/admin/prices/missing${query}`)).body;
const audited = () =>
  source.query<{ metadata: Record<string, unknown> }[]>(
    `select metadata from audit_logs where action = 'costs.recomputed' order by created_at desc`,
  );

async function chats(count: number, model = MODEL): Promise<void> {
  for (let n = 0; n < count; n++) expect((await gateway.chat(key, { model })).status).toBe(200);
}

describe('GET /admin/prices/missing', () => {
  test('lists models that were used without a price, the most used first', async () => {
    upstream.on('POST', '/v1/chat/completions', () => ({ body: chatCompletion('house-1') }));
    await chats(1);
    upstream.reset();
    await chats(2);
    await poll(waiting, { timeout: 5000 }).toBe(3);
    const { total, models } = await missing();
    expect([total, models.length]).toEqual([2, 2]);
    expect(models[1]).toMatchObject({ model: 'house-1', requests: 1 });
    expect(models[0]).toEqual({
      ...{ model: MODEL, provider: 'default', requests: 2, requests_capped: false },
      ...{ first_used_at: expect.any(String), last_used_at: expect.any(String) },
      ...{ units: { input: 18, output: 6, requests: 2 }, unpriced_kinds: ['input', 'output'] },
    });
    expect(await missing('?limit=1&offset=7')).toEqual({ total, has_more: false, models: [] });
  });

  test('shows that a price was set in the meantime, and which kinds it lacks', async () => {
    await chats(1);
    await poll(waiting, { timeout: 5000 }).toBe(1);
    await setPrice({ prices: { input: '1' } });
    expect((await missing()).models).toMatchObject([{ model: MODEL, unpriced_kinds: ['output'] }]);
    await setPrice({ provider: 'default' });
    expect((await missing()).models).toMatchObject([{ model: MODEL, unpriced_kinds: [] }]);
    await recompute();
    expect(await missing()).toEqual({ total: 0, has_more: false, models: [] });
  });

  test('ranks many models and stops counting at 10,000 requests', async () => {
    await unpricedRows(source, { keyId: key.id, count: 10_050, model: 'many' });
    for (let n = 0; n < 30; n++) await unpricedRows(source, { keyId: key.id, count: n + 1, model: `m-${n}` });
    const { total, models } = await missing('?limit=2');
    expect(total).toBe(31);
    expect(models).toMatchObject([
      { model: 'many', requests: 10_000, requests_capped: true, units: { input: 90_000 } },
      { model: 'm-29', requests: 30, requests_capped: false, units: { input: 270, output: 90 } },
    ]);
  });
});

describe('POST /admin/prices/recompute', () => {
  test('moves requests with a price to the costs of their day, and updates their logs and the audit log', async () => {
    await chats(3);
    await poll(waiting, { timeout: 5000 }).toBe(3);
    expect(await totals()).toEqual({ requests: '3', unpriced: '3', nanos: '0' });
    await setPrice();
    const { status, body } = await recompute();
    expect([status, body]).toEqual([200, { recomputed: 3, amount: '0.045', currency: 'USD', still_unpriced: 0 }]);
    expect(await totals()).toEqual({ requests: '3', unpriced: '0', nanos: String(3n * NANOS) });
    expect(await waiting()).toBe(0);
    const logs = await source.query<object[]>('select cost_nanos, cost from request_logs');
    expect(logs).toHaveLength(3);
    for (const log of logs)
      expect(log).toMatchObject({
        cost_nanos: String(NANOS),
        cost: {
          ...{ provider: 'default', price: expect.stringMatching(/^operator /), unpriced: [] },
          lines: [
            { kind: 'input', units: 9, price: 1e12, per: 1_000_000 },
            { kind: 'output', units: 3, price: 2e12, per: 1_000_000 },
          ],
          recomputed_at: expect.stringMatching(/^\d{4}-/),
        },
      });
    expect((await audited())[0]).toMatchObject({ metadata: { recomputed: 3, amount: '0.045', currency: 'USD' } });
  });

  test('changes nothing and writes no audit row if nothing has a price now', async () => {
    await chats(1);
    await poll(waiting, { timeout: 5000 }).toBe(1);
    const before = (await audited()).length;
    expect((await recompute()).body).toEqual({ recomputed: 0, amount: '0', currency: 'USD', still_unpriced: 1 });
    await setPrice({ valid_from: '2999-01-01' });
    expect((await recompute()).body).toMatchObject({ recomputed: 0, still_unpriced: 1 });
    expect((await audited()).length).toBe(before);
    expect(await totals()).toEqual({ requests: '1', unpriced: '1', nanos: '0' });
  });

  test('uses the price of the time of each request', async () => {
    const [june, july] = [Date.UTC(2026, 5, 15), Date.UTC(2026, 6, 15)];
    await unpricedRows(source, { keyId: key.id, count: 2, model: MODEL, atMs: june });
    await unpricedRows(source, { keyId: key.id, count: 3, model: MODEL, atMs: july });
    await setPrice({ valid_from: '2026-06-01', valid_to: '2026-07-01' });
    expect((await recompute()).body).toMatchObject({ recomputed: 2, still_unpriced: 3 });
    await setPrice({ valid_from: '2026-07-01', prices: { input: '1', output: '1' } });
    expect((await recompute()).body).toMatchObject({ recomputed: 3, amount: '0.000036', still_unpriced: 0 });
    const days = await source.query<object[]>(
      'select day::text, cost_nanos, unpriced_requests from cost_daily order by day',
    );
    expect(days).toEqual([
      { day: '2026-06-15', cost_nanos: String(2n * NANOS), unpriced_requests: '0' },
      { day: '2026-07-15', cost_nanos: '36000', unpriced_requests: '0' },
    ]);
  });

  test('replaces the lower bound of a partly priced request', async () => {
    await setPrice({ prices: { input: '1000' } });
    await chats(1);
    await poll(waiting, { timeout: 5000 }).toBe(1);
    expect(await totals()).toEqual({ requests: '1', unpriced: '1', nanos: '9000000' });
    await setPrice({ provider: 'default' });
    expect((await recompute()).body).toMatchObject({ recomputed: 1, amount: '0.006' });
    expect(await totals()).toEqual({ requests: '1', unpriced: '0', nanos: String(NANOS) });
  });

  test('can lower an amount, if the price of its earlier part was too high', async () => {
    await setPrice({ prices: { input: '1000000' } });
    await chats(1);
    await poll(waiting, { timeout: 5000 }).toBe(1);
    await setPrice({ provider: 'default' });
    expect((await recompute()).body).toMatchObject({ recomputed: 1, amount: '-8.985' });
    expect(await totals()).toMatchObject({ nanos: String(NANOS) });
  });

  test('prices only requests that match the filter', async () => {
    await unpricedRows(source, { keyId: key.id, count: 2, model: MODEL, atMs: Date.UTC(2026, 5, 15) });
    await unpricedRows(source, { keyId: key.id, count: 3, model: MODEL, atMs: Date.UTC(2026, 6, 15), provider: 'old' });
    await unpricedRows(source, { keyId: key.id, count: 4, model: 'other', atMs: Date.UTC(2026, 6, 20) });
    await setPrice({ model: '*' });
    const counts = async (filter: object) => (await recompute(filter)).body['recomputed'];
    expect(await counts({ model: 'none' })).toBe(0);
    expect(await counts({ since: '2026-08-01' })).toBe(0);
    expect(await counts({ provider: 'old' })).toBe(3);
    expect(await counts({ until: '2026-06-30' })).toBe(2);
    expect(await counts({ model: 'other', since: '2026-07-01', until: '2026-07-31' })).toBe(4);
    expect((await audited())[0]!.metadata).toMatchObject({ model: 'other', since: '2026-07-01T00:00:00.000Z' });
    expect(errorCodeIn(await recompute({ since: '2026-08-01', until: '2026-07-01' }))).toBe(
      '400 validation_error since',
    );
    expect(errorCodeIn(await recompute({ models: 'x' }))).toBe('400 validation_error models');
  });

  test('counts each request once if several run at the same time, also while requests are recorded', async () => {
    await unpricedRows(source, { keyId: key.id, count: 2600, model: MODEL });
    await setPrice();
    const [results] = await Promise.all([Promise.all(Array.from({ length: 4 }, () => recompute())), chats(20)]);
    const recomputed = results.reduce((sum, { body }) => sum + Number(body['recomputed']), 0);
    expect(recomputed).toBe(2600);
    await poll(totals, { timeout: 5000 }).toEqual({ requests: '2620', unpriced: '0', nanos: String(2620n * NANOS) });
    const rows = (await audited()).filter(({ metadata }) => Number(metadata['recomputed']) > 0);
    const latest = rows.slice(0, results.filter(({ body }) => Number(body['recomputed']) > 0).length);
    expect(latest.reduce((sum, { metadata }) => sum + Number(metadata['recomputed']), 0)).toBe(2600);
  });

  test('counts each request once if its process is killed in the middle', async () => {
    await unpricedRows(source, { keyId: key.id, count: 1700, model: MODEL });
    await setPrice();
    const before = (await audited()).length;
    const other = await GatewayProcess.start({ DATABASE_URL: scratch.url, GW_UPSTREAM_BASE_URL: upstream.url });
    const blocker = new Client({ connectionString: scratch.url });
    await blocker.connect();
    try {
      // The third batch waits for this row.
      await blocker.query('begin');
      const one = 'select id from unpriced_usage order by id offset 1200 limit 1';
      await blocker.query(`select from unpriced_usage where id = (${one}) for update`);
      const call = other.call('POST', '/admin/prices/recompute', { key: ADMIN_KEY, body: {} }).catch(() => null);
      await poll(waiting, { timeout: 10_000 }).toBe(700);
      await other.kill();
      await call;
      await blocker.query('rollback');
    } finally {
      await blocker.end();
    }
    const done = { requests: '1700', unpriced: '700', nanos: String(1000n * NANOS) };
    expect(await totals()).toEqual(done);
    const rows = await audited();
    expect(rows.length).toBe(before + 1);
    expect(rows[0]!.metadata).toMatchObject({ recomputed: 1000, amount: '15' });
    await until(async () => (await recompute()).body['recomputed'] === 700);
    expect(await totals()).toEqual({ requests: '1700', unpriced: '0', nanos: String(1700n * NANOS) });
  });
});

describe('a response with text that the database cannot store', () => {
  test('does not stop the recording of usage', async () => {
    upstream.on('POST', '/v1/chat/completions', () => ({ body: chatCompletion('bad\0name\ud800') }));
    await chats(1);
    await poll(waiting, { timeout: 5000 }).toBe(1);
    expect((await missing()).models).toMatchObject([{ model: 'bad\ufffdname\ufffd', requests: 1 }]);
  });
});

describe('the event model_unpriced', () => {
  const events = () =>
    source.query<{ data: Record<string, string> }[]>(
      `select e.data from events e join notifications n on n.id = e.id where e.type = 'model_unpriced' and e.data->>'model' like 'event-%' order by 1`,
    );
  const answerAs = (model: string) =>
    upstream.on('POST', '/v1/chat/completions', () => ({ body: chatCompletion(model) }));

  test('is published once for each model and upstream, with a notification, by all processes together', async () => {
    const other = await GatewayProcess.start({ DATABASE_URL: scratch.url, GW_UPSTREAM_BASE_URL: upstream.url });
    answerAs('event-1');
    await Promise.all([chats(3), other.chat(key.key, { model: MODEL }), other.chat(key.key, { model: MODEL })]);
    await poll(waiting, { timeout: 5000 }).toBe(5);
    await poll(async () => (await events()).length, { timeout: 5000 }).toBe(1);
    answerAs('event-2');
    await chats(1);
    await poll(async () => (await events()).map(({ data }) => data['model']), { timeout: 5000 }).toEqual([
      'event-1',
      'event-2',
    ]);
    expect((await events())[0]!.data).toEqual({
      ...{ model: 'event-1', provider: 'default' },
      message: expect.stringMatching(/has no price.*POST \/admin\/prices.*\/admin\/prices\/recompute/),
    });
    await other.kill();
  });
});
