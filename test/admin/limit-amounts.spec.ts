import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { dateOf, DAY_MS, insertRows } from '../support/cost-rows.js';
import { errorIn } from '../support/responses.js';
import type { TestGateway } from '../support/gateway.js';
import type { LimitCalls } from '../support/limit-calls.js';
import { noonZone } from '../support/limit-zones.js';
import { deleteLimits, startLimitsGateway, type LimitPage } from '../support/limits-gateway.js';

const COST = { measure: 'cost', period: 'month' };
/** A billion dollars, and the same in nano-dollars. */
const MOST = '1000000000';
const MOST_NANOS = 10n ** 18n;
const TOKENS_MOST = 9_007_199_254_740_991;

let gateway: TestGateway;
let source: DataSource;
let keyId: string;
let limits: LimitCalls;
beforeAll(async () => {
  ({ gateway, source, limits, keyId } = await startLimitsGateway());
});
afterAll(() => gateway.stop());
beforeEach(() => deleteLimits(source));

const post = (path: string, body: object) => gateway.admin('POST', `/admin/limits${path}`, body);

describe('the largest amount of a cost limit', () => {
  test('limits of a billion dollars are shown and reported to the nano-dollar', async () => {
    const { id } = await limits.create({
      ...COST,
      amount: MOST,
      carry_over: '999999999.999999',
      alert_thresholds: [100],
    });
    await limits.topUp(id, { amount: '0.000001' });
    await limits.setCounter(id, 'used = $2, held = 1', [String(MOST_NANOS - 1n)]);
    const shown = {
      amount: MOST,
      carry_over: '999999999.999999',
      top_ups: '0.000001',
      effective_amount: '1000000000.000001',
      used: '999999999.999999999',
      reserved: '0.000000001',
      remaining: '0.000001',
    };
    expect(await limits.get(id)).toMatchObject(shown);
    expect((await gateway.admin<LimitPage>('GET', '/admin/limits')).body.limits).toMatchObject([shown]);
    const csv = (await gateway.admin('GET', '/admin/limits?format=csv')).text;
    expect(csv).toContain(',999999999.999999999,0.000000001,0,0.000001,1000000000.000001,0,0.000001,');
    await limits.setCounter(id, 'used = $2', [String(MOST_NANOS + 1000n)]);
    const events = await source.query(
      `select data ->> 'used' as used, data ->> 'amount' as amount from events where type = 'limit_threshold_reached'`,
    );
    expect(events).toEqual([{ used: '1000000000.000001', amount: '1000000000.000001' }]);
  });

  test('an amount, carry-over or top-up above a billion dollars is rejected', async () => {
    const more = '1000000000.000001';
    const { id } = await limits.create({ ...COST, amount: '1' });
    const refusals = [
      await post('', { scope: 'account', ...COST, amount: more }),
      await post('', { scope: 'account', ...COST, amount: '1', carry_over: more }),
      await post('/simulate', { scope: 'account', ...COST, amount: more }),
      await post(`/${id}/top-ups`, { amount: more }),
      await gateway.admin('PATCH', `/admin/limits/${id}`, { amount: '99999999999999999999' }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(refusals.map((refusal) => errorIn(refusal).param)).toEqual([
      'amount',
      'carry_over',
      'amount',
      'amount',
      'amount',
    ]);
    for (const refusal of refusals) expect(errorIn(refusal).message).toContain('it must be at most 1000000000.');
  });

  test('a hundred top-ups of a billion dollars do not make requests fail with 503', async () => {
    const { id } = await limits.create({ ...COST, amount: MOST });
    await source.query(
      `insert into limit_grants (limit_id, amount, created_by) select $1, $2, 'test' from generate_series(1, 100)`,
      [id, String(MOST_NANOS)],
    );
    const key = await gateway.createKey();
    expect((await gateway.chat(key.key)).status).not.toBe(503);
    expect(await limits.get(id)).toMatchObject({ top_ups: '100000000000', effective_amount: '4611686018.427387903' });
  });

  test('forecasts and simulations of a billion dollars are exact', async () => {
    const day = { ...COST, period: 'day', time_zone: noonZone() };
    const { id } = await limits.create({ ...day, amount: MOST, alert_thresholds: [] });
    const reachedAtMs = async (nanos: bigint) => {
      await limits.setCounter(id, 'used = $2', [String(nanos)]);
      return Date.parse((await limits.get(id)).forecast!.reached_at!);
    };
    const beforeMs = Date.now();
    expect(await reachedAtMs(MOST_NANOS)).toBeLessThan(beforeMs + 3_600_000);
    expect(await reachedAtMs((MOST_NANOS * 3n) / 4n)).toBeGreaterThan(beforeMs + 3_600_000);
    const row = {
      keyId,
      model: 'm',
      endpoint: '',
      provider: '',
      backfilled: false,
      requests: 1,
      unpriced: 0,
      estimated: 0,
    };
    const nanos = MOST_NANOS + 123_456_789n;
    await insertRows(source, [{ ...row, day: dateOf(Date.now() - 2 * DAY_MS), nanos, units: 0 }]);
    // Only this key, because the chat completion of another test can be recorded late.
    const draft = { scope: 'key', key_id: keyId, ...COST, amount: MOST };
    const { body } = await post('/simulate', { ...draft, period: 'day' });
    expect(body).toMatchObject({ highest_used: '1000000000.123456789', refused_amount: '0.123456789' });
    const total = await post('/simulate', { ...draft, period: 'total' });
    expect(total.body).toMatchObject({ starts_with: '1000000000.123456789' });
  });
});

test('the largest amount of tokens is the largest exact integer in JSON', async () => {
  const tokens = { measure: 'tokens', period: 'month' };
  const { id } = await limits.create({ ...tokens, amount: TOKENS_MOST, carry_over: TOKENS_MOST });
  await limits.topUp(id, { amount: TOKENS_MOST });
  expect(await limits.get(id)).toMatchObject({
    amount: TOKENS_MOST,
    top_ups: TOKENS_MOST,
    effective_amount: TOKENS_MOST,
  });
  const refused = await post('', { scope: 'account', ...tokens, amount: TOKENS_MOST + 1 });
  expect(errorIn(refused)).toMatchObject({
    param: 'amount',
    message: expect.stringContaining(`from 0 to ${TOKENS_MOST}`),
  });
});
