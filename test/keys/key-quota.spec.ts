import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AuditLog } from '../../src/audit/audit-log.js';
import { Outbox } from '../../src/audit/events/outbox.js';
import { KeyQuotaService } from '../../src/keys/key-quota.service.js';
import { KeyChangeRecorder } from '../../src/keys/key-change-recorder.js';
import type { ApiKeyStore } from '../../src/keys/stores/api-key.store.js';
import type { Admission } from '../../src/quota/admission.service.js';
import { QuotaReset } from '../../src/quota/quota-reset.js';
import type { CurrentKey } from '../../src/quota/verdict.rules.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { ACTOR, KeysDatabase } from './keys-database.js';

let db: KeysDatabase;
beforeAll(async () => {
  db = await KeysDatabase.create();
});
afterAll(() => db.close());

describe('KeyQuotaService.read', () => {
  /** The versions of the key and of its counts that consecutive reads return. */
  let versions: [key: number | null, counts: number | null][];
  let quota: KeyQuotaService;
  beforeEach(() => {
    const store = {
      snapshotById: async () => {
        const [version] = versions[0]!;
        return version === null ? null : ({ id: 'k', version, rpmLimit: version } as KeySnapshot);
      },
    } as unknown as ApiKeyStore;
    const admission = {
      readKey: async () => {
        const [, version] = versions.shift()!;
        return version === null ? null : ({ version, figures: { nowMs: version } } as CurrentKey);
      },
    } as unknown as Admission;
    quota = new KeyQuotaService(store, admission, new QuotaReset(), db.transactions, db.recorder);
  });

  test('a read is repeated until limits and counts have the same version', async () => {
    versions = [
      [1, 2],
      [2, null],
      [3, 3],
    ];
    expect(await quota.read('k')).toMatchObject({ key: { rpmLimit: 3 }, figures: { nowMs: 3 } });
  });

  test('a read of a key that keeps changing fails with service_unavailable', async () => {
    versions = [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 4],
    ];
    await expect(quota.read('k')).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('a read of a key that is deleted meanwhile fails with not_found', async () => {
    versions = [
      [1, null],
      [null, null],
    ];
    await expect(quota.read('k')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('KeyQuotaService.reset', () => {
  const quotaWith = (recorder: KeyChangeRecorder) =>
    new KeyQuotaService(db.store, {} as Admission, new QuotaReset(), db.transactions, recorder);
  const create = async () => (await db.keys.create({ name: 'used' }, ACTOR)).key.id;

  test('only the last statement of a reset locks the row that admission needs', async () => {
    const id = await create();
    class ProbingRecorder extends KeyChangeRecorder {
      override async record(...args: Parameters<KeyChangeRecorder['record']>): Promise<void> {
        await super.record(...args);
        await db.source.query('select 1 from key_quota where key_id = $1 for update nowait', [id]);
      }
    }
    await quotaWith(new ProbingRecorder(new AuditLog(), new Outbox())).reset(id, 'all', ACTOR);
    expect((await db.auditRows(id)).at(-1)!.action).toBe('api_key.quota_reset');
  });

  test('a reset publishes no event and does not change the key', async () => {
    const id = await create();
    const before = await db.keys.get(id);
    await quotaWith(db.recorder).reset(id, 'minute', ACTOR);
    expect(await db.keys.get(id)).toEqual(before);
    expect(await db.events(id)).toHaveLength(1);
  });

  test('a reset of an unknown key fails with not_found and writes no audit row', async () => {
    const id = randomUUID();
    await expect(quotaWith(db.recorder).reset(id, 'all', ACTOR)).rejects.toMatchObject({
      message: 'API key not found',
    });
    expect(await db.auditRows(id)).toEqual([]);
  });
});
