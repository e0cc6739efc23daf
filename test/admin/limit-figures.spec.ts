import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { errorIn } from '../support/responses.js';
import { dateOf, DAY_MS, insertRows } from '../support/cost-rows.js';
import type { TestGateway } from '../support/gateway.js';
import type { LimitCalls, ShownLimit } from '../support/limit-calls.js';
import { deleteLimits, startLimitsGateway } from '../support/limits-gateway.js';
import { noonZone } from '../support/limit-zones.js';

let gateway: TestGateway;
let source: DataSource;
let keyId: string;
let limits: LimitCalls;
beforeAll(async () => {
  ({ gateway, source, limits, keyId } = await startLimitsGateway());
});
afterAll(() => gateway.stop());
beforeEach(() => deleteLimits(source));

/** The mean of a figure that is spread evenly over its UTC day, from an instant of this day on. */
const shareFrom = (instant: number) => {
  const midnight = Math.floor(instant / DAY_MS) * DAY_MS;
  const length = Math.min(DAY_MS, Date.now() - midnight);
  return Math.max(0, 1 - (instant - midnight) / length);
};

describe('a limit that is created within a period', () => {
  test('a new limit starts from the usage of its current period', async () => {
    await limits.use(keyId, 0, 30);
    await limits.use(keyId, 1, 500);
    expect((await limits.create()).used).toBe(30);
    expect((await limits.create({ period: 'total' })).used).toBe(530);
    expect((await limits.create({ period: 'minute' })).used).toBe(0);
    expect((await limits.create({ period: 'rolling_7d' })).used).toBe(530);
    expect((await limits.create({ starts_at: '2999-01-01' })).used).toBe(0);
  });

  test('a new seven-day limit counts earlier usage for seven days after the day of that usage', async () => {
    await limits.use(keyId, 3, 100);
    await limits.use(keyId, 0, 30);
    const { id, used, period_started_at } = await limits.create({ period: 'rolling_7d' });
    expect(used).toBe(130);
    const twoHours = 7_200_000;
    expect((Math.floor(Date.now() / twoHours) - 84) * twoHours - Date.parse(period_started_at)).toBe(0);
    const leavesAtMs = Date.parse(dateOf(Date.now() - 2 * DAY_MS)) + 7 * DAY_MS;
    const usedAt = async (ms: number) => {
      const [row] = await source.query<{ used: number }[]>(
        'select (limit_advanced(c, $2)).used::integer as used from limit_counters c where limit_id = $1',
        [id, ms * 1000],
      );
      return row!.used;
    };
    expect([await usedAt(leavesAtMs - 1), await usedAt(leavesAtMs)]).toEqual([130, 30]);
  });

  test('a new limit whose period begins during a UTC day counts a share of the usage of that day', async () => {
    const zone = noonZone();
    for (const daysAgo of [0, 1]) await limits.use(keyId, daysAgo, 100_000);
    const { used, period_started_at } = await limits.create({ time_zone: zone });
    const startMs = Date.parse(period_started_at);
    const expected = dateOf(startMs) === dateOf(Date.now()) ? shareFrom(startMs) : shareFrom(startMs) + 1;
    expect((used as number) / 100_000).toBeCloseTo(expected, 2);
  });

  test('a new limit counts earlier usage only of its target and its models', async () => {
    await limits.use(keyId, 0, 10);
    await limits.use(keyId, 0, 5, 'claude-3');
    const other = await gateway.createKey();
    expect((await limits.create({ scope: 'key', key_id: keyId })).used).toBe(15);
    expect((await limits.create({ scope: 'tag', tag: 'prod', models: ['GPT-*'] })).used).toBe(10);
    expect((await limits.create({ scope: 'key', key_id: other.id })).used).toBe(0);
  });

  test('a new limit weights earlier cache tokens, and counts earlier costs in dollars', async () => {
    const row = { day: dateOf(Date.now()), keyId, model: 'm', endpoint: '', provider: '', backfilled: false };
    await insertRows(source, [{ ...row, requests: 1, unpriced: 0, estimated: 0, nanos: 1_500_000_001n, units: 0 }]);
    await source.query('update cost_daily set input = 100, cached_input = 1000, cache_write_5m = 10, output = 7');
    const weights = { cached_input: 0.1, cache_write: 1.25 };
    expect((await limits.create({ measure: 'tokens', weights })).used).toBe(100 + 100 + 13 + 7);
    expect((await limits.create({ measure: 'input_tokens' })).used).toBe(1110);
    expect((await limits.create({ measure: 'output_tokens' })).used).toBe(7);
    expect((await limits.create({ measure: 'cost', amount: '10' })).used).toBe('1.500000001');
  });

  test('a limit that is enabled again starts from the stored usage', async () => {
    const { id } = await limits.create({ enabled: false });
    await limits.use(keyId, 0, 40);
    expect((await limits.get(id)).used).toBe(0);
    expect((await gateway.admin<ShownLimit>('PATCH', `/admin/limits/${id}`, { enabled: true })).body.used).toBe(40);
  });
});

