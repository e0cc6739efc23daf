import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { LimitForecasts } from '../../src/quota/limits/limit-forecasts.service.js';
import { TestGateway } from '../support/gateway.js';
import { LimitCalls } from '../support/limit-calls.js';
import { noonZone } from '../support/limit-zones.js';

interface EventRow {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

let gateway: TestGateway;
let source: DataSource;
let limits: LimitCalls;
beforeAll(async () => {
  gateway = await TestGateway.start();
  source = gateway.app.get(DataSource);
  limits = new LimitCalls(gateway, { scope: 'tag', tag: 'prod', name: 'Budget', time_zone: noonZone() });
  await source.query(
    `insert into webhooks (id, url, events, enabled, secret, created_at, updated_at)
     values (gen_random_uuid(), 'https://example.com/all', '{*}', true, '', now(), now()),
            (gen_random_uuid(), 'https://example.com/keys', '{key_revoked}', true, '', now(), now())`,
  );
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  for (const table of ['limits', 'limit_alerts', 'webhook_deliveries', 'notifications', 'events'])
    await source.query(`delete from ${table}`);
});

/** As a settlement does it. */
const setUsed = (id: number, used: number | bigint, by: DataSource | EntityManager = source) =>
  by.query('update limit_counters set used = $2 where limit_id = $1', [id, String(used)]);
const events = (by: DataSource | EntityManager = source): Promise<EventRow[]> =>
  by.query(`select type, data from events order by created_at, (data ->> 'threshold')::int`);
const thresholds = async () => (await events()).map(({ data }) => data['threshold']);
const countOf = async (table: string, by: DataSource | EntityManager = source) =>
  (await by.query<{ n: number }[]>(`select count(*)::int as n from ${table}`))[0]!.n;
const alertsOf = async (id: number) =>
  (await gateway.admin<{ alerts: Record<string, unknown>[] }>('GET', `/admin/limits/${id}/alerts`)).body.alerts;

describe('thresholds', () => {
  test('thresholds are reported in the transaction that reaches them, with a notification and a delivery', async () => {
    const { id, resets_at, period_started_at } = await limits.create();
    await source.transaction(async (transaction) => {
      await setUsed(id, 512, transaction);
      expect(await events(transaction)).toHaveLength(1);
      for (const table of ['notifications', 'webhook_deliveries', 'limit_alerts'])
        expect([table, await countOf(table, transaction)]).toEqual([table, 1]);
      expect(await countOf('events')).toBe(0);
    });
    expect(await events()).toEqual([
      {
        type: 'limit_threshold_reached',
        data: {
          limit_id: id,
          limit_name: 'Budget',
          scope: 'tag',
          team_id: null,
          key_id: null,
          tag: 'prod',
          measure: 'requests',
          period: 'day',
          mode: 'enforce',
          threshold: 50,
          used: '512',
          amount: '1000',
          resets_at,
        },
      },
    ]);
    expect(await alertsOf(id)).toEqual([
      { type: 'threshold', threshold: 50, at: expect.any(String), used: 512, amount: 1000, period_started_at },
    ]);
  });

  test('thresholds are not reported by a transaction that is rolled back', async () => {
    const { id } = await limits.create();
    const failed = source.transaction(async (transaction) => {
      await setUsed(id, 900, transaction);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await countOf('events')).toBe(0);
    await setUsed(id, 900);
    expect(await thresholds()).toEqual([50, 80]);
  });

  test('thresholds fire once per period, regardless of how often usage passes them', async () => {
    const { id } = await limits.create();
    for (const used of [499, 500, 501, 100, 600, 799, 800, 1000, 1200]) await setUsed(id, used);
    expect(await thresholds()).toEqual([50, 80, 100]);
  });

  test('thresholds fire again in the next period', async () => {
    const { id } = await limits.create();
    await setUsed(id, 600);
    await limits.moveBack(id, 1);
    await source.query('update limit_alerts set period = period - 86400000000');
    await limits.advance(id);
    await setUsed(id, 600);
    expect(await thresholds()).toEqual([50, 50]);
    expect(await alertsOf(id)).toHaveLength(2);
  });

  test('thresholds of a rolling period fire again only after the period', async () => {
    const { id } = await limits.create({ period: 'rolling_5h', time_zone: 'UTC', alert_thresholds: [50] });
    for (const used of [600, 400, 600]) await setUsed(id, used);
    expect(await thresholds()).toEqual([50]);
    await source.query(`update limit_alerts set at = at - interval '5 hours 5 minutes', period = period - 18300000000`);
    await setUsed(id, 400);
    await source.query('update limit_counters set alert_at = 500');
    await setUsed(id, 600);
    expect(await thresholds()).toEqual([50, 50]);
  });

  test('thresholds of a cost limit are in dollars, and refer to the current amount', async () => {
    const { id } = await limits.create({ measure: 'cost', amount: '10', alert_thresholds: [100] });
    await gateway.admin('POST', `/admin/limits/${id}/top-ups`, { amount: '2.5' });
    await setUsed(id, 12_000_000_000n);
    expect(await countOf('events')).toBe(0);
    await setUsed(id, 12_500_000_001n);
    expect((await events())[0]!.data).toMatchObject({ used: '12.500000001', amount: '12.5', threshold: 100 });
  });

  test('thresholds can be above 100%, or absent', async () => {
    const above = await limits.create({ alert_thresholds: [150], mode: 'observe' });
    const none = await limits.create({ alert_thresholds: [] });
    await setUsed(above.id, 1500);
    await setUsed(none.id, 5000);
    expect((await events()).map(({ data }) => [data['limit_id'], data['threshold'], data['mode']])).toEqual([
      [above.id, 150, 'observe'],
    ]);
  });

  test('thresholds are reported after a change of the amount or of the thresholds', async () => {
    const { id } = await limits.create({ alert_thresholds: [100] });
    await setUsed(id, 600);
    await gateway.admin('PATCH', `/admin/limits/${id}`, { alert_thresholds: [60] });
    await setUsed(id, 601);
    expect(await thresholds()).toEqual([60]);
  });
});

describe('forecasts', () => {
  const run = () => gateway.app.get(LimitForecasts).run();

  test('forecasts are reported once per limit and period, with the date', async () => {
    const { id, resets_at, period_started_at } = await limits.create({ alert_thresholds: [100] });
    const { id: safe } = await limits.create({ alert_thresholds: [100] });
    await setUsed(id, 800);
    await setUsed(safe, 100);
    expect(await run()).toBe(1);
    const [{ type, data }] = (await events()) as [EventRow];
    const { reached_at, ...rest } = data;
    expect([type, rest]).toEqual([
      'limit_forecast',
      {
        limit_id: id,
        limit_name: 'Budget',
        scope: 'tag',
        team_id: null,
        key_id: null,
        tag: 'prod',
        measure: 'requests',
        period: 'day',
        mode: 'enforce',
        used: '800',
        amount: '1000',
        resets_at,
      },
    ]);
    const startMs = Date.parse(period_started_at);
    expect(Date.parse(reached_at as string)).toBeGreaterThan(Date.now());
    const expectedMs = startMs + ((Date.now() - startMs) / 800) * 1000;
    expect((Date.parse(reached_at as string) - expectedMs) / 60_000).toBeCloseTo(0, -1);
    for (const table of ['notifications', 'webhook_deliveries']) expect(await countOf(table)).toBe(1);
    expect(await alertsOf(id)).toMatchObject([{ type: 'forecast', threshold: null, used: 800, amount: 1000 }]);
    expect(await Promise.all([run(), run()])).toEqual([0, 0]);
    await gateway.admin('POST', `/admin/limits/${id}/reset`);
    expect(await run()).toBe(0);
  });

  test('forecasts are published by one of several processes', async () => {
    const { id: day } = await limits.create({ alert_thresholds: [100] });
    await setUsed(day, 900);
    const { id: week } = await limits.create({ period: 'rolling_7d', time_zone: 'UTC', alert_thresholds: [100] });
    // 900 of 1000 in half a day.
    await source.query(
      `update limit_counters set used = 900, buckets[(bucket % 85 + 1)::int] = 450, buckets[((bucket - 6) % 85 + 1)::int] = 450
        where limit_id = $1`,
      [week],
    );
    const counts = await Promise.all([run(), run(), run()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(2);
    expect((await events()).map(({ data }) => data['limit_id']).sort()).toEqual([day, week]);
    expect(await countOf('limit_alerts')).toBe(2);
  });

  test('forecasts are not reported for limits that were reached, are disabled, or have no alerts', async () => {
    for (const [fields, used] of [
      [{}, 1000],
      [{ alert_thresholds: [] }, 900],
      [{ period: 'hour', time_zone: 'UTC' }, 999],
      [{ period: 'rolling_5h', time_zone: 'UTC' }, 999],
    ] as const) {
      const { id } = await limits.create(fields);
      await source.query('update limit_counters set alert_at = null, used = $2 where limit_id = $1', [id, used]);
    }
    const { id } = await limits.create({ enabled: false });
    await source.query('update limit_counters set alert_at = null, used = 900 where limit_id = $1', [id]);
    expect(await run()).toBe(0);
    expect(await countOf('events')).toBe(0);
  });
});
