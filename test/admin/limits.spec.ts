import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { errorCodeIn, errorIn } from '../support/responses.js';
import type { TestGateway } from '../support/gateway.js';
import type { ShownLimit } from '../support/limit-calls.js';
import { startLimitsGateway, type LimitPage } from '../support/limits-gateway.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let gateway: TestGateway;
let source: DataSource;
let teamId: string;
let keyId: string;
beforeAll(async () => {
  ({ gateway, source, teamId, keyId } = await startLimitsGateway());
});
afterAll(() => gateway.stop());
beforeEach(() => source.query('delete from limits'));

const create = (body: object) => gateway.admin<ShownLimit>('POST', '/admin/limits', body);
const change = (id: number, body: object) => gateway.admin<ShownLimit>('PATCH', `/admin/limits/${id}`, body);
const get = async (id: number) => (await gateway.admin<ShownLimit>('GET', `/admin/limits/${id}`)).body;
const list = async (query = '') => (await gateway.admin<LimitPage>('GET', `/admin/limits${query}`)).body;
const auditOf = (id: number) =>
  source.query<{ action: string; metadata: { changes?: Record<string, unknown> } }[]>(
    `select action, metadata from audit_logs where target_type = 'limit' and target_id = $1 order by created_at`,
    [String(id)],
  );
/** Everything that a refused change must leave as it is. */
const state = async () =>
  source.query(
    `select (select jsonb_agg(to_jsonb(l) order by id) from limits l) as limits, (select jsonb_agg(to_jsonb(c) order by limit_id) from limit_counters c) as counters,
            (select jsonb_agg(to_jsonb(g) order by id) from limit_grants g) as grants, (select version from limit_set) as version,
            (select count(*) from audit_logs where target_type = 'limit') as audited`,
  );

const ACCOUNT = { scope: 'account', measure: 'requests', period: 'day', amount: 1000 };

