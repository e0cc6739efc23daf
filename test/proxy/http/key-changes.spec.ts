import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { KeyCache } from '../../../src/keys/key-cache.js';
import { until } from '../../support/until.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { errorCodeIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { pinnedKey } from '../../support/pinned-key.js';

let database: ScratchDatabase;
let upstream: ScriptedUpstream;
let one: TestGateway;
let other: TestGateway;
beforeAll(async () => {
  [database, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  const start = () => startGateway({}, { upstream, databaseUrl: database.url });
  [one, other] = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await upstream.stop();
  await database.drop();
});

describe.each([
  ['with notifications', false],
  ['without notifications', true],
])('key change on another instance %s', (_when, silenced) => {
  beforeAll(() => {
    if (silenced) jest.spyOn(other.app.get(KeyCache), 'keysChanged').mockImplementation(() => {});
  });
  afterAll(() => void jest.restoreAllMocks());

  const admin = async (key: Key, action: string, body?: unknown, method = 'POST') => {
    const path = `/admin/api-keys/${key.id}${action}`;
    const response = await one.admin<{ key: string }>(method, path, body);
    expect(response.status).toBe(200);
    return response.body;
  };
  const patch = (key: Key, body: unknown) => admin(key, '', body, 'PATCH');
  const chat = async (key: Key | string) => errorCodeIn(await other.chat(key));
  const usage = async (key: Key) => errorCodeIn(await other.call('GET', '/v1/usage', { key }));

  /** Returns a key that the other gateway has served and therefore caches. */
  async function cachedKey(fields: Record<string, unknown> = {}) {
    const key = await pinnedKey(one, fields);
    expect(await chat(key)).toBe('200');
    return key;
  }

  test('suspending, unsuspending and revoking apply to the next request', async () => {
    const key = await cachedKey();
    for (let times = 0; times < 3; times++) {
      await admin(key, '/suspend');
      expect([await chat(key), await usage(key)]).toEqual(['403 api_key_suspended', '403 api_key_suspended']);
      await admin(key, '/unsuspend');
      expect([await chat(key), await usage(key)]).toEqual(['200', '200']);
    }
    await admin(key, '/revoke');
    expect([await chat(key), await usage(key)]).toEqual(['403 api_key_revoked', '403 api_key_revoked']);
  });

  test('rotation invalidates the old raw key, and the new one continues its counts', async () => {
    const key = await cachedKey({ rpm_limit: 3 });
    const { key: rotated } = await admin(key, '/rotate');
    expect([await chat(key), await usage(key)]).toEqual(['401 invalid_api_key', '401 invalid_api_key']);
    expect([await chat(rotated), await chat(rotated), await chat(rotated)]).toEqual([
      '200',
      '200',
      '429 rate_limit_exceeded',
    ]);
  });

  test('higher and lower limits apply to the next request', async () => {
    const key = await cachedKey({ rpm_limit: 1 });
    expect(await chat(key)).toBe('429 rate_limit_exceeded');
    await patch(key, { rpm_limit: 3 });
    expect(await chat(key)).toBe('200');
    await patch(key, { rpm_limit: 2 });
    expect(await chat(key)).toBe('429 rate_limit_exceeded');
    await patch(key, { rpm_limit: 100, rpd_limit: 1 });
    expect(await chat(key)).toBe('429 rate_limit_exceeded');
  });

  test('setting and removing an expiry apply to the next request', async () => {
    const key = await cachedKey();
    await patch(key, { expires_at: '2020-01-01T00:00:00Z' });
    expect([await chat(key), await usage(key)]).toEqual(['401 api_key_expired', '401 api_key_expired']);
    await patch(key, { expires_at: null });
    expect(await chat(key)).toBe('200');
  });

  test('adding and removing allowed models apply to the next request', async () => {
    const key = await cachedKey({ allowed_models: ['gpt-4o-mini'] });
    await patch(key, { allowed_models: ['gpt-4o'] });
    expect(await chat(key)).toBe('403 model_not_allowed model');
    await patch(key, { allowed_models: [] });
    expect(await chat(key)).toBe('200');
  });

  test('a new name is in the headers of the next response', async () => {
    const key = await cachedKey({ name: 'before' });
    await patch(key, { name: 'after' });
    expect((await other.chat(key)).headers.get('x-gw-key-name')).toBe('after');
  });

  test('revoked takes precedence over suspended, and suspended over expired', async () => {
    const key = await cachedKey();
    await patch(key, { expires_at: '2020-01-01' });
    await admin(key, '/suspend');
    expect(await chat(key)).toBe('403 api_key_suspended');
    await admin(key, '/revoke');
    expect(await chat(key)).toBe('403 api_key_revoked');
  });

  test('under load, no request that starts after a suspension is served', async () => {
    const key = await cachedKey();
    let suspended = false;
    let served = 0;
    const client = async () => {
      for (let after = 0; after < 20;) {
        const begunAfter = suspended;
        const status = await chat(key);
        if (status === '200') served += 1;
        if (!begunAfter) continue;
        expect(status).toBe('403 api_key_suspended');
        after += 1;
      }
    };
    const clients = Array.from({ length: 4 }, client);
    await until(() => served > 5);
    await admin(key, '/suspend');
    suspended = true;
    await Promise.all(clients);
    expect(await chat(key)).toBe('403 api_key_suspended');
  });
});
