import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AuditLog } from '../../src/audit/audit-log.js';
import { Outbox } from '../../src/events/outbox.js';
import { KeyQuotaService } from '../../src/keys/key-quota.service.js';
import { KeyChangeRecorder } from '../../src/keys/key-change-recorder.js';
import type { ApiKeyStore } from '../../src/keys/stores/api-key.store.js';
import type { Admission } from '../../src/quota/admission.service.js';
import { QuotaReset } from '../../src/quota/quota-reset.js';
import type { CurrentKey } from '../../src/quota/verdict.rules.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';
import { ACTOR, KeysDatabase } from './keys-database.js';

let db: KeysDatabase;
beforeAll(async () => {
  db = await KeysDatabase.create();
});
afterAll(() => db.close());

describe('a read', () => {
  /** Versions as the key and its counts are found to have them, read after read. */
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

  test('pairs no limits with counts that are younger than they: it is made again', async () => {
    versions = [
      [1, 2],
      [2, null],
      [3, 3],
    ];
    expect(await quota.read('k')).toMatchObject({ key: { rpmLimit: 3 }, figures: { nowMs: 3 } });
  });

  test('of a key that changes again and again is service_unavailable in the end', async () => {
    versions = [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 4],
    ];
    await expect(quota.read('k')).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('of a key that is gone in between is not_found', async () => {
    versions = [
      [1, null],
      [null, null],
    ];
    await expect(quota.read('k')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a reset', () => {
  const quotaWith = (recorder: KeyChangeRecorder) =>
    new KeyQuotaService(db.store, {} as Admission, new QuotaReset(), db.transactions, recorder);
  const create = async () => (await db.keys.create({ name: 'used' }, ACTOR)).key.id;

  test('takes the row that admission waits for with its last statement only', async () => {
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

  test('is no event and changes nothing of the key', async () => {
    const id = await create();
    const before = await db.keys.get(id);
    await quotaWith(db.recorder).reset(id, 'minute', ACTOR);
    expect(await db.keys.get(id)).toEqual(before);
    expect(await db.events(id)).toHaveLength(1);
  });

  test('of an unknown key is not_found and leaves no trace', async () => {
    const id = randomUUID();
    await expect(quotaWith(db.recorder).reset(id, 'all', ACTOR)).rejects.toMatchObject({
      message: 'API key not found',
    });
    expect(await db.auditRows(id)).toEqual([]);
  });
});
