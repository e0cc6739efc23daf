import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { KeyCache } from '../../src/keys/key-cache.js';
import { until } from '../support/until.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { errorIn, errorCodeIn, snapshot } from '../support/responses.js';
import { startGateway } from '../support/ready-gateway.js';
import { pinnedKey } from '../support/pinned-key.js';

const LIMIT = 10;

let database: ScratchDatabase;
let upstream: ScriptedUpstream;
let one: TestGateway;
/** Receives no key change notifications, so that only admission can detect a change. */
let unnotified: TestGateway;
beforeAll(async () => {
  [database, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  const start = () => startGateway({}, { upstream, databaseUrl: database.url });
  [one, unnotified] = await Promise.all([start(), start()]);
  jest.spyOn(unnotified.app.get(KeyCache), 'keysChanged').mockImplementation(() => {});
});
afterAll(async () => {
  jest.restoreAllMocks();
  await Promise.all([one.stop(), unnotified.stop()]);
  await upstream.stop();
  await database.drop();
});

const path = ({ id }: { readonly id: string }) => `/admin/api-keys/${id}/reset-quota`;
const reset = (key: { readonly id: string }, body?: unknown) => one.admin('POST', path(key), body);

/** Sends twice the limit at once, split over both gateways, and returns the number of served requests. */
async function served(key: Key): Promise<number> {
  const gateways = [one, unnotified];
  const responses = await Promise.all(
    Array.from({ length: 2 * LIMIT }, (_, at) => gateways[at % 2]!.chat(key).then(errorCodeIn)),
  );
  const refused = responses.filter((response) => response !== '200');
  expect(new Set(refused)).toEqual(new Set(['429 rate_limit_exceeded']));
  return responses.length - refused.length;
}

async function used(key: Key): Promise<number[]> {
  const { this_minute, today, this_month } = await snapshot(unnotified, key);
  return [this_minute.used, today.used, this_month.requests.used];
}

interface Reset {
  readonly action: string;
  readonly actor_type: string;
  readonly metadata: { readonly window: string; readonly changes: unknown };
}
const audited = (key: Key) =>
  one.app.get(DataSource).query<Reset[]>(
    `select action, actor_type, metadata from audit_logs where target_id = $1 and action = 'api_key.quota_reset'
        order by created_at`,
    [key.id],
  );

describe('quota reset', () => {
  test.each([
    ['minute', 'rpm_limit'],
    ['day', 'rpd_limit'],
    ['month', 'monthly_limit'],
  ])('resetting the %s immediately admits exactly the limit again on every instance', async (window, field) => {
    const key = await pinnedKey(one, { [field]: LIMIT });
    for (let round = 0; round < 3; round++) {
      expect(await served(key)).toBe(LIMIT);
      const { status, body } = await reset(key, { window });
      expect([status, body]).toEqual([200, { key_id: key.id, window, reset: true }]);
    }
  });

  test.each([
    [undefined, 'all', [0, 0, 0]],
    [{}, 'all', [0, 0, 0]],
    [{ window: 'all' }, 'all', [0, 0, 0]],
    [{ window: 'minute' }, 'minute', [0, 2, 2]],
    [{ window: 'day' }, 'day', [2, 0, 2]],
    [{ window: 'month' }, 'month', [2, 2, 0]],
  ])('the body %j resets window "%s"', async (body, window, left) => {
    const key = await pinnedKey(one, { monthly_limit: 100 });
    for (const gateway of [one, unnotified]) await gateway.chat(key);
    expect((await reset(key, body)).body).toEqual({ key_id: key.id, window, reset: true });
    expect(await used(key)).toEqual(left);
  });

  test('a reset applies to the next request on an instance that has just rejected the key', async () => {
    const key = await pinnedKey(one, { rpd_limit: 1 });
    for (let round = 0; round < 10; round++) {
      expect(errorCodeIn(await unnotified.chat(key))).toBe('200');
      expect(errorCodeIn(await unnotified.chat(key))).toBe('429 rate_limit_exceeded');
      await reset(key);
    }
  });

  test('a reset does not restore tokens', async () => {
    const key = await pinnedKey(one, { monthly_token_limit: 12 });
    await one.chat(key);
    await until(async () => (await snapshot(one, key)).this_month.tokens.used === 12);
    await reset(key);
    expect(errorIn(await one.chat(key)).message).toBe('Monthly token limit exceeded');
  });

  test.each(['suspend', 'revoke'])('the quota can be reset after %s, but the key stays rejected', async (action) => {
    const key = await pinnedKey(one);
    await one.chat(key);
    await one.admin('POST', `/admin/api-keys/${key.id}/${action}`);
    expect((await reset(key)).status).toBe(200);
    expect(errorCodeIn(await unnotified.chat(key))).toMatch(/^403 api_key_/);
  });

  test('a reset is audited with its window and the previous counts', async () => {
    const key = await pinnedKey(one);
    for (let request = 0; request < 3; request++) await one.chat(key);
    await reset(key, { window: 'minute' });
    await reset(key);
    const change = (old: number) => ({ old, new: 0 });
    const rows = await audited(key);
    expect(rows.map(({ actor_type, metadata }) => [actor_type, metadata.window, metadata.changes])).toEqual([
      ['admin_key', 'minute', { minute: change(3) }],
      ['admin_key', 'all', { minute: change(0), day: change(3), month: change(3) }],
    ]);
    expect(Object.keys(rows[0]!.metadata).sort()).toEqual(['actor_id', 'changes', 'ip', 'request_id', 'window']);
  });

  test('concurrent resets all succeed, and only one of them finds counts to clear', async () => {
    const key = await pinnedKey(one);
    for (let request = 0; request < 4; request++) await one.chat(key);
    const responses = await Promise.all(Array.from({ length: 12 }, () => reset(key, { window: 'day' })));
    expect(responses.map(({ status }) => status)).toEqual(new Array(12).fill(200));
    const old = (await audited(key)).map(({ metadata }) => (metadata.changes as { day: { old: number } }).day.old);
    expect(old).toEqual([4, ...new Array<number>(11).fill(0)]);
  });

  test('a reset is rolled back if its audit row cannot be written', async () => {
    const key = await pinnedKey(one, { rpd_limit: 1 });
    await one.chat(key);
    const query = <T>(sql: string) => one.app.get(DataSource).query<T>(sql);
    await query(`alter table audit_logs add constraint no_resets check (action <> 'api_key.quota_reset') not valid`);
    try {
      expect((await reset(key)).status).toBe(500);
    } finally {
      await query('alter table audit_logs drop constraint no_resets');
    }
    expect(errorCodeIn(await unnotified.chat(key))).toBe('429 rate_limit_exceeded');
  });
});

describe('invalid quota reset', () => {
  test.each<[unknown, string]>([
    [{ window: 'x' }, 'validation_error window'],
    [{ window: 'ALL' }, 'validation_error window'],
    [{ window: '' }, 'validation_error window'],
    [{ window: null }, 'validation_error window'],
    [{ window: 5 }, 'validation_error window'],
    [{ window: ['day'] }, 'validation_error window'],
    [{ windows: 'day' }, 'validation_error windows'],
    [{ window: 'day', tokens: true }, 'validation_error tokens'],
    ['[]', 'invalid_type'],
    ['"day"', 'invalid_type'],
    ['{"window":', 'invalid_json'],
  ])('the body %j is rejected with 400 %s and resets nothing', async (body, refusal) => {
    const key = await pinnedKey(one);
    await one.chat(key);
    expect(errorCodeIn(await reset(key, body))).toBe(`400 ${refusal}`);
    expect(await used(key)).toEqual([1, 1, 1]);
  });

  test('an unknown or malformed ID returns 404', async () => {
    for (const id of [randomUUID(), 'x', '%00']) {
      const response = await reset({ id }, { window: 'day' });
      expect([errorCodeIn(response), errorIn(response).message]).toEqual(['404 not_found', 'API key not found']);
    }
  });

  test('the route requires POST and the admin key, and accepts no query parameters', async () => {
    const key = await one.createKey();
    expect(errorCodeIn(await one.call('POST', path(key)))).toBe('401 missing_api_key');
    expect(errorCodeIn(await one.call('POST', path(key), { key }))).toBe('401 invalid_api_key');
    expect(errorCodeIn(await one.admin('POST', `${path(key)}?window=day`))).toBe('400 validation_error window');
    expect(errorCodeIn(await one.admin('GET', path(key)))).toBe('404 route_not_found');
  });
});
