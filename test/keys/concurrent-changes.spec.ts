import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashKey } from '../../src/keys/key-format.js';
import type { ApiKey } from '../../src/keys/keys.service.js';
import { ACTOR, KeysDatabase } from './keys-database.js';

let db: KeysDatabase;
beforeAll(async () => {
  db = await KeysDatabase.create();
});
afterAll(() => db.close());

const create = async () => (await db.keys.create({ name: '0', rpmLimit: 1 }, ACTOR)).key;
const settled = async (calls: Promise<unknown>[]) => (await Promise.allSettled(calls)).map(({ status }) => status);
const times = <T>(count: number, call: (at: number) => Promise<T>) =>
  Array.from({ length: count }, (_, at) => call(at));

async function historyOf(key: ApiKey, field: string): Promise<[unknown, unknown][]> {
  const rows = (await db.auditRows(key.id)).slice(1);
  return rows.flatMap(({ metadata: { changes } }) => {
    const change = changes?.[field];
    return change === undefined ? [] : [[change.old, change.new]];
  });
}

describe('concurrent operator changes to one key', () => {
  test('concurrent updates are serialized, and the audit log is an unbroken chain', async () => {
    const key = await create();
    await Promise.all(times(12, (at) => db.keys.update(key.id, { name: `${at + 1}`, rpmLimit: at + 2 }, ACTOR)));
    const stored = await db.keys.get(key.id);
    for (const [field, first, last] of [
      ['name', '0', stored.name],
      ['rpm_limit', 1, stored.rpmLimit],
    ] as const) {
      const history = await historyOf(key, field);
      expect(history).toHaveLength(12);
      expect(history.map(([old]) => old)).toEqual([first, ...history.slice(0, -1).map(([, fresh]) => fresh)]);
      expect(history.at(-1)![1]).toBe(last);
    }
  });

  test('concurrent updates of different fields do not undo each other', async () => {
    const key = await create();
    await Promise.all([
      ...times(5, (at) => db.keys.update(key.id, { rpmLimit: at + 2 }, ACTOR)),
      ...times(5, () => db.keys.update(key.id, { monthlyLimit: 7 }, ACTOR)),
      ...times(5, () => db.keys.update(key.id, { allowedModels: ['gpt-4o'] }, ACTOR)),
    ]);
    expect(await db.keys.get(key.id)).toMatchObject({ monthlyLimit: 7, allowedModels: ['gpt-4o'] });
    expect(await historyOf(key, 'monthly_limit')).toEqual([[null, 7]]);
  });

  test('a key that is suspended and revoked concurrently ends up revoked', async () => {
    for (let round = 0; round < 10; round++) {
      const key = await create();
      const [suspended, revoked] = await settled([
        db.keys.change('suspend', key.id, ACTOR),
        db.keys.change('revoke', key.id, ACTOR),
      ]);
      expect(revoked).toBe('fulfilled');
      expect((await db.keys.get(key.id)).status).toBe('revoked');
      const statuses = (await historyOf(key, 'status')).map(([, fresh]) => fresh);
      expect(statuses).toEqual(suspended === 'fulfilled' ? ['suspended', 'revoked'] : ['revoked']);
    }
  });

  test('exactly one of several concurrent suspensions succeeds', async () => {
    const key = await create();
    const results = await settled(times(4, () => db.keys.change('suspend', key.id, ACTOR)));
    expect(results.sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect((await db.events(key.id)).filter(({ type }) => type === 'key_suspended')).toHaveLength(1);
  });

  test('exactly one of several concurrent revocations succeeds, and revoked_at stays', async () => {
    const key = await create();
    const results = await Promise.allSettled(times(6, () => db.keys.change('revoke', key.id, ACTOR)));
    const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(winners).toHaveLength(1);
    const again = db.keys.change('revoke', key.id, ACTOR);
    await expect(again).rejects.toMatchObject({ code: 'not_found', message: 'API key not found or already revoked' });
    expect((await db.keys.get(key.id)).revokedAt).toEqual(winners[0]!.revokedAt);
  });

  test('each concurrent rotation returns a raw key, and only the last one is valid', async () => {
    const key = await create();
    const rawKeys = (await Promise.all(times(5, () => db.keys.rotate(key.id, ACTOR)))).map(({ rawKey }) => rawKey);
    const found = await db.store.readByHashes(rawKeys.map(hashKey));
    const [valid, ...others] = rawKeys.filter((rawKey) => found.has(hashKey(rawKey)));
    expect(others).toEqual([]);
    const hints = await historyOf(key, 'key_hint');
    expect(hints).toHaveLength(5);
    expect(hints.at(-1)![1]).toBe(`sk-gw-…${valid!.slice(-4)}`);
  });

  test('a key that was revoked first cannot be rotated concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const key = await create();
      const [rotated, revoked] = await settled([
        db.keys.rotate(key.id, ACTOR),
        db.keys.change('revoke', key.id, ACTOR),
      ]);
      expect(revoked).toBe('fulfilled');
      const actions = (await db.auditRows(key.id)).map(({ action }) => action);
      const before = rotated === 'fulfilled' ? ['api_key.rotated'] : [];
      expect(actions).toEqual(['api_key.created', ...before, 'api_key.revoked']);
    }
  });
});