describe('POST /admin/limits', () => {
  test('a limit with every field is stored and shown as it was sent', async () => {
    const given = {
      name: 'Budget',
      scope: 'team',
      team_id: teamId,
      measure: 'tokens',
      period: 'month',
      time_zone: 'Europe/Berlin',
      models: ['gpt-4o*'],
      amount: 5_000_000,
      mode: 'observe',
      reserve: 'full',
      weights: { cached_input: 0.1, cache_write: 1.25 },
      enabled: true,
      alert_thresholds: [90, 10],
      starts_at: '2026-01-01T00:00:00.000Z',
      ends_at: '2999-01-01T00:00:00.000Z',
      carry_over: 1000,
    };
    const { status, body } = await create(given);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...given,
      id: expect.any(Number),
      key_id: null,
      tag: null,
      alert_thresholds: [10, 90],
      created_at: TIME,
      updated_at: TIME,
      used: 0,
      reserved: 0,
      estimated: 0,
      remaining: 5_000_000,
      effective_amount: 5_000_000,
      carried_over: 0,
      top_ups: 0,
      period_started_at: TIME,
      resets_at: TIME,
      forecast: null,
    });
    expect(await get(body.id)).toEqual(body);
    expect(await list()).toEqual({ total: 1, has_more: false, limits: [body] });
  });

  test('a limit without optional fields gets the documented defaults and counts in UTC', async () => {
    const { body } = await create(ACCOUNT);
    expect(body).toMatchObject({
      name: null,
      team_id: null,
      key_id: null,
      tag: null,
      time_zone: 'UTC',
      models: null,
      mode: 'enforce',
      reserve: 'typical',
      weights: null,
      starts_at: null,
      ends_at: null,
      enabled: true,
      carry_over: null,
      alert_thresholds: [50, 80, 100],
    });
    const day = new Date().toISOString().slice(0, 10);
    expect(body['period_started_at']).toBe(`${day}T00:00:00.000Z`);
    expect(Date.parse(body['resets_at']) - Date.parse(body['period_started_at'])).toBe(86_400_000);
  });

  test('costs are dollars as text, and are stored without rounding', async () => {
    const { body } = await create({ ...ACCOUNT, measure: 'cost', period: 'month', amount: '12.000001' });
    expect(body).toMatchObject({
      amount: '12.000001',
      used: '0',
      remaining: '12.000001',
      effective_amount: '12.000001',
    });
    expect(await source.query('select amount from limits')).toEqual([{ amount: '12000001000' }]);
  });

  test('a limit of concurrent requests has no period and no alerts', async () => {
    const { body } = await create({
      scope: 'key',
      key_id: keyId.toUpperCase(),
      measure: 'concurrent_requests',
      amount: 5,
    });
    expect(body).toMatchObject({
      key_id: keyId,
      period: null,
      period_started_at: null,
      resets_at: null,
      forecast: null,
      alert_thresholds: [],
    });
    const changed = await change(body.id, { alert_thresholds: [80] });
    expect([changed.status, errorIn(changed).param]).toEqual([400, 'alert_thresholds']);
  });

  test('a time zone is stored as the database spells it', async () => {
    const { body } = await create({ ...ACCOUNT, time_zone: 'europe/berlin' });
    expect(body['time_zone']).toBe('Europe/Berlin');
  });

  test.each<[string, object, string, string]>([
    ['an unknown zone', { time_zone: 'Europe/Atlantis' }, 'time_zone', 'an IANA time zone name'],
    ['a zone of null', { time_zone: null }, 'time_zone', 'a string'],
    ['an offset as a zone', { time_zone: '+02:00' }, 'time_zone', 'an IANA time zone name'],
    ['a zone for a minute', { period: 'minute', time_zone: 'Europe/Berlin' }, 'time_zone', `'UTC'`],
    ['a negative amount', { amount: -1 }, 'amount', 'an integer from 0 to'],
    ['a fraction', { amount: 1.5 }, 'amount', 'an integer from 0 to'],
    ['an amount above 2^53', { amount: 2 ** 53 }, 'amount', 'an integer from 0 to'],
    ['an absent amount', { amount: undefined }, 'amount', `Missing required parameter: 'amount'`],
    ['an amount of null', { amount: null }, 'amount', 'an integer'],
    ['a number of dollars', { measure: 'cost', amount: 5 }, 'amount', 'a string with a decimal number'],
    ['negative dollars', { measure: 'cost', amount: '-5' }, 'amount', 'at least 0'],
    ['too many decimals', { measure: 'cost', amount: '0.0000001' }, 'amount', 'at most 6 decimals'],
    ['an end before the start', { starts_at: '2026-02-01', ends_at: '2026-01-01' }, 'ends_at', `after 'starts_at'`],
    ['an invalid time', { starts_at: 'tomorrow' }, 'starts_at', 'ISO 8601'],
    ['an unknown scope', { scope: 'group' }, 'scope', `'account', 'team'`],
    ['an absent scope', { scope: undefined }, 'scope', `Missing required parameter: 'scope'`],
    ['an unknown team', { scope: 'team', team_id: randomUUID() }, 'team_id', 'the ID of a team'],
    ['an unknown key', { scope: 'key', key_id: randomUUID() }, 'key_id', 'the ID of an API key'],
    ['a team that is no UUID', { scope: 'team', team_id: 'research' }, 'team_id', 'the ID of a team'],
    ['a team scope without a team', { scope: 'team' }, 'team_id', `Missing required parameter: 'team_id'`],
    ['a target of another scope', { tag: 'prod' }, 'tag', `absent, because 'scope' is 'account'`],
    ['a tag with spaces', { scope: 'tag', tag: 'a b' }, 'tag', '1 to 64'],
    ['an unknown measure', { measure: 'words' }, 'measure', `'requests', 'tokens'`],
    ['an unknown period', { period: 'year' }, 'period', `'minute', 'hour'`],
    ['an absent period', { period: undefined }, 'period', `Missing required parameter: 'period'`],
    ['a period for concurrent requests', { measure: 'concurrent_requests' }, 'period', 'null for concurrent requests'],
    [
      'alerts for concurrent requests',
      { measure: 'concurrent_requests', period: null, alert_thresholds: [80] },
      'alert_thresholds',
      'empty, because limits of concurrent requests have no alerts',
    ],
    ['an unknown mode', { mode: 'warn' }, 'mode', `'enforce', 'observe'`],
    ['an unknown reserve', { reserve: 'half' }, 'reserve', `'full', 'typical', 'none'`],
    ['weights of requests', { weights: { cached_input: 0 } }, 'weights', 'null, unless'],
    [
      'a weight of four decimals',
      { measure: 'tokens', weights: { cached_input: 0.0001 } },
      'weights.cached_input',
      '3 decimals',
    ],
    ['a negative weight', { measure: 'tokens', weights: { cache_write: -1 } }, 'weights.cache_write', 'from 0 to 100'],
    ['an unknown weight', { measure: 'tokens', weights: { output: 1 } }, 'weights.output', 'does not accept'],
    ['carry-over of a rolling period', { period: 'rolling_7d', carry_over: 5 }, 'carry_over', 'null, unless'],
    ['carry-over of 0', { carry_over: 0 }, 'carry_over', 'an integer from 1 to'],
    ['a threshold of 0', { alert_thresholds: [0] }, 'alert_thresholds', 'different integers from 1 to 1000'],
    ['a repeated threshold', { alert_thresholds: [5, 5] }, 'alert_thresholds', 'different integers from 1 to 1000'],
    ['an empty name', { name: '' }, 'name', '1 to 255 characters'],
    ['a name with a line break', { name: 'a\nb' }, 'name', 'on one line'],
    ['a pattern that ends with a space', { models: ['gpt-4o '] }, 'models[0]', 'on one line'],
    ['no pattern', { models: [] }, 'models', 'use null for all models'],
    ['an empty pattern', { models: [''] }, 'models[0]', '1 to 200 characters'],
    ['an unknown field', { currency: 'USD' }, 'currency', `does not accept 'currency'`],
    ['a flag as text', { enabled: 'yes' }, 'enabled', 'a boolean'],
  ])('%s is rejected and changes nothing', async (_what, fields, param, words) => {
    const before = await state();
    const response = await create({ ...ACCOUNT, ...fields });
    expect(errorIn(response)).toMatchObject({ code: 'validation_error', param });
    expect(errorIn(response).message).toContain(words);
    expect(response.status).toBe(400);
    expect(await state()).toEqual(before);
  });

  test('a target has at most 50 limits', async () => {
    await source.query(
      `insert into limits (scope, scope_tag, measure, period, amount) select 'tag', 'full', 'requests', 'total', 1 from generate_series(1, 50)`,
    );
    const response = await create({ ...ACCOUNT, scope: 'tag', tag: 'full' });
    expect(errorIn(response)).toMatchObject({
      param: 'scope',
      message: expect.stringContaining('already has 50 limits'),
    });
    expect((await create({ ...ACCOUNT, scope: 'tag', tag: 'other' })).status).toBe(201);
  });
});

