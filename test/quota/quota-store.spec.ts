import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AdmitResult, AdmitEntry, StoredCounts } from '../../src/quota/verdict.rules.js';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import { dayNumberOf, minuteOf, monthOf } from '../../src/quota/utc-windows.rules.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { openStore } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const MINUTE = 60_000;
const NO_KEY = '00000000-0000-4000-8000-000000000000';

const entryOf = (key: KeySnapshot, count: number): AdmitEntry => ({ ...key, keyId: key.id, count });

function decided(response: AdmitResult | undefined): { granted: number; counts: StoredCounts } {
  if (response?.kind !== 'decided') throw new Error(`Not decided: ${JSON.stringify(response)}`);
  return response;
}

let database: QuotaDatabase;
let stores: readonly [QuotaStore, QuotaStore];
let store: QuotaStore;

beforeAll(async () => {
  database = await QuotaDatabase.create();
  stores = [await openStore(database.url), await openStore(database.url)];
  store = stores[0];
});
beforeEach(() => database.setNow(NOON));
afterAll(async () => {
  await Promise.all(stores.map((one) => one.onApplicationShutdown()));
  await database.drop();
});

const admit = async (key: KeySnapshot, count: number, by = store) =>
  decided((await by.admit([entryOf(key, count)])).get(key.id));
const read = async (key: KeySnapshot) => (await store.readCounts([key.id])).get(key.id)!;

describe('QuotaStore limits', () => {
  test.each(['rpmLimit', 'rpdLimit', 'monthlyLimit'] as const)(
    '%s admits exactly as many requests as it allows',
    async (limit) => {
      const key = await database.addKey({ [limit]: 5 });
      expect((await admit(key, 3)).granted).toBe(3);
      const second = await admit(key, 3);
      expect(second.granted).toBe(2);
      expect(second.counts).toMatchObject({ minuteUsed: 3, dayUsed: 3, monthUsed: 3 });
      expect((await admit(key, 3)).granted).toBe(0);
    },
  );

  test('a request that one limit rejects is not counted in any window', async () => {
    const key = await database.addKey({ rpmLimit: 10, rpdLimit: 2 });
    await admit(key, 7);
    expect(await read(key)).toMatchObject({ minuteUsed: 2, dayUsed: 2, monthUsed: 2 });
  });

  test('no request passes at the token limit, and every request passes below it', async () => {
    const full = await database.addKey({ monthlyTokenLimit: 100 });
    await database.recordTokens(full.id, monthOf(NOON), 100);
    const below = await database.addKey({ monthlyTokenLimit: 100 });
    await database.recordTokens(below.id, monthOf(NOON), 99);
    expect(await admit(full, 2)).toMatchObject({ granted: 0, counts: { tokens: 100 } });
    expect(await admit(below, 2)).toMatchObject({ granted: 2, counts: { tokens: 99 } });
  });

  test('additional tokens count only toward the limit of a key that counts all tokens', async () => {
    const usual = await database.addKey({ monthlyTokenLimit: 100 });
    const full = await database.addKey({ monthlyTokenLimit: 100, tokenCounting: 'all' });
    const below = await database.addKey({ monthlyTokenLimit: 101, tokenCounting: 'all' });
    const unlimited = await database.addKey({ tokenCounting: 'all' });
    const keys = [usual, full, below, unlimited];
    for (const key of keys) await database.recordTokens(key.id, monthOf(NOON), 60, 40);
    const counts = { tokens: 60, additionalTokens: 40 };
    const granted = [2, 0, 2, 2];
    const together = await store.admit(keys.map((key) => entryOf(key, 2)));
    for (const [at, key] of keys.entries()) {
      expect(together.get(key.id)).toMatchObject({ kind: 'decided', granted: granted[at], counts });
      expect((await admit(key, 2)).granted).toBe(granted[at]);
      expect(await read(key)).toMatchObject(counts);
    }
  });

  test('two concurrent stores admit exactly the limit of a key that counts all tokens', async () => {
    const keys = [
      await database.addKey({ rpdLimit: 150, tokenCounting: 'all' }),
      await database.addKey({ rpdLimit: 90 }),
    ];
    const sums = new Map(keys.map((key) => [key.id, 0]));
    const run = async (by: QuotaStore): Promise<void> => {
      for (let call = 0; call < 30; call++) {
        for (const [keyId, response] of await by.admit(keys.map((key) => entryOf(key, 3))))
          sums.set(keyId, sums.get(keyId)! + decided(response).granted);
      }
    };
    await Promise.all(stores.map(run));
    expect([...sums.values()]).toEqual([150, 90]);
  });

  test('a change of the counted tokens makes cached keys stale, so no request passes by the old rule', async () => {
    const key = await database.addKey({ monthlyTokenLimit: 100 });
    await database.recordTokens(key.id, monthOf(NOON), 60, 40);
    expect((await admit(key, 1)).granted).toBe(1);
    await database.client.query(`update api_keys set token_counting = 'all' where id = $1`, [key.id]);
    expect((await stores[1].admit([entryOf(key, 1)])).get(key.id)).toMatchObject({ kind: 'stale' });
  });

  test('tokens of the previous month do not count', async () => {
    const key = await database.addKey({ monthlyTokenLimit: 100 });
    await database.recordTokens(key.id, monthOf(NOON) - 1, 100);
    expect(await admit(key, 1)).toMatchObject({ granted: 1, counts: { tokens: 0 } });
  });

  test('two concurrent stores admit exactly the limit, and assign each number once', async () => {
    const keys = [await database.addKey({ rpdLimit: 150 }), await database.addKey({ rpdLimit: 90 })];
    const ordinals = new Map(keys.map((key) => [key.id, [] as number[]]));
    const run = async (by: QuotaStore): Promise<void> => {
      for (let call = 0; call < 60; call++) {
        for (const [keyId, response] of await by.admit(keys.map((key, i) => entryOf(key, 1 + ((call + i) % 5))))) {
          const { granted, counts } = decided(response);
          for (let nth = 1; nth <= granted; nth++) ordinals.get(keyId)!.push(counts.dayUsed + nth);
        }
      }
    };
    await Promise.all(stores.map(run));
    for (const key of keys) {
      const given = ordinals.get(key.id)!.sort((a, b) => a - b);
      expect(given).toEqual(Array.from({ length: key.rpdLimit }, (_, i) => i + 1));
    }
  });
});

