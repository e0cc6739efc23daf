import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ApiKeyResponse } from '../../src/admin/api-keys/api-key.response.dto.js';
import { AuditLog } from '../../src/audit/audit-log.js';
import { Outbox } from '../../src/audit/events/outbox.js';
import { hashKey } from '../../src/keys/key-format.js';
import { KeyChangeRecorder } from '../../src/keys/key-change-recorder.js';
import { type ApiKey, KeysService } from '../../src/keys/keys.service.js';
import { ACTOR, KeysDatabase } from './keys-database.js';

let db: KeysDatabase;
beforeAll(async () => {
  db = await KeysDatabase.create();
});
afterAll(() => db.close());

const create = (settings = {}) => db.keys.create({ name: 'test', ...settings }, ACTOR);
const shown = (key: ApiKey) => ApiKeyResponse.of(key, Date.now());
const versionOf = async (id: string): Promise<string> => {
  const rows = await db.source.query<{ version: string }[]>('select version from key_quota where key_id = $1', [id]);
  return rows[0]!.version;
};

/** After recording a change, locks the row as admission does, and fails if it would have to wait. */
class ProbingRecorder extends KeyChangeRecorder {
  constructor(private readonly id: string) {
    super(new AuditLog(), new Outbox());
  }
  override async record(...args: Parameters<KeyChangeRecorder['record']>): Promise<void> {
    await super.record(...args);
    await db.source.query(`select 1 from key_quota where key_id = $1 for update nowait`, [this.id]);
  }
}

class BrokenAudit extends AuditLog {
  override write(): Promise<void> {
    return Promise.reject(new Error('the audit log is full'));
  }
}

class BrokenOutbox extends Outbox {
  override publishAll(): Promise<boolean[]> {
    return Promise.reject(new Error('the queue is full'));
  }
}

describe('KeysService.create', () => {
  test('a new key gets the defaults, and only the hash of its raw key is stored', async () => {
    const { key, rawKey } = await create();
    expect(key).toMatchObject({ status: 'active', rpmLimit: 60, rpdLimit: 10000, monthlyLimit: null });
    expect(shown(await db.keys.get(key.id))).toEqual(shown(key));
    const rows = JSON.stringify([await db.source.query('select * from api_keys'), await db.auditRows(key.id)]);
    expect(rows).not.toContain(rawKey.slice(6));
    expect((await db.cache.load(hashKey(rawKey)))?.id).toBe(key.id);
  });

  test('the largest limits are stored exactly', async () => {
    const settings = {
      rpmLimit: 2147483647,
      monthlyTokenLimit: Number.MAX_SAFE_INTEGER,
      allowedModels: ['gpt-4o', 'vendor/name'],
      expiresAt: new Date('2099-06-01T12:00:00.123Z'),
    };
    const { key, rawKey } = await create(settings);
    expect(key).toMatchObject(settings);
    expect(await db.keys.get(key.id)).toMatchObject(settings);
    const { expiresAt, ...others } = settings;
    expect((await db.store.readByHashes([hashKey(rawKey)])).get(hashKey(rawKey))?.key).toMatchObject({
      ...others,
      expiresAtMs: expiresAt.getTime(),
      version: Number(await versionOf(key.id)),
    });
  });
});

