import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { errorIn } from '../support/responses.js';
import { dateOf, DAY_MS } from '../support/cost-rows.js';
import type { TestGateway } from '../support/gateway.js';
import type { LimitCalls, ShownLimit } from '../support/limit-calls.js';
import { deleteLimits, startLimitsGateway } from '../support/limits-gateway.js';
import { noonZone } from '../support/limit-zones.js';

const HOUR_MS = 3_600_000;

let gateway: TestGateway;
let source: DataSource;
let keyId: string;
let limits: LimitCalls;
beforeAll(async () => {
  ({ gateway, source, limits, keyId } = await startLimitsGateway());
});
afterAll(() => gateway.stop());
beforeEach(() => deleteLimits(source));

describe('forecasts', () => {
  test('forecasts for a day continue the rate of its elapsed part', async () => {
    const { id, period_started_at: start, resets_at: end } = await limits.create({ time_zone: noonZone() });
    await limits.setCounter(id, 'used = 600');
    const { forecast } = await limits.get(id);
    const elapsedMs = Date.now() - Date.parse(start);
    expect(forecast!.method).toBe('linear_in_period');
    expect(Date.parse(forecast!.reached_at!) / 60_000).toBeCloseTo(
      (Date.parse(start) + (elapsedMs / 600) * 1000) / 60_000,
      -1,
    );
    expect(forecast!.amount_at_reset! / 600).toBeCloseTo((Date.parse(end) - Date.parse(start)) / elapsedMs, 1);
  });

  test('forecasts for a total continue the rate of the last seven days', async () => {
    for (const daysAgo of [1, 2, 3, 4, 5, 6]) await limits.use(keyId, daysAgo, 100);
    await limits.use(keyId, 0, 1);
    const { forecast, used } = await limits.create({ period: 'total', amount: 1601 });
    expect(used).toBe(601);
    expect(forecast).toMatchObject({ method: 'average_of_7_days', amount_at_reset: null });
    const perDay = 601 / (6 + (Date.now() % DAY_MS) / DAY_MS);
    expect((Date.parse(forecast!.reached_at!) - Date.now()) / DAY_MS).toBeCloseTo(1000 / perDay, 1);
  });

  test('forecasts for a day count only from the start of the limit, if it started within the day', async () => {
    const startsAtMs = Date.now() - 4 * HOUR_MS;
    const starts_at = new Date(startsAtMs).toISOString();
    const { id, resets_at: end } = await limits.create({ time_zone: noonZone(), starts_at });
    await limits.setCounter(id, 'used = 600');
    const { forecast } = await limits.get(id);
    const elapsedMs = Date.now() - startsAtMs;
    expect(Date.parse(forecast!.reached_at!) / 60_000).toBeCloseTo(
      (startsAtMs + (elapsedMs / 600) * 1000) / 60_000,
      -1,
    );
    expect(forecast!.amount_at_reset! / 600).toBeCloseTo((Date.parse(end) - startsAtMs) / elapsedMs, 1);
  });

  test('forecasts for a rolling period count only from the start of the limit, although stored usage fills all parts', async () => {
    const startsAtMs = Date.now() - 12 * HOUR_MS;
    const starts_at = new Date(startsAtMs).toISOString();
    const { id } = await limits.create({ period: 'rolling_7d', amount: 8500, starts_at });
    await limits.setCounter(id, 'used = 850, buckets = array_fill(10::bigint, array[85])');
    const { forecast } = await limits.get(id);
    expect(forecast!.method).toBe('average_of_period');
    expect((Date.parse(forecast!.reached_at!) - startsAtMs) / HOUR_MS).toBeCloseTo(120, 0);
  });

  test('forecasts for a total continue the rate of the last seven days, even if the limit started within them', async () => {
    for (const daysAgo of [1, 2, 3, 4, 5, 6]) await limits.use(keyId, daysAgo, 100);
    await limits.use(keyId, 0, 1);
    const starts_at = dateOf(Date.now() - 2 * DAY_MS);
    const { forecast, used } = await limits.create({ period: 'total', amount: 1201, starts_at });
    expect(used).toBe(201);
    const perDay = 601 / (6 + (Date.now() % DAY_MS) / DAY_MS);
    expect((Date.parse(forecast!.reached_at!) - Date.now()) / DAY_MS).toBeCloseTo(1000 / perDay, 1);
  });

  test('forecasts are absent without usage, and for limits that are not active', async () => {
    expect((await limits.create()).forecast).toBeNull();
    const { id } = await limits.create({ time_zone: noonZone(), enabled: false });
    await limits.setCounter(id, 'used = 600');
    expect((await limits.get(id)).forecast).toBeNull();
    expect((await limits.create({ measure: 'concurrent_requests', period: null })).forecast).toBeNull();
  });

  test('forecasts sort limits by the date on which they run out', async () => {
    const zoned = { time_zone: noonZone() };
    for (const used of [100, 900, 1000, 650]) {
      const { id } = await limits.create(zoned);
      await limits.setCounter(id, 'used = $2', [used]);
    }
    // Reached from the start, but without a forecast.
    await limits.create({ ...zoned, amount: 0 });
    const { body } = await gateway.admin<{ limits: ShownLimit[] }>('GET', '/admin/limits?sort=runs_out');
    expect(body.limits.map(({ used }) => used)).toEqual([0, 1000, 900, 650, 100]);
    const page = await gateway.admin<{ limits: ShownLimit[] }>('GET', '/admin/limits?sort=runs_out&offset=1&limit=2');
    expect(page.body.limits.map(({ used }) => used)).toEqual([1000, 900]);
  });
});

