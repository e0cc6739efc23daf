import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { admitKeys } from '../../../src/quota/ledger/key-admission.js';
import type { QuotaStore } from '../../../src/quota/ledger/quota-store.js';
import { minuteOf } from '../../../src/quota/utc-windows.rules.js';
import type { KeySnapshot } from '../../../src/platform/request-context/key-snapshot.js';
import { CutProxy } from '../../quota/cut-proxy.js';
import { openStore, untilReachable } from '../../support/open-store.js';
import { QuotaDatabase } from '../../support/quota-database.js';
import { until } from '../../support/until.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);

let database: QuotaDatabase;
let proxy: CutProxy;
let store: QuotaStore;

beforeAll(async () => {
  database = await QuotaDatabase.create();
});
beforeEach(async () => {
  await database.setNow(NOON);
  await database.client.query('delete from quota_writer'); // rows of stopped stores
  proxy = await CutProxy.before(database.url);
  store = await openStore(proxy.url);
});
afterEach(async () => {
  await store.onApplicationShutdown();
  proxy.close();
});
afterAll(() => database.drop());

const admit = (key: KeySnapshot, count: number) => store.admit([{ ...key, keyId: key.id, count }]);

async function granted(key: KeySnapshot, count: number): Promise<number> {
  const response = (await admit(key, count)).get(key.id);
  return response?.kind === 'decided' ? response.granted : 0;
}

async function stored(key: KeySnapshot): Promise<number[]> {
  const { minuteUsed, dayUsed, monthUsed } = await database.stored(key.id);
  return [minuteUsed, dayUsed, monthUsed];
}

async function writerOfStore(): Promise<{ writer_id: string; batch: number }> {
  const { rows } = await database.client.query<{ writer_id: string; batch: string }>(
    'select writer_id, batch from quota_writer',
  );
  expect(rows).toHaveLength(1);
  return { writer_id: rows[0]!.writer_id, batch: Number(rows[0]!.batch) };
}

/** Sends a batch that the server executes, but whose response is lost. */
async function loseResponse(key: KeySnapshot, count: number): Promise<void> {
  const { release } = await database.holdRow(key.id);
  const lost = expect(admit(key, count)).rejects.toThrow();
  await database.untilStoreWaits();
  proxy.refuse(true); // otherwise the store would retry the batch immediately
  proxy.cut();
  await lost;
  proxy.refuse(false);
  await release();
  await untilReachable(store);
}

describe('a batch whose response is lost', () => {
  test('a batch whose response is lost is subtracted before the next call', async () => {
    const key = await database.addKey();
    await granted(key, 3);
    await loseResponse(key, 4);
    expect(await stored(key)).toEqual([3, 3, 3]);
    expect(await granted(key, 2)).toBe(2);
    expect(await stored(key)).toEqual([5, 5, 5]);
  });

  test('the granted requests are subtracted, not the requested ones', async () => {
    const key = await database.addKey({ rpdLimit: 5 });
    await granted(key, 3);
    await loseResponse(key, 4);
    expect(await stored(key)).toEqual([3, 3, 3]);
    expect(await granted(key, 4)).toBe(2);
  });

  test('requests are subtracted from the windows in which they were counted', async () => {
    const key = await database.addKey();
    const { release } = await database.holdRow(key.id);
    const lost = expect(admit(key, 4)).rejects.toThrow();
    await database.untilStoreWaits();
    proxy.refuse(true);
    proxy.cut();
    await lost;
    await release();
    await until(async () => (await database.stored(key.id)).monthUsed === 4);
    await database.setNow(NOON + 60_000);
    const other = await openStore(database.url);
    await other.admit([{ ...key, keyId: key.id, count: 2 }]);
    proxy.refuse(false);
    await untilReachable(store);
    expect(await database.stored(key.id)).toMatchObject({
      minute: minuteOf(NOON) + 1,
      minuteUsed: 2,
      dayUsed: 2,
      monthUsed: 2,
    });
    await other.onApplicationShutdown();
  });

  test('a batch that reaches the server after the next connection was established is not counted', async () => {
    const key = await database.addKey();
    await granted(key, 1);
    const { writer_id, batch } = await writerOfStore();
    proxy.cut();
    await until(async () => (await writerOfStore()).batch > batch);
    const entries = [{ ...key, keyId: key.id, count: 4 }];
    const late = { writerId: writer_id, number: String(batch + 1), setVersion: 0, entries };
    expect(await admitKeys(database.client, late)).toBeNull();
    expect(await stored(key)).toEqual([1, 1, 1]);
  });
});

