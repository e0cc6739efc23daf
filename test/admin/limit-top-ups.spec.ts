import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { errorCodeIn, errorIn } from '../support/responses.js';
import type { TestGateway } from '../support/gateway.js';
import type { LimitCalls } from '../support/limit-calls.js';
import { deleteLimits, startLimitsGateway } from '../support/limits-gateway.js';
import { noonZone } from '../support/limit-zones.js';

const HOUR_MS = 3_600_000;
const PART_MS = 300_000;

let gateway: TestGateway;
let source: DataSource;
let limits: LimitCalls;
beforeAll(async () => {
  ({ gateway, source, limits } = await startLimitsGateway());
});
afterAll(() => gateway.stop());
beforeEach(() => deleteLimits(source));

describe('top-ups', () => {
  test('a top-up raises the amount until the period ends by default', async () => {
    const { id, resets_at } = await limits.create({ time_zone: noonZone() });
    const { status, body } = await limits.topUp(id, { amount: 250, note: 'Launch' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      amount: 250,
      starts_at: expect.any(String),
      expires_at: resets_at,
      is_expired: false,
      note: 'Launch',
      created_at: expect.any(String),
      created_by: 'admin_key',
    });
    expect(await limits.get(id)).toMatchObject({ amount: 1000, top_ups: 250, effective_amount: 1250, remaining: 1250 });
    expect((await gateway.admin('GET', `/admin/limits/${id}/top-ups`)).body).toEqual({
      total: 1,
      has_more: false,
      top_ups: [body],
    });
  });

  test('each of 60 top-ups counts in the row that admission reads as soon as it is created', async () => {
    const { id } = await limits.create({ time_zone: noonZone() });
    for (let created = 1; created <= 60; created++) {
      await limits.topUp(id, { amount: 1 });
      const [row] = await source.query('select amount from limit_counters where limit_id = $1', [id]);
      expect(Number(row.amount)).toBe(1000 + created);
    }
  });

  test('a top-up expires, and the limit returns to its own amount', async () => {
    const { id } = await limits.create({ time_zone: noonZone() });
    await limits.topUp(id, { amount: 100, expires_at: null });
    const { body } = await limits.topUp(id, { amount: 50, expires_at: '2999-01-01T00:00:00Z' });
    expect((await limits.get(id)).effective_amount).toBe(1150);
    // As if the second one had expired a moment ago, without a change of its row.
    await source.query('alter table limit_grants disable trigger user');
    await source.query(
      `update limit_grants set starts_at = now() - interval '2 seconds', expires_at = now() - interval '1 second' where id = $1`,
      [body.id],
    );
    await source.query('alter table limit_grants enable trigger user');
    await limits.setCounter(
      id,
      `granted[5] = (date_part('epoch', now()) * 1e6)::bigint - 2000000, granted[6] = (date_part('epoch', now()) * 1e6)::bigint - 1000000,
       until = (date_part('epoch', now()) * 1e6)::bigint - 1000000`,
    );
    expect(await limits.get(id)).toMatchObject({ top_ups: 100, effective_amount: 1100 });
    const page = await gateway.admin<{ top_ups: object[] }>('GET', `/admin/limits/${id}/top-ups`);
    expect(page.body.top_ups).toMatchObject([
      { amount: 50, is_expired: true },
      { amount: 100, is_expired: false },
    ]);
  });

  test('the expiry of a top-up must fit the period', async () => {
    const expiryOf = async (period: string, body: object = {}) => {
      const { id } = await limits.create({ period });
      return (await limits.topUp(id, { amount: 1, ...body })).body.expires_at;
    };
    expect(await expiryOf('total')).toBeNull();
    // When all present usage has left the period.
    const beforeMs = Date.now();
    const rollingMs = Date.parse((await expiryOf('rolling_5h'))!);
    expect(rollingMs).toBeGreaterThan(beforeMs + 5 * HOUR_MS);
    expect([rollingMs <= Date.now() + 5 * HOUR_MS + PART_MS, rollingMs % PART_MS]).toEqual([true, 0]);
    expect(await expiryOf('day', { expires_at: null })).toBeNull();
  });

  test('a top-up can be deleted, and both changes are audited', async () => {
    const { id } = await limits.create({ measure: 'cost', amount: '10' });
    const { body } = await limits.topUp(id, { amount: '2.5', note: 'n' });
    const path = `/admin/limits/${id}/top-ups/${body.id}`;
    expect((await gateway.admin('DELETE', path)).body).toEqual({ id: body.id, deleted: true });
    expect(errorCodeIn(await gateway.admin('DELETE', path))).toBe('404 not_found');
    expect(await limits.get(id)).toMatchObject({ top_ups: '0', effective_amount: '10' });
    const rows = await source.query<{ action: string; metadata: object }[]>(
      `select action, metadata from audit_logs where target_id = $1 and action like '%top%' order by created_at`,
      [String(id)],
    );
    expect(rows.map(({ action }) => action)).toEqual(['limit.topped_up', 'limit.top_up_deleted']);
    for (const { metadata } of rows)
      expect(metadata).toMatchObject({ top_up: { id: body.id, amount: '2.5', note: 'n' } });
  });

  test.each<[string, object, string]>([
    ['0', { amount: 0 }, 'amount'],
    ['a negative amount', { amount: -5 }, 'amount'],
    ['an absent amount', {}, 'amount'],
    ['dollars for requests', { amount: '5' }, 'amount'],
    ['an expiry in the past', { amount: 5, expires_at: '2020-01-01' }, 'expires_at'],
    ['an invalid expiry', { amount: 5, expires_at: 'soon' }, 'expires_at'],
    ['an empty note', { amount: 5, note: '' }, 'note'],
    ['an unknown field', { amount: 5, starts_at: '2999-01-01' }, 'starts_at'],
  ])('%s is rejected and changes nothing', async (_what, body, param) => {
    const { id } = await limits.create();
    expect(errorIn(await limits.topUp(id, body))).toMatchObject({ code: 'validation_error', param });
    expect(await source.query('select from limit_grants where limit_id = $1', [id])).toEqual([]);
    expect((await limits.get(id)).effective_amount).toBe(1000);
  });

  test('a limit has at most 100 active top-ups', async () => {
    const { id } = await limits.create();
    await source.query(
      `insert into limit_grants (limit_id, amount, created_by) select $1, 1, 'test' from generate_series(1, 100)`,
      [id],
    );
    expect(errorIn(await limits.topUp(id, { amount: 1 })).message).toContain('already has 100 active top-ups');
  });
});