describe('POST /admin/limits/simulate', () => {
  const simulate = (fields: object) =>
    gateway.admin('POST', '/admin/limits/simulate', {
      scope: 'account',
      measure: 'requests',
      period: 'day',
      amount: 200,
      ...fields,
    });

  test('a simulation shows which requests a limit would have rejected and when, and changes nothing', async () => {
    for (const [daysAgo, requests] of [
      [5, 100],
      [4, 400],
      [3, 200],
      [0, 50],
    ] as const)
      await limits.use(keyId, daysAgo, requests);
    const peak = dateOf(Date.now() - 4 * DAY_MS);
    const even = dateOf(Date.now() - 3 * DAY_MS);
    const { status, body } = await simulate({ since: dateOf(Date.now() - 5 * DAY_MS) });
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'limit_simulation',
      since: dateOf(Date.now() - 5 * DAY_MS),
      until: dateOf(Date.now()),
      starts_with: 50,
      simulated: true,
      method: 'daily_usage',
      requests: 750,
      periods: 6,
      highest_used: 400,
      refused_amount: 200,
      refused_requests: 200,
      reached: [
        {
          started_at: `${peak}T00:00:00.000Z`,
          ended_at: `${even}T00:00:00.000Z`,
          used: 400,
          reached_at: `${peak}T12:00:00.000Z`,
          refused_amount: 200,
          refused_requests: 200,
        },
        {
          started_at: `${even}T00:00:00.000Z`,
          ended_at: expect.any(String),
          used: 200,
          reached_at: expect.any(String),
          refused_amount: 0,
          refused_requests: 0,
        },
      ],
    });
    expect((await gateway.admin('GET', '/admin/limits')).body).toMatchObject({ total: 0 });
  });

  test('a total can be simulated until today', async () => {
    for (const daysAgo of [1, 0]) await limits.use(keyId, daysAgo, 100);
    expect((await simulate({ period: 'total', amount: 1000 })).body).toMatchObject({
      requests: 200,
      highest_used: 200,
    });
  });

  test.each([['total'], ['rolling_7d'], ['week'], ['month']])(
    'a limit with the period %s can be simulated',
    async (period) => {
      for (const daysAgo of [8, 5, 3, 1]) await limits.use(keyId, daysAgo, 250);
      const { body } = await simulate({ period, amount: 600 });
      expect(body).toMatchObject({ method: 'daily_usage', requests: 1000 });
      const { refused_amount, highest_used } = body as { refused_amount: number; highest_used: number };
      expect(refused_amount).toBe(period === 'total' ? 400 : period === 'rolling_7d' ? 171 : refused_amount);
      expect(highest_used).toBe(period === 'total' ? 1000 : period === 'rolling_7d' ? 771 : highest_used);
    },
  );

  test.each([{ period: 'minute' }, { period: 'rolling_5h' }, { measure: 'concurrent_requests', period: null }])(
    'the response states that %j was not simulated, because usage is stored by day',
    async (fields) => {
      expect((await simulate(fields)).body).toMatchObject({
        simulated: false,
        method: null,
        periods: 0,
        reached: [],
      });
    },
  );

  test.each<[string, object, string]>([
    ['an invalid draft', { amount: -1 }, 'amount'],
    ['an unknown team', { scope: 'team', team_id: '0198c0de-0000-7000-8000-000000000000' }, 'team_id'],
    ['an unknown zone', { time_zone: 'Mars/Phobos' }, 'time_zone'],
    ['a zone of null', { time_zone: null }, 'time_zone'],
    ['no pattern', { models: [] }, 'models'],
    ['a first day of null', { since: null }, 'since'],
    ['days in the wrong order', { since: '2026-01-02', until: '2026-01-01' }, 'since'],
    ['more than a year', { since: '2020-01-01', until: '2026-01-01' }, 'since'],
    ['an end in the future', { until: '2999-01-01' }, 'until'],
    ['a first day in the future', { since: '2999-01-01' }, 'since'],
    ['an invalid day', { since: 'x' }, 'since'],
  ])('a simulation rejects %s', async (_what, fields, param) => {
    expect(errorIn(await simulate(fields))).toMatchObject({ code: 'validation_error', param });
  });

  test('the error about a first day in the future does not name the omitted last day', async () => {
    const { message } = errorIn(await simulate({ since: '2999-01-01' }));
    expect(message).toContain('a time that is not in the future');
    expect(message).not.toContain('until');
  });
});