describe('POST /admin/limits/{id}/reset', () => {
  test('a reset begins a new period with nothing used or reserved', async () => {
    const before = Date.now();
    const { id, resets_at } = await limits.create({ time_zone: noonZone() });
    await limits.setCounter(id, 'used = 900, held = 50, estimated = 3, alert_at = 1000');
    const { status, body } = await limits.reset(id);
    expect([status, body]).toMatchObject([200, { used: 0, reserved: 0, estimated: 0, remaining: 1000, resets_at }]);
    expect(Date.parse(body.period_started_at)).toBeGreaterThanOrEqual(before - 1);
    expect(await source.query('select alert_at from limit_counters where limit_id = $1', [id])).toEqual([
      { alert_at: '500' },
    ]);
    expect(
      await source.query(`select 1 as n from audit_logs where target_id = $1 and action = 'limit.reset'`, [String(id)]),
    ).toHaveLength(1);
  });

  test('a reset empties all parts of a rolling period', async () => {
    const { id } = await limits.create({ period: 'rolling_5h' });
    await limits.setCounter(id, 'used = 61, buckets = array_fill(1::bigint, array[61])');
    expect((await limits.get(id)).used).toBe(61);
    expect((await limits.reset(id)).body.used).toBe(0);
    const [row] = await source.query('select used, buckets from limit_counters where limit_id = $1', [id]);
    expect(row).toEqual({ used: '0', buckets: new Array(61).fill('0') });
  });

  test('a reset carries over what was left of the previous period', async () => {
    const { id } = await limits.create({ carry_over: 500, time_zone: noonZone() });
    await limits.setCounter(id, 'used = 800');
    await limits.moveBack(id, 1);
    expect((await limits.reset(id)).body).toMatchObject({ used: 0, carried_over: 200, effective_amount: 1200 });
  });

  test('a limit of concurrent requests cannot be reset, because the requests are still running', async () => {
    const { id } = await limits.create({ measure: 'concurrent_requests', period: null });
    await limits.setCounter(id, 'held = 3');
    expect(errorIn(await limits.reset(id))).toMatchObject({ code: 'validation_error', param: 'id' });
    expect((await limits.get(id))['reserved']).toBe(3);
  });
});

describe('carry-over', () => {
  test.each([
    ['the unused part of the period before', 1, 300, 10_000, 700],
    ['no more than the configured amount', 1, 300, 500, 500],
    ['nothing of a period that was used up', 1, 1200, 500, 0],
    ['the amounts of three periods without requests', 3, 300, 10_000, 2700],
  ])('the next period starts with %s carried over', async (_what, periods, used, carry_over, carried) => {
    const { id } = await limits.create({ carry_over, time_zone: noonZone() });
    await limits.setCounter(id, 'used = $2', [used]);
    await limits.moveBack(id, periods);
    const expected = { used: 0, carried_over: carried, effective_amount: 1000 + carried, amount: 1000 };
    expect(await limits.get(id)).toMatchObject(expected);
    await limits.advance(id);
    expect(await limits.get(id)).toMatchObject(expected);
  });
});
