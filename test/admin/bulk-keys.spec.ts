import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { KeyCache } from '../../src/keys/key-cache.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { errorCodeIn } from '../support/responses.js';
import { startGateway } from '../support/ready-gateway.js';

const ACTIONS = ['suspend', 'unsuspend', 'revoke'] as const;
type Action = (typeof ACTIONS)[number];

interface Outcome {
  readonly succeeded: { readonly id: string }[];
  readonly failed: { readonly id: string; readonly code: string; readonly message: string }[];
}

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

const path = (action: Action) => `/admin/api-keys/bulk-${action}`;
const bulk = (action: Action, body: unknown) => one.admin<Outcome>('POST', path(action), body);
const ids = (keys: readonly Key[]) => keys.map(({ id }) => id);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;

describe('bulk changes to keys', () => {
  test('a bulk change returns each new status and takes effect immediately on every instance', async () => {
    const keys = [await one.createKey(), await one.createKey(), await one.createKey()];
    for (const key of keys) await unnotified.chat(key);
    const states = async () => Promise.all(keys.map(async (key) => errorCodeIn(await unnotified.chat(key))));
    const all = (response: string) => keys.map(() => response);

    const suspended = await bulk('suspend', { ids: ids(keys) });
    expect([suspended.status, suspended.body]).toEqual([
      200,
      { succeeded: keys.map(({ id }) => ({ id, status: 'suspended', updated_at: TIME })), failed: [] },
    ]);
    expect(await states()).toEqual(all('403 api_key_suspended'));

    const active = await bulk('unsuspend', { ids: ids(keys) });
    expect(active.body.succeeded).toEqual(keys.map(({ id }) => ({ id, status: 'active', updated_at: TIME })));
    expect(await states()).toEqual(all('200'));

    const revoked = await bulk('revoke', { ids: ids(keys) });
    expect(revoked.body.succeeded).toEqual(keys.map(({ id }) => ({ id, status: 'revoked', revoked_at: TIME })));
    expect(await states()).toEqual(all('403 api_key_revoked'));
  });

  test('returns 200 with a reason per key even if every key fails', async () => {
    const [revoked, unknown] = [await one.createKey(), randomUUID()];
    await one.admin('POST', `/admin/api-keys/${revoked.id}/revoke`);
    const failed = (message: string) => [unknown, revoked.id].map((id) => ({ id, code: 'not_found', message }));
    for (const [action, message] of [
      ['suspend', 'API key not found or not active'],
      ['unsuspend', 'API key not found or not suspended'],
      ['revoke', 'API key not found or already revoked'],
    ] as const) {
      const { status, body } = await bulk(action, { ids: [unknown, revoked.id] });
      expect([status, body]).toEqual([200, { succeeded: [], failed: failed(message) }]);
    }
  });

  test('reports a key once if its ID is repeated', async () => {
    const { id } = await one.createKey();
    const { body } = await bulk('suspend', { ids: [id, id, id.toUpperCase()] });
    expect(body).toEqual({ succeeded: [{ id, status: 'suspended', updated_at: TIME }], failed: [] });
  });

  test('each key and action is audited separately', async () => {
    const key = await one.createKey();
    for (const action of ACTIONS) await bulk(action, { ids: [key.id] });
    const rows = await one.app
      .get(DataSource)
      .query<{ action: string; actor_type: string; metadata: { request_id: string } }[]>(
        'select action, actor_type, metadata from audit_logs where target_id = $1 order by created_at',
        [key.id],
      );
    expect(rows.map(({ action, actor_type }) => [action, actor_type])).toEqual(
      ['created', 'suspended', 'unsuspended', 'revoked'].map((verb) => [`api_key.${verb}`, 'admin_key']),
    );
    expect(new Set(rows.map(({ metadata }) => metadata.request_id)).size).toBe(4);
  });

  test('accepts 500 IDs', async () => {
    const known = [await one.createKey(), await one.createKey()];
    const unknown = Array.from({ length: 498 }, () => randomUUID());
    const { body } = await bulk('revoke', { ids: [known[0]!.id, ...unknown, known[1]!.id] });
    expect(body.succeeded.map(({ id }) => id)).toEqual(ids(known));
    expect(body.failed.map(({ id }) => id)).toEqual(unknown);
  });
});

describe.each(ACTIONS)('invalid bulk-%s request', (action) => {
  const ID = randomUUID();

  test.each<[string, unknown, string]>([
    ['a missing body', undefined, 'validation_error ids'],
    ['a missing list', {}, 'validation_error ids'],
    ['null', { ids: null }, 'validation_error ids'],
    ['a string', { ids: ID }, 'validation_error ids'],
    ['an object', { ids: { 0: ID } }, 'validation_error ids'],
    ['an empty list', { ids: [] }, 'validation_error ids'],
    ['501 IDs', { ids: Array.from({ length: 501 }, () => randomUUID()) }, 'validation_error ids'],
    ['501 copies of one ID', { ids: new Array(501).fill(ID) }, 'validation_error ids'],
    ['a number in the list', { ids: [ID, 5] }, 'validation_error ids'],
    ['null in the list', { ids: [ID, null] }, 'validation_error ids'],
    ['a nested list', { ids: [[ID]] }, 'validation_error ids'],
    ['a malformed UUID', { ids: [ID, 'x'] }, 'validation_error ids'],
    ['a UUID with a trailing character', { ids: [`${ID}0`] }, 'validation_error ids'],
    ['a UUID with a trailing newline', { ids: [`${ID}\n`] }, 'validation_error ids'],
    ['a UUID in braces', { ids: [`{${ID}}`] }, 'validation_error ids'],
    ['an unknown field', { ids: [ID], force: true }, 'validation_error force'],
    ['an array as the body', '[]', 'invalid_type'],
    ['malformed JSON', '{"ids":', 'invalid_json'],
  ])('%s is rejected with 400', async (_what, body, refusal) => {
    expect(errorCodeIn(await bulk(action, body))).toBe(`400 ${refusal}`);
  });

  test('an invalid request changes none of the listed keys', async () => {
    const key = await one.createKey();
    if (action === 'unsuspend') await one.admin('POST', `/admin/api-keys/${key.id}/suspend`);
    const before = (await one.admin('GET', `/admin/api-keys/${key.id}`)).body;
    for (const body of [{ ids: [key.id, 'x'] }, { ids: [key.id], force: true }]) {
      expect((await bulk(action, body)).status).toBe(400);
    }
    expect((await one.admin('GET', `/admin/api-keys/${key.id}`)).body).toEqual(before);
  });

  test('the route requires POST and the admin key, and accepts no query parameters', async () => {
    const key = await one.createKey();
    const body = { ids: [key.id] };
    expect(errorCodeIn(await one.call('POST', path(action), { body }))).toBe('401 missing_api_key');
    expect(errorCodeIn(await one.call('POST', path(action), { key, body }))).toBe('401 invalid_api_key');
    expect(errorCodeIn(await one.admin('POST', `${path(action)}?force=1`, body))).toBe('400 validation_error force');
    expect(errorCodeIn(await one.admin('GET', path(action)))).toBe('404 not_found');
  });
});