describe('PATCH /admin/limits/{id}', () => {
  test('an update changes only the given settings', async () => {
    const { body } = await create({ ...ACCOUNT, name: 'Old', carry_over: 10 });
    const changed = await change(body.id, {
      name: 'New',
      amount: 2000,
      mode: 'observe',
      carry_over: null,
      models: null,
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...body,
      name: 'New',
      amount: 2000,
      mode: 'observe',
      carry_over: null,
      remaining: 2000,
      effective_amount: 2000,
      updated_at: TIME,
    });
    const [, { action, metadata }] = (await auditOf(body.id)) as [unknown, { action: string; metadata: object }];
    expect([action, metadata]).toMatchObject([
      'limit.updated',
      { changes: { name: { old: 'Old', new: 'New' }, amount: { old: 1000, new: 2000 } }, actor_id: null },
    ]);
  });

  test('an update that changes no value writes nothing', async () => {
    const { body } = await create(ACCOUNT);
    const before = await state();
    expect((await change(body.id, { amount: 1000, enabled: true })).body).toEqual(body);
    expect(await state()).toEqual(before);
  });

  test.each(['scope', 'team_id', 'key_id', 'tag', 'measure', 'period', 'time_zone'])(
    'cannot change %s',
    async (field) => {
      const { body } = await create(ACCOUNT);
      const before = await state();
      const response = await change(body.id, {
        [field]: body[field] === null ? 'Asia/Tokyo' : null,
        amount: 5,
      });
      expect(errorIn(response)).toMatchObject({ param: field, message: expect.stringContaining('cannot change') });
      expect(await state()).toEqual(before);
    },
  );

  test('an update can repeat the current values of fields that cannot change', async () => {
    const { body } = await create(ACCOUNT);
    const { scope, team_id, key_id, tag, measure, period, time_zone } = body;
    const fixed = { scope, team_id, key_id, tag, measure, period, time_zone };
    expect((await change(body.id, { ...fixed, amount: 5 })).body).toMatchObject({ ...fixed, amount: 5 });
    const ofTeam = (await create({ ...ACCOUNT, scope: 'team', team_id: teamId, time_zone: 'Europe/Berlin' })).body;
    const spelled = { team_id: teamId.toUpperCase(), time_zone: 'europe/berlin' };
    expect((await change(ofTeam.id, { ...spelled, amount: 7 })).body).toMatchObject({ team_id: teamId, amount: 7 });
  });

  test('an update is rejected if the resulting limit would be invalid', async () => {
    const { body } = await create({ ...ACCOUNT, starts_at: '2026-02-01' });
    const before = await state();
    expect(errorIn(await change(body.id, { ends_at: '2026-01-01' }))).toMatchObject({ param: 'ends_at' });
    expect(errorIn(await change(body.id, { weights: {} }))).toMatchObject({ param: 'weights' });
    expect(errorIn(await change(body.id, { models: [] }))).toMatchObject({ param: 'models' });
    expect(errorIn(await change(body.id, { amount: '5' }))).toMatchObject({ param: 'amount' });
    expect(await state()).toEqual(before);
  });

  test('a new amount applies immediately in the row that admission reads', async () => {
    const { body } = await create(ACCOUNT);
    await change(body.id, { amount: 7, enabled: false });
    const [row] = await source.query('select amount, active from limit_counters where limit_id = $1', [body.id]);
    expect(row).toEqual({ amount: '7', active: false });
  });
});

describe('DELETE /admin/limits/{id}', () => {
  test('a deleted limit loses its counter, and the deletion is audited', async () => {
    const { body } = await create(ACCOUNT);
    const response = await gateway.admin('DELETE', `/admin/limits/${body.id}`);
    expect([response.status, response.body]).toEqual([200, { id: body.id, deleted: true }]);
    expect(await list()).toMatchObject({ total: 0 });
    expect(await source.query('select from limit_counters where limit_id = $1', [body.id])).toEqual([]);
    expect((await auditOf(body.id)).map(({ action }) => action)).toEqual(['limit.created', 'limit.deleted']);
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/reset'],
      ['GET', '/top-ups'],
      ['POST', '/top-ups'],
      ['GET', '/alerts'],
    ] as const)
      expect(
        errorCodeIn(await gateway.admin(method, `/admin/limits/${body.id}${path}`, method === 'GET' ? undefined : {})),
      ).toBe('404 not_found');
  });

  test.each(['0', '-1', 'abc', '1e3', '99999999999999999'])('the invalid limit ID %s returns 404', async (id) => {
    expect(errorCodeIn(await gateway.admin('DELETE', `/admin/limits/${id}`))).toBe('404 not_found');
  });
});