describe('a lost connection under load', () => {
  test.each(['terminated by the server', 'cut by the network'])(
    'counts stay exact if the connection is %s',
    async (how) => {
      const keys = [await database.addKey(), await database.addKey({ rpdLimit: 400 })];
      const served = new Map(keys.map((key) => [key.id, 0]));
      let breaks = 0;
      let failed = 0;
      const load = (async () => {
        while (breaks < 12) {
          try {
            const responses = await store.admit(keys.map((key) => ({ ...key, keyId: key.id, count: 2 })));
            for (const [keyId, response] of responses) {
              if (response.kind === 'decided') served.set(keyId, served.get(keyId)! + response.granted);
            }
          } catch {
            failed += 1;
            await untilReachable(store);
          }
        }
      })();
      while (breaks < 12) {
        const before = [...served.values()][0]!;
        await until(() => [...served.values()][0]! > before + 20);
        if (how === 'cut by the network') proxy.cut();
        else await database.terminateStores();
        breaks += 1;
      }
      await load;
      await untilReachable(store);
      for (const key of keys) {
        const count = served.get(key.id)!;
        expect(await stored(key)).toEqual([count, count, count]);
      }
      expect(failed).toBe(0); // each call was repeated on the next connection
    },
  );

  test('nothing is counted if the connection is terminated while a statement waits for a row', async () => {
    const key = await database.addKey();
    await granted(key, 3);
    const { release } = await database.holdRow(key.id);
    const lost = admit(key, 4);
    await database.untilStoreWaits();
    await database.terminateStores();
    expect((await lost).size).toBe(0); // repeated, but the row is still locked
    await release();
    await untilReachable(store);
    expect(await stored(key)).toEqual([3, 3, 3]);
  });
});

describe('a database that lost its last transactions', () => {
  test('counts that the database lost are stored again, once', async () => {
    const key = await database.addKey();
    const other = await database.addKey();
    await granted(key, 3);
    const { writer_id, batch } = await writerOfStore();
    await granted(key, 2);
    await granted(other, 4);
    proxy.refuse(true);
    proxy.cut();
    await expect(admit(key, 1)).rejects.toThrow();
    await database.client.query(
      'update key_quota set minute_count = 3, day_count = 3, month_count = 3 where key_id = $1',
      [key.id],
    );
    await database.client.query(
      'update key_quota set minute_count = 0, day_count = 0, month_count = 0 where key_id = $1',
      [other.id],
    );
    await database.client.query('update quota_writer set batch = $2 where writer_id = $1', [writer_id, batch]);
    proxy.refuse(false);
    await untilReachable(store);
    expect([await stored(key), await stored(other)]).toEqual([
      [5, 5, 5],
      [4, 4, 4],
    ]);
    proxy.cut();
    expect(await granted(key, 1)).toBe(1);
    expect(await stored(key)).toEqual([6, 6, 6]);
  });

  test('a writer whose row was deleted creates it again, and no request is rejected', async () => {
    const key = await database.addKey();
    await granted(key, 3);
    await database.client.query('delete from quota_writer');
    // Counts of the last 10 s are stored again with the row. In production only rows of long idle writers are deleted.
    expect(await granted(key, 1)).toBe(1);
  });
});

describe('a database that hangs', () => {
  test('the store gives up and reconnects later', async () => {
    const key = await database.addKey();
    proxy.hang(true);
    await expect(admit(key, 1)).rejects.toThrow('did not respond');
    await expect(admit(key, 1)).rejects.toThrow('no connection');
    proxy.hang(false);
    await untilReachable(store);
    expect(await stored(key)).toEqual([0, 0, 0]);
  });
});
