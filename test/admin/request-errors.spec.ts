import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { RequestRecorder } from '../../src/stats/request-recorder.service.js';
import { StatsWriter } from '../../src/stats/stats-writer.service.js';
import { describeInOrder } from '../support/describe-in-order.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { errorIn } from '../support/responses.js';
import { startSettledGateway } from '../support/settled-gateway.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';

interface RequestErrors {
  readonly totals: { readonly requests: number; readonly rejected: number };
  readonly daily: { readonly date: string; readonly requests: number }[];
  readonly by_error_code: object[];
  readonly by_key: object[];
  readonly by_team: object[];
}

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let source: DataSource;
let shop: Key;
let batch: Key;
let teamId: string;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startSettledGateway({}, { upstream });
  source = gateway.app.get(DataSource);
  teamId = (await gateway.admin<{ id: string }>('POST', '/admin/teams', { name: 'checkout', tags: ['eu'] })).body.id;
  shop = await gateway.createKey({ name: 'shop', team_id: teamId });
  batch = await gateway.createKey({ name: 'batch', rpm_limit: 1 });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

const read = async (query = '') => (await gateway.admin<RequestErrors>('GET', `/admin/request-errors${query}`)).body;
const flush = () => gateway.app.get(StatsWriter).lastFlush();

describeInOrder('rejected and failed requests', () => {
  beforeAll(async () => {
    await flush();
    await source.query('truncate request_errors_daily, usage_daily');
    for (let n = 0; n < 3; n++) await gateway.chat(shop, { model: 'no-such-model' });
    await gateway.chat(shop, { messages: 'none' });
    await gateway.chat(batch);
    await gateway.chat(batch);
    await gateway.chat(`sk-gw-${'0'.repeat(48)}`);
    await gateway.call('POST', '/v1/chat/completions', { body: {} });
    await gateway.chat(shop);
    upstream.on('POST', '/v1/chat/completions', () => ({ status: 422, body: { error: { message: 'no' } } }));
    await gateway.chat(shop);
    await flush();
  });

  test('are counted exactly by error code, key and team', async () => {
    const found = await read();
    expect(found).toMatchObject({
      object: 'request_errors',
      totals: { requests: 8, rejected: 6 },
      by_error_code: [
        { error_code: 'model_not_available', status: 403, requests: 3, rejected: 3 },
        { error_code: 'invalid_api_key', status: 401, requests: 1, rejected: 1 },
        { error_code: 'invalid_type', status: 400, requests: 1, rejected: 0 },
        { error_code: 'missing_api_key', status: 401, requests: 1, rejected: 1 },
        { error_code: 'rate_limit_exceeded', status: 429, requests: 1, rejected: 1 },
        { error_code: 'upstream_error', status: 502, requests: 1, rejected: 0 },
      ],
      by_team: [
        { team_id: teamId, team_name: 'checkout', requests: 5, rejected: 3 },
        { team_id: null, team_name: null, requests: 3, rejected: 3 },
      ],
    });
    const checkout = { team_id: teamId, team_name: 'checkout' };
    const none = { team_id: null, team_name: null };
    expect(found.by_key).toEqual([
      { key_id: shop.id, key_name: 'shop', ...checkout, requests: 5, rejected: 3 },
      { key_id: null, key_name: null, ...none, requests: 2, rejected: 2 },
      { key_id: batch.id, key_name: 'batch', ...none, requests: 1, rejected: 1 },
    ]);
    expect(found.daily.reduce((sum, { requests }) => sum + requests, 0)).toBe(8);
  });

  test('agree with the usage report and with the counts of the metric', async () => {
    const usage = async (query = '') =>
      (await gateway.admin<{ rejected_requests: number; totals: object }>('GET', `/admin/usage${query}`)).body;
    expect(await usage()).toMatchObject({ rejected_requests: 6, totals: { requests: 4, errors: 2 } });
    expect(await usage(`?key_id=${shop.id}`)).toMatchObject({ rejected_requests: 3 });
    const { failed } = gateway.app.get(RequestRecorder);
    expect([failed.get('model_not_available'), failed.get('rate_limit_exceeded')]).toEqual([3, 1]);
  });

  test.each<[string, number]>([
    ['?error_code=rate_limit_exceeded', 1],
    ['?tag=eu', 5],
    ['?error_code=invalid_type&tag=eu', 1],
    ['?tag=nobody', 0],
    ['?from=2020-01-01&to=2020-01-31', 0],
  ])('the filter %s leaves only matching requests', async (query, total) => {
    expect((await read(query)).totals.requests).toBe(total);
  });

  test('the filters by key and by team use their IDs', async () => {
    expect((await read(`?key_id=${batch.id.toUpperCase()}`)).totals.requests).toBe(1);
    expect((await read(`?team_id=${teamId}`)).totals.requests).toBe(5);
  });

  test('a repeated batch is counted once, and further failures are added', async () => {
    await gateway.chat(shop, { model: 'no-such-model' });
    await flush();
    await flush();
    expect((await read(`?key_id=${shop.id}`)).totals).toEqual({ requests: 6, rejected: 4 });
  });
});

describe('GET /admin/request-errors', () => {
  beforeEach(() => source.query('truncate request_errors_daily'));

  test('without failures, all lists are empty', async () => {
    const { totals, daily, by_error_code, by_key, by_team } = await read();
    expect([totals, daily, by_error_code, by_key, by_team]).toEqual([{ requests: 0, rejected: 0 }, [], [], [], []]);
  });

  test.each([
    ['from', '?from=2026-02-30'],
    ['from', '?from=2026-02-02&to=2026-02-01'],
    ['key_id', '?key_id=x'],
    ['team_id', '?team_id=x'],
    ['tag', '?tag=a%20b'],
    ['error_code', '?error_code='],
  ])('an invalid %s is rejected: %s', async (param, query) => {
    const response = await gateway.admin('GET', `/admin/request-errors${query}`);
    const { code, param: named } = errorIn(response);
    expect([response.status, code, named]).toEqual([400, 'validation_error', param]);
  });
});