describe('QuotaStore key versions', () => {
  test('an older version is stale and not counted, and the result contains the current version', async () => {
    const key = await database.addKey();
    const changed = await database.changeKey(key);
    expect(changed.version).toBeGreaterThan(key.version);
    const responses = await store.admit([entryOf(key, 2)]);
    expect(responses.get(key.id)).toEqual({ kind: 'stale', version: changed.version });
    expect((await admit(changed, 1)).counts.monthUsed).toBe(0);
  });

  test('a key without a row is unknown, alone or in a batch with other keys', async () => {
    const key = await database.addKey();
    const unknown = { ...key, id: NO_KEY };
    expect((await store.admit([entryOf(unknown, 1)])).get(NO_KEY)).toEqual({ kind: 'unknown' });
    const responses = await store.admit([entryOf(unknown, 1), entryOf(key, 1)]);
    expect([responses.get(NO_KEY)?.kind, responses.get(key.id)?.kind]).toEqual(['unknown', 'decided']);
  });
});

describe('QuotaStore after resets', () => {
  test.each([
    ['minute', [0, 4, 4]],
    ['day', [4, 0, 4]],
    ['month', [4, 4, 0]],
    ['all', [0, 0, 0]],
  ] as const)('a reset of %s leaves all other counts and the tokens unchanged', async (window, expected) => {
    const key = await database.addKey();
    await database.recordTokens(key.id, monthOf(NOON), 100);
    await admit(key, 4);
    await database.resetKey(key, window);
    const { minuteUsed, dayUsed, monthUsed, tokens } = await read(key);
    expect([minuteUsed, dayUsed, monthUsed]).toEqual(expected);
    expect(tokens).toBe(100);
  });

  test('after a reset all stores together admit exactly the limit, and the previous version is stale', async () => {
    const key = await database.addKey({ rpdLimit: 5 });
    expect((await admit(key, 9)).granted).toBe(5);
    const fresh = await database.resetKey(key, 'day');
    expect(fresh.version).toBeGreaterThan(key.version);
    for (const one of stores) {
      expect((await one.admit([entryOf(key, 1)])).get(key.id)).toEqual({ kind: 'stale', version: fresh.version });
    }
    expect((await admit(fresh, 3, stores[1])).granted).toBe(3);
    expect((await admit(fresh, 3)).granted).toBe(2);
  });
});

describe('QuotaStore windows', () => {
  const used = async (key: KeySnapshot) => {
    const { minuteUsed, dayUsed, monthUsed } = (await admit(key, 1)).counts;
    return [minuteUsed, dayUsed, monthUsed];
  };

  test.each([
    ['minute', NOON, Date.UTC(2030, 4, 15, 12, 1), [0, 1, 1]],
    ['day', Date.UTC(2030, 4, 15, 23, 59, 59, 999), Date.UTC(2030, 4, 16), [0, 0, 1]],
    ['month', Date.UTC(2030, 11, 31, 23, 59, 59, 999), Date.UTC(2031, 0, 1), [0, 0, 0]],
  ])('a new %s starts at zero', async (_name, before, after, expected) => {
    const key = await database.addKey();
    await database.setNow(before);
    expect(await used(key)).toEqual([0, 0, 0]);
    await database.setNow(after - 1);
    expect(await used(key)).toEqual([1, 1, 1]);
    await database.setNow(after);
    const next = await read(key);
    expect([next.minute, next.day, next.month]).toEqual([minuteOf(after), dayNumberOf(after), monthOf(after)]);
    expect(await used(key)).toEqual(expected.map((count) => count * 2));
  });

  test('the minute is kept if the clock is set back by a minute, and restarts if it is set back further', async () => {
    const key = await database.addKey();
    await admit(key, 1);
    await database.setNow(NOON - MINUTE);
    expect((await admit(key, 1)).counts).toMatchObject({ minute: minuteOf(NOON), minuteUsed: 1 });
    await database.setNow(NOON - 2 * MINUTE);
    expect((await admit(key, 1)).counts).toMatchObject({ minute: minuteOf(NOON) - 2, minuteUsed: 0, dayUsed: 2 });
  });
});

describe('QuotaStore.readCounts', () => {
  test('readCounts returns version, counts and time without counting a request', async () => {
    const key = await database.addKey();
    await admit(key, 4);
    await read(key);
    expect(await read(key)).toEqual({
      version: key.version,
      nowMs: NOON,
      minute: minuteOf(NOON),
      minuteUsed: 4,
      day: dayNumberOf(NOON),
      dayUsed: 4,
      month: monthOf(NOON),
      monthUsed: 4,
      tokens: 0,
      additionalTokens: 0,
    });
  });

  test('readCounts omits unknown keys', async () => {
    expect((await store.readCounts([NO_KEY])).size).toBe(0);
  });
});