describe('KeysService.update', () => {
  test('an update changes the given fields, updated_at and the version, and audits old and new values', async () => {
    const { key } = await create({ rpmLimit: 5 });
    const version = await versionOf(key.id);
    const updated = await db.keys.update(key.id, { rpmLimit: 7, allowedModels: ['a'] }, ACTOR);
    expect(updated).toMatchObject({ rpmLimit: 7, allowedModels: ['a'], name: 'test' });
    expect(updated.updatedAt.getTime()).toBeGreaterThan(key.updatedAt.getTime());
    expect(shown(await db.keys.get(key.id))).toEqual(shown(updated));
    expect(BigInt(await versionOf(key.id))).toBeGreaterThan(BigInt(version));
    expect((await db.auditRows(key.id)).at(-1)).toMatchObject({
      action: 'api_key.updated',
      actor_type: 'admin_key',
      target_type: 'api_key',
      metadata: {
        changes: { rpm_limit: { old: 5, new: 7 }, allowed_models: { old: null, new: ['a'] } },
        actor_id: null,
        request_id: 'request-1',
        ip: '192.0.2.7',
      },
    });
  });

  test('an empty list of models removes the restriction', async () => {
    const { key } = await create({ allowedModels: ['a'] });
    expect((await db.keys.update(key.id, { allowedModels: [] }, ACTOR)).allowedModels).toBeNull();
    expect((await db.keys.get(key.id)).allowedModels).toBeNull();
  });

  test('an update without a difference writes nothing', async () => {
    const { key } = await create();
    expect(await db.keys.update(key.id, {}, ACTOR)).toMatchObject({ id: key.id, updatedAt: key.updatedAt });
    await db.keys.update(key.id, { name: 'test', allowedModels: [] }, ACTOR);
    expect(await db.auditRows(key.id)).toHaveLength(1);
  });

  test('a revoked key can be updated and keeps revoked_at', async () => {
    const { key } = await create();
    const { revokedAt } = await db.keys.change('revoke', key.id, ACTOR);
    expect(await db.keys.update(key.id, { name: 'after' }, ACTOR)).toMatchObject({ status: 'revoked', revokedAt });
  });

  test('updated_at increases with each of many quick updates', async () => {
    const { key } = await create();
    const times = [key.updatedAt.getTime()];
    for (let limit = 1; limit <= 20; limit++) {
      times.push((await db.keys.update(key.id, { rpmLimit: limit }, ACTOR)).updatedAt.getTime());
    }
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });
});

