import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataSource } from 'typeorm';
import { RedisRecord } from '../../src/quota/stores/redis-record.js';
import type { SqlQuotaStore } from '../../src/quota/stores/sql-quota-store.js';
import { dayOf, minuteOf, monthOf } from '../../src/quota/windows.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';
import { openStore } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { until } from '../support/until.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);

let database: QuotaDatabase;
let store: SqlQuotaStore;
let source: DataSource;

beforeAll(async () => {
  database = await QuotaDatabase.create();
  await database.setNow(NOON);
  store = await openStore(database.url);
  source = await new DataSource({ type: 'postgres', url: database.url, installExtensions: false }).initialize();
});
afterAll(async () => {
  await store.onApplicationShutdown();
  await source.destroy();
  await database.drop();
});

/** The one with the lower id first; it was added last, so that the order of the table is none of the keys. */
async function twoKeys(): Promise<[KeySnapshot, KeySnapshot]> {
  for (let higher = await database.addKey(); ; higher = await database.addKey()) {
    const lower = await database.addKey();
    if (lower.id < higher.id) return [lower, higher];
  }
}

const isFree = async ({ id }: KeySnapshot) =>
  (await database.client.query('select from key_quota where key_id = $1 for update skip locked', [id])).rowCount === 1;

const waits = async () =>
  (
    await database.client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).rowCount === 1;

/** Two processes whose batches share keys would wait for each other for ever if each had what the other wants. */
describe('rows are locked in the order of the keys, in whichever they are named', () => {
  test.each<[string, (keys: readonly KeySnapshot[]) => Promise<unknown>]>([
    ['admission', (keys) => store.admit(keys.map((key) => ({ ...key, keyId: key.id, count: 1 })))],
    [
      'the record of what Redis granted',
      (keys) => {
        const record = new RedisRecord(source);
        for (const { id: keyId, version } of keys)
          record.add({
            ...{ keyId, version, minute: minuteOf(NOON), minuteCount: 1, day: dayOf(NOON), dayCount: 1 },
            ...{ month: monthOf(NOON), monthCount: 1 },
          });
        return record.flush();
      },
    ],
  ])('%s', async (_what, count) => {
    const [lower, higher] = await twoKeys();
    for (const keys of [
      [lower, higher],
      [higher, lower],
    ]) {
      const { release } = await database.holdRow(lower.id);
      const counted = count(keys);
      await until(waits);
      expect(await isFree(higher)).toBe(true);
      await release();
      await counted;
    }
    expect(await Promise.all([lower, higher].map(async ({ id }) => (await database.stored(id)).monthUsed))).toEqual([
      2, 2,
    ]);
  });
});
