import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { requestsIn, dayNumberOf, minuteOf, monthOf } from '../../src/quota/utc-windows.rules.js';
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
});
beforeEach(async () => {
  store = await openStore(database.url);
});
afterEach(() => store.onApplicationShutdown());
afterAll(() => database.drop());

const admit = (key: KeySnapshot) => store.admit([{ ...key, keyId: key.id, count: 1 }]);

const addServed = ({ id: keyId }: Pick<KeySnapshot, 'id'>, count: number) =>
  store.addServed(requestsIn({ minute: minuteOf(NOON), day: dayNumberOf(NOON), month: monthOf(NOON) }, keyId, count));

const used = async ({ id }: KeySnapshot) => (await database.stored(id)).monthUsed;

async function ends(call: Promise<unknown>): Promise<void> {
  let ended = false;
  void call.then(
    () => (ended = true),
    () => (ended = true),
  );
  await until(() => ended);
}

test('a shutdown stores the unreconciled counts of more keys than fit into one reconciliation', async () => {
  const last = await database.addKey();
  for (let keys = 0; keys < 2500; keys++) addServed({ id: randomUUID() }, 1);
  addServed(last, 3);
  await store.onApplicationShutdown();
  expect(await used(last)).toBe(3);
});

describe('reconciliation between two batches', () => {
  test('a batch that waits for a reconciliation proceeds if the connection is lost', async () => {
    const [unreconciled, asked] = [await database.addKey(), await database.addKey()];
    const { release } = await database.holdWriters();
    addServed(unreconciled, 3);
    await database.untilStoreWaits();
    const admitted = admit(asked);
    await database.terminateStores();
    await release();
    await ends(admitted);
    await until(async () => (await used(unreconciled)) === 3);
    expect((await admit(asked)).get(asked.id)).toMatchObject({ kind: 'decided', granted: 1 });
  });

  test('a shutdown completes if the connection is lost during the batch before the reconciliation', async () => {
    const [unreconciled, asked] = [await database.addKey(), await database.addKey()];
    const { release } = await database.holdRow(asked.id);
    const admitted = admit(asked);
    await database.untilStoreWaits();
    addServed(unreconciled, 3);
    const stopped = store.onApplicationShutdown();
    await database.terminateStores();
    await release();
    await ends(admitted);
    await ends(stopped);
    expect(await used(unreconciled)).toBe(3);
  });
});