describe('KeysService transitions', () => {
  test('suspend, unsuspend and revoke change the status, the cached key and the audit log', async () => {
    const { key, rawKey } = await create();
    const hash = hashKey(rawKey);
    expect((await db.cache.load(hash))?.status).toBe('active');
    await db.keys.change('suspend', key.id, ACTOR);
    expect(db.cache.find(hash)).toBeUndefined();
    expect((await db.cache.load(hash))?.status).toBe('suspended');
    await db.keys.change('unsuspend', key.id, ACTOR);
    expect((await db.cache.load(hash))?.status).toBe('active');
    const revoked = await db.keys.change('revoke', key.id, ACTOR);
    expect(revoked.revokedAt).toEqual(revoked.updatedAt);
    expect((await db.cache.load(hash))?.status).toBe('revoked');
    const actions = (await db.auditRows(key.id)).map(({ action }) => action);
    expect(actions).toEqual(['created', 'suspended', 'unsuspended', 'revoked'].map((verb) => `api_key.${verb}`));
  });

  test('a transition that the status does not allow fails with not_found and changes nothing', async () => {
    const { key } = await create();
    await expect(db.keys.change('unsuspend', key.id, ACTOR)).rejects.toMatchObject({ code: 'not_found' });
    await db.keys.change('revoke', key.id, ACTOR);
    const before = await db.keys.get(key.id);
    const version = await versionOf(key.id);
    for (const transition of ['suspend', 'unsuspend', 'revoke'] as const) {
      await expect(db.keys.change(transition, key.id, ACTOR)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(db.keys.rotate(key.id, ACTOR)).rejects.toMatchObject({ message: 'API key not found or revoked' });
    expect(await db.keys.get(key.id)).toEqual(before);
    expect(await versionOf(key.id)).toBe(version);
    expect(await db.auditRows(key.id)).toHaveLength(2);
  });

  test('rotation changes only the raw key and its hint, and the old raw key is invalid immediately', async () => {
    const { key, rawKey } = await create({ monthlyLimit: 9 });
    await db.cache.load(hashKey(rawKey));
    const rotated = await db.keys.rotate(key.id, ACTOR);
    expect(rotated.key).toMatchObject({ id: key.id, status: 'active', monthlyLimit: 9, name: 'test' });
    expect(rotated.key.keyHint).toBe(`sk-gw-…${rotated.rawKey.slice(-4)}`);
    expect(db.cache.find(hashKey(rawKey))).toBeUndefined();
    expect(await db.cache.load(hashKey(rawKey))).toBeNull();
    expect((await db.cache.load(hashKey(rotated.rawKey)))?.id).toBe(key.id);
    const audited = JSON.stringify(await db.auditRows(key.id));
    for (const kept of [rawKey, rotated.rawKey]) {
      expect(audited).not.toContain(kept.slice(6, 49));
      expect(audited).not.toContain(hashKey(kept));
    }
  });

  test('exactly one of several concurrent revocations succeeds', async () => {
    const { key } = await create();
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => db.keys.change('revoke', key.id, ACTOR)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await db.auditRows(key.id)).toHaveLength(2);
  });

  test('an operation on an unknown key fails with not_found', async () => {
    const id = randomUUID();
    await expect(db.keys.get(id)).rejects.toMatchObject({ message: 'API key not found' });
    await expect(db.keys.update(id, { name: 'x' }, ACTOR)).rejects.toMatchObject({ code: 'not_found' });
    await expect(db.keys.rotate(id, ACTOR)).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('only the last statement of a change locks the row that admission needs', async () => {
  const { key } = await create();
  const keys = new KeysService(db.store, db.transactions, new ProbingRecorder(key.id), db.cache, db.teams);
  await keys.update(key.id, { rpmLimit: 3 }, ACTOR);
  await keys.change('suspend', key.id, ACTOR);
  await keys.rotate(key.id, ACTOR);
  await keys.change('revoke', key.id, ACTOR);
});

test.each([
  ['audit row', () => new KeyChangeRecorder(new BrokenAudit(), new Outbox())],
  ['event', () => new KeyChangeRecorder(new AuditLog(), new BrokenOutbox())],
])('a change is rolled back completely if its %s cannot be written', async (_what, recorder) => {
  const { key } = await create();
  const keys = new KeysService(db.store, db.transactions, recorder(), db.cache, db.teams);
  const before = (await db.keys.list({ ...EVERYTHING })).total;
  await expect(keys.change('suspend', key.id, ACTOR)).rejects.toThrow('full');
  await expect(keys.change('revoke', key.id, ACTOR)).rejects.toThrow('full');
  await expect(keys.rotate(key.id, ACTOR)).rejects.toThrow('full');
  await expect(keys.create({ name: 'x' }, ACTOR)).rejects.toThrow('full');
  expect(shown(await db.keys.get(key.id))).toEqual(shown(key));
  expect((await db.keys.list({ ...EVERYTHING })).total).toBe(before);
  expect([await db.auditRows(key.id), await db.events(key.id)].map(({ length }) => length)).toEqual([1, 1]);
});

describe('lifecycle events', () => {
  const event = (key: ApiKey, type: string, status: string) => ({
    type,
    data: { key_id: key.id, key_name: key.name, status },
  });

  test('an event contains its type, the key and the resulting status, but not the raw key', async () => {
    const { key } = await create({ name: 'published' });
    await db.keys.change('suspend', key.id, ACTOR);
    const { rawKey } = await db.keys.rotate(key.id, ACTOR);
    await db.keys.change('unsuspend', key.id, ACTOR);
    await db.keys.change('revoke', key.id, ACTOR);
    const events = await db.events(key.id);
    expect(events).toHaveLength(5);
    expect(events).toEqual(
      expect.arrayContaining([
        event(key, 'key_provisioned', 'active'),
        event(key, 'key_suspended', 'suspended'),
        event(key, 'key_rotated', 'suspended'),
        event(key, 'key_unsuspended', 'active'),
        event(key, 'key_revoked', 'revoked'),
      ]),
    );
    expect(JSON.stringify(events)).not.toContain(rawKey.slice(6, 49));
  });

  test('neither a rejected transition nor an update publishes an event', async () => {
    const { key } = await create();
    await db.keys.update(key.id, { name: 'renamed' }, ACTOR);
    await expect(db.keys.change('unsuspend', key.id, ACTOR)).rejects.toMatchObject({ code: 'not_found' });
    expect(await db.events(key.id)).toEqual([event(key, 'key_provisioned', 'active')]);
  });
});

const EVERYTHING = {
  status: null,
  name: null,
  expired: null,
  sinceMs: null,
  untilMs: null,
  teamId: null,
  tag: null,
  sortBy: 'created_at',
  sortDir: 'desc',
  limit: 1,
  offset: 0,
} as const;
