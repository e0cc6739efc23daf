import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { openStore } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { until } from '../support/until.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);

let database: QuotaDatabase;
let store: QuotaStore;

beforeAll(async () => {
  database = await QuotaDatabase.create();
  await database.setNow(NOON);
  store = await openStore(database.url);
});
afterAll(async () => {
  await store.onApplicationShutdown();
  await database.drop();
});

/** Returns two keys, lower ID first. That key is added last, so that the order of the table differs from the order of the IDs. */
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

// Without a fixed order, two processes whose batches share keys could deadlock.
test('admission locks rows in key order, regardless of their order in the batch', async () => {
  const [lower, higher] = await twoKeys();
  for (const keys of [
    [lower, higher],
    [higher, lower],
  ]) {
    const { release } = await database.holdRow(lower.id);
    const admitted = store.admit(keys.map((key) => ({ ...key, keyId: key.id, count: 1 })));
    await until(waits);
    expect(await isFree(higher)).toBe(true);
    await release();
    await admitted;
  }
  expect(await Promise.all([lower, higher].map(async ({ id }) => (await database.stored(id)).monthUsed))).toEqual([
    2, 2,
  ]);
});
