import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { errorCodeIn } from '../support/responses.js';
import { ADMIN_KEY } from '../support/gateway.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { poll } from '../support/poll.js';
import { CHAT_NANOS, PricingGateway, UNPRICED_MODEL } from '../support/pricing-gateway.js';
import { unpricedBatch, unpricedRows } from '../support/unpriced-rows.js';
import { until } from '../support/until.js';

let pricing: PricingGateway;
beforeAll(async () => {
  pricing = await PricingGateway.start();
});
afterAll(() => pricing.stop());
beforeEach(() => pricing.reset());

const unpricedRequest = ({ input, output, atMs = Date.now() }: { input: number; output: number; atMs?: number }) => ({
  atMs,
  logId: null,
  nanos: null,
  details: null,
  usage: { inputTokens: input, outputTokens: output, provenance: 'reported' as const },
});

describe('POST /admin/prices/recompute', () => {
  test('moves requests with a price to the costs of their day, and updates their logs and the audit log', async () => {
    await pricing.chats(3);
    await poll(() => pricing.waiting()).toBe(3);
    expect(await pricing.totals()).toEqual({ requests: '3', unpriced: '3', nanos: '0' });
    await pricing.setPrice();
    const { status, body } = await pricing.recompute();
    expect([status, body]).toEqual([
      200,
      { recomputed: 3, backfilled: 0, amount: '0.045', currency: 'USD', still_unpriced: 0 },
    ]);
    expect(await pricing.totals()).toEqual({ requests: '3', unpriced: '0', nanos: String(3n * CHAT_NANOS) });
    expect(await pricing.waiting()).toBe(0);
    const logs = await pricing.source.query<object[]>('select cost_nanos, cost from request_logs');
    expect(logs).toHaveLength(3);
    for (const log of logs)
      expect(log).toMatchObject({
        cost_nanos: String(CHAT_NANOS),
        cost: {
          provider: 'default',
          price: expect.stringMatching(/^operator /),
          unpriced: [],
          lines: [
            { kind: 'input', units: 9, price: 1e12, per: 1_000_000 },
            { kind: 'output', units: 3, price: 2e12, per: 1_000_000 },
          ],
          recomputed_at: expect.stringMatching(/^\d{4}-/),
        },
      });
    expect((await pricing.audited())[0]).toMatchObject({
      metadata: { recomputed: 3, amount: '0.045', currency: 'USD' },
    });
  });

  test('changes nothing and writes no audit row if nothing has a price now', async () => {
    await pricing.chats(1);
    await poll(() => pricing.waiting()).toBe(1);
    const before = (await pricing.audited()).length;
    expect((await pricing.recompute()).body).toEqual({
      recomputed: 0,
      backfilled: 0,
      amount: '0',
      currency: 'USD',
      still_unpriced: 1,
    });
    await pricing.setPrice({ valid_from: '2999-01-01' });
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 0, still_unpriced: 1 });
    expect((await pricing.audited()).length).toBe(before);
    expect(await pricing.totals()).toEqual({ requests: '1', unpriced: '1', nanos: '0' });
  });

  test('uses the price that applied at the time of each request', async () => {
    const [june, july] = [Date.UTC(2026, 5, 15), Date.UTC(2026, 6, 15)];
    await unpricedRows(pricing.source, { keyId: pricing.key.id, count: 2, model: UNPRICED_MODEL, atMs: june });
    await unpricedRows(pricing.source, { keyId: pricing.key.id, count: 3, model: UNPRICED_MODEL, atMs: july });
    await pricing.setPrice({ valid_from: '2026-06-01', valid_to: '2026-07-01' });
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 2, still_unpriced: 3 });
    await pricing.setPrice({ valid_from: '2026-07-01', prices: { input: '1', output: '1' } });
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 3, amount: '0.000036', still_unpriced: 0 });
    const days = await pricing.source.query<object[]>(
      'select day::text, cost_nanos, unpriced_requests from cost_daily order by day',
    );
    expect(days).toEqual([
      { day: '2026-06-15', cost_nanos: String(2n * CHAT_NANOS), unpriced_requests: '0' },
      { day: '2026-07-15', cost_nanos: '36000', unpriced_requests: '0' },
    ]);
  });

  test('rounds each request up, even if many are stored in one row', async () => {
    const requests = Array.from({ length: 40 }, (_, at) => unpricedRequest({ input: at, output: 1 }));
    await unpricedBatch(pricing.source, { keyId: pricing.key.id, model: UNPRICED_MODEL }, requests);
    // 37.5 nano-dollars per input token, and 10.1 for the output.
    await pricing.setPrice({ prices: { input: '0.0375', output: '0.0101' } });
    const nanos = requests.reduce((sum, _, at) => sum + Math.ceil((375 * at + 101) / 10), 0);
    expect(nanos).toBe(29_680);
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 40, amount: '0.00002968', still_unpriced: 0 });
    expect(await pricing.totals()).toEqual({ requests: '40', unpriced: '0', nanos: String(nanos) });
    expect(await pricing.waiting()).toBe(0);
  });

  test('keeps the requests of a row that the price or the filter does not cover', async () => {
    const noon = Date.UTC(2026, 5, 15, 12);
    const requests = Array.from({ length: 10 }, (_, at) => unpricedRequest({ input: at, output: 1, atMs: noon + at }));
    await unpricedBatch(pricing.source, { keyId: pricing.key.id, model: UNPRICED_MODEL }, requests);
    await pricing.setPrice({ valid_from: new Date(noon + 6).toISOString() });
    const timeOf = (ms: number) => new Date(noon + ms).toISOString();
    expect((await pricing.recompute({ since: timeOf(4), until: timeOf(8) })).body).toMatchObject({
      recomputed: 3,
      still_unpriced: 2,
    });
    expect((await pricing.missing()).models).toMatchObject([
      {
        requests: 7,
        first_used_at: timeOf(0),
        last_used_at: timeOf(9),
        units: { input: 0 + 1 + 2 + 3 + 4 + 5 + 9, output: 7, requests: 7 },
      },
    ]);
    await pricing.setPrice({ valid_from: '2026-06-01' });
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 7, still_unpriced: 0 });
    expect(await pricing.totals()).toEqual({ requests: '10', unpriced: '0', nanos: String(45 * 1e6 + 10 * 2e6) });
  });

  test('replaces the lower bound of a partly priced request', async () => {
    await pricing.setPrice({ prices: { input: '1000' } });
    await pricing.chats(1);
    await poll(() => pricing.waiting()).toBe(1);
    expect(await pricing.totals()).toEqual({ requests: '1', unpriced: '1', nanos: '9000000' });
    await pricing.setPrice({ provider: 'default' });
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 1, amount: '0.006' });
    expect(await pricing.totals()).toEqual({ requests: '1', unpriced: '0', nanos: String(CHAT_NANOS) });
  });

  test('a recomputation can lower an amount, if the price of its earlier part was too high', async () => {
    await pricing.setPrice({ prices: { input: '1000000' } });
    await pricing.chats(1);
    await poll(() => pricing.waiting()).toBe(1);
    await pricing.setPrice({ provider: 'default' });
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 1, amount: '-8.985' });
    expect(await pricing.totals()).toMatchObject({ nanos: String(CHAT_NANOS) });
  });

  test('prices only requests that match the filter', async () => {
    await unpricedRows(pricing.source, {
      keyId: pricing.key.id,
      count: 2,
      model: UNPRICED_MODEL,
      atMs: Date.UTC(2026, 5, 15),
    });
    await unpricedRows(pricing.source, {
      keyId: pricing.key.id,
      count: 3,
      model: UNPRICED_MODEL,
      atMs: Date.UTC(2026, 6, 15),
      provider: 'old',
    });
    await unpricedRows(pricing.source, {
      keyId: pricing.key.id,
      count: 4,
      model: 'other',
      atMs: Date.UTC(2026, 6, 20),
    });
    await pricing.setPrice({ model: '*' });
    const counts = async (filter: object) => (await pricing.recompute(filter)).body['recomputed'];
    expect(await counts({ model: 'none' })).toBe(0);
    expect(await counts({ since: '2026-08-01' })).toBe(0);
    expect(await counts({ provider: 'old' })).toBe(3);
    expect(await counts({ until: '2026-06-30' })).toBe(2);
    expect(await counts({ model: 'other', since: '2026-07-01', until: '2026-07-31' })).toBe(4);
    expect((await pricing.audited())[0]!.metadata).toMatchObject({ model: 'other', since: '2026-07-01T00:00:00.000Z' });
    expect(errorCodeIn(await pricing.recompute({ since: '2026-08-01', until: '2026-07-01' }))).toBe(
      '400 validation_error since',
    );
    expect(errorCodeIn(await pricing.recompute({ models: 'x' }))).toBe('400 validation_error models');
  });

  test('counts each request once if several recomputations run at the same time, even while requests are recorded', async () => {
    await unpricedRows(pricing.source, { keyId: pricing.key.id, count: 2600, model: UNPRICED_MODEL });
    await pricing.setPrice();
    const [results] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => pricing.recompute())),
      pricing.chats(20),
    ]);
    const recomputed = results.reduce((sum, { body }) => sum + Number(body['recomputed']), 0);
    expect(recomputed).toBe(2600);
    await poll(() => pricing.totals()).toEqual({
      requests: '2620',
      unpriced: '0',
      nanos: String(2620n * CHAT_NANOS),
    });
    const rows = (await pricing.audited()).filter(({ metadata }) => Number(metadata['recomputed']) > 0);
    const latest = rows.slice(0, results.filter(({ body }) => Number(body['recomputed']) > 0).length);
    expect(latest.reduce((sum, { metadata }) => sum + Number(metadata['recomputed']), 0)).toBe(2600);
  });

  test('counts each request once if its process is killed in the middle', async () => {
    await unpricedRows(pricing.source, { keyId: pricing.key.id, count: 1700, model: UNPRICED_MODEL });
    await pricing.setPrice();
    const before = (await pricing.audited()).length;
    const other = await GatewayProcess.start({
      DATABASE_URL: pricing.scratch.url,
      GW_UPSTREAM_BASE_URL: pricing.upstream.url,
    });
    const blocker = new Client({ connectionString: pricing.scratch.url });
    await blocker.connect();
    try {
      // The third batch waits for this row.
      await blocker.query('begin');
      const one = 'select id from unpriced_batches order by id offset 1200 limit 1';
      await blocker.query(`select from unpriced_batches where id = (${one}) for update`);
      const call = other.call('POST', '/admin/prices/recompute', { key: ADMIN_KEY, body: {} }).catch(() => null);
      await poll(() => pricing.waiting()).toBe(700);
      await other.kill();
      await call;
      await blocker.query('rollback');
    } finally {
      await blocker.end();
    }
    const done = { requests: '1700', unpriced: '700', nanos: String(1000n * CHAT_NANOS) };
    expect(await pricing.totals()).toEqual(done);
    const rows = await pricing.audited();
    expect(rows.length).toBe(before + 1);
    expect(rows[0]!.metadata).toMatchObject({ recomputed: 1000, amount: '15' });
    await until(async () => (await pricing.recompute()).body['recomputed'] === 700);
    expect(await pricing.totals()).toEqual({ requests: '1700', unpriced: '0', nanos: String(1700n * CHAT_NANOS) });
  });
});
