import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '../../src/platform/clock.js';
import { Config } from '../../src/platform/config/config.js';
import { Admission } from '../../src/quota/admission.service.js';
import { Outage } from '../../src/quota/outage.service.js';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import type { Verdict } from '../../src/quota/verdict.rules.js';
import { minuteOf } from '../../src/quota/utc-windows.rules.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { CutProxy } from './cut-proxy.js';
import { openStore, untilReachable } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { until } from '../support/until.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const MINUTE = 60_000;

/** A stopped clock that only tests move, like the clock of the database in these specs. */
class HeldClock extends Clock {
  ms = NOON;
  override now(): number {
    return this.ms;
  }
}

let database: QuotaDatabase;
let proxy: CutProxy;
let store: QuotaStore;
let clock: HeldClock;
let outage: Outage;
let admission: Admission;

beforeAll(async () => {
  Logger.overrideLogger(false);
  database = await QuotaDatabase.create();
});
beforeEach(async () => {
  await moveTo(NOON);
  proxy = await CutProxy.before(database.url);
  store = await openStore(proxy.url);
  open();
});
afterEach(async () => {
  await store.onApplicationShutdown();
  proxy.close();
});
afterAll(() => database.drop());

function open(env: Record<string, string> = {}): void {
  outage = new Outage(Config.from(env), clock, store);
  admission = new Admission(store, outage);
}

async function moveTo(ms: number): Promise<void> {
  clock = Object.assign(clock ?? new HeldClock(), { ms });
  await database.setNow(ms);
}

async function knownKey(limits: Parameters<QuotaDatabase['addKey']>[0] = {}): Promise<KeySnapshot> {
  const key = await database.addKey(limits);
  outage.learn(key, (await store.readCounts([key.id])).get(key.id)!);
  return key;
}

async function disconnect(): Promise<void> {
  proxy.refuse(true);
  proxy.cut();
  await until(() => outage.isActive);
}

async function reconnect(): Promise<void> {
  proxy.refuse(false);
  proxy.hang(false);
  await untilReachable(store);
}

const flood = (key: KeySnapshot, count: number): Promise<Verdict[]> =>
  Promise.all(Array.from({ length: count }, () => admission.admit(key)));
const outcomesOf = (verdicts: readonly Verdict[]) =>
  verdicts.map((verdict) => (verdict.kind === 'rejected' ? verdict.limit : verdict.kind));
const admitted = (verdicts: readonly Verdict[]) => verdicts.filter(({ kind }) => kind === 'admitted').length;
const stored = async ({ id }: KeySnapshot) => {
  const { minuteUsed, dayUsed, monthUsed } = await database.stored(id);
  return [minuteUsed, dayUsed, monthUsed];
};
const UNAVAILABLE = { code: 'service_unavailable' };

describe('admission during an outage', () => {
  test.each([
    ['minute', { rpmLimit: 5 }],
    ['day', { rpdLimit: 5 }],
    ['month', { monthlyLimit: 5 }],
  ] as const)('a known key is checked against the last known counts of the %s', async (limit, limits) => {
    const key = await knownKey(limits);
    await flood(key, 2);
    await disconnect();
    expect(outcomesOf(await flood(key, 5))).toEqual(['admitted', 'admitted', 'admitted', limit, limit]);
    expect([outage.servedFromMemory, outage.unreconciled]).toEqual([3, 3]);
  });

  test('admission and reads report figures that continue from the last known counts', async () => {
    const key = await knownKey({ rpdLimit: 100 });
    await flood(key, 7);
    await disconnect();
    const [verdict] = await flood(key, 1);
    expect(verdict).toMatchObject({ kind: 'admitted', figures: { day: { limit: 100, used: 8 } } });
    expect(await admission.readKey(key)).toMatchObject({ version: key.version, figures: { day: { used: 8 } } });
  });

  test('a key without earlier requests is checked against the counts with which it was read', async () => {
    const other = await openStore(database.url);
    const key = await database.addKey({ rpdLimit: 5 });
    await other.admit([{ ...key, keyId: key.id, count: 4 }]);
    outage.learn(key, (await store.readCounts([key.id])).get(key.id)!);
    await disconnect();
    expect(outcomesOf(await flood(key, 2))).toEqual(['admitted', 'day']);
    await other.onApplicationShutdown();
  });

  test('a key that is read again keeps the requests counted in memory until the store has them', async () => {
    const other = await openStore(database.url);
    const key = await knownKey({ monthlyLimit: 5 });
    const readAgain = async () => outage.learn(key, (await other.readCounts([key.id])).get(key.id)!);
    await disconnect();
    await flood(key, 2);
    await moveTo(NOON + 1000);
    await readAgain(); // simulates a read-only database
    expect(await admission.readKey(key)).toMatchObject({ figures: { month: { used: 2 } } });
    await reconnect();
    await until(() => outage.unreconciled === 0);
    await other.admit([{ ...key, keyId: key.id, count: 2 }]);
    await moveTo(NOON + 2000);
    await readAgain();
    await disconnect();
    expect(outcomesOf(await flood(key, 2))).toEqual(['admitted', 'month']);
    await other.onApplicationShutdown();
  });

  test('windows that start during an outage start at zero, by the clock of the database', async () => {
    await database.setNow(NOON + 3_600_000); // the database is an hour ahead of this process
    const key = await knownKey({ rpmLimit: 2 });
    await flood(key, 1);
    await disconnect();
    expect(outcomesOf(await flood(key, 2))).toEqual(['admitted', 'minute']);
    clock.ms += MINUTE;
    const verdicts = await flood(key, 3);
    expect(outcomesOf(verdicts)).toEqual(['admitted', 'admitted', 'minute']);
    expect(verdicts[0]).toMatchObject({ figures: { nowMs: NOON + 3_600_000 + MINUTE, day: { used: 3 } } });
  });

  test.each([
    ['specification', 100, 0, 'tokens'],
    ['specification', 40, 60, 'admitted'],
    ['all', 40, 60, 'tokens'],
  ] as const)('a key that counts %s tokens used %i and %i during an outage: %s', async (...row) => {
    const [tokenCounting, tokens, additionalTokens, outcome] = row;
    const key = await knownKey({ monthlyTokenLimit: 100, tokenCounting });
    await flood(key, 1);
    outage.spend(key.id, 1000, 1000); // ignored without an outage, because the recorder writes these tokens
    await disconnect();
    expect(outcomesOf(await flood(key, 1))).toEqual(['admitted']);
    outage.spend(key.id, tokens, additionalTokens);
    expect(outcomesOf(await flood(key, 1))).toEqual([outcome]);
  });

  test('a key that is unknown to the process or was forgotten returns 503', async () => {
    const [unknown, old] = [await database.addKey(), await knownKey()];
    await disconnect();
    await expect(admission.admit(unknown)).rejects.toMatchObject(UNAVAILABLE);
    await expect(admission.readKey(unknown)).rejects.toMatchObject(UNAVAILABLE);
    expect(outcomesOf(await flood(old, 1))).toEqual(['admitted']);
    outage.forget(old.id);
    await expect(admission.admit(old)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('every key returns 503 with GW_DB_OUTAGE=closed', async () => {
    open({ GW_DB_OUTAGE: 'closed' });
    const key = await knownKey();
    await flood(key, 1);
    await disconnect();
    await expect(admission.admit(key)).rejects.toMatchObject(UNAVAILABLE);
    await expect(admission.readKey(key)).rejects.toMatchObject(UNAVAILABLE);
    await reconnect();
    expect(outcomesOf(await flood(key, 1))).toEqual(['admitted']);
    expect(await stored(key)).toEqual([2, 2, 2]);
  });
});

describe('admission after an outage', () => {
  test('every served request is stored once, before the next one is admitted', async () => {
    const key = await knownKey({ rpdLimit: 10 });
    const served = admitted(await flood(key, 3));
    await disconnect();
    const fromMemory = admitted(await flood(key, 4));
    await reconnect();
    const [verdict] = await flood(key, 1);
    expect(verdict).toMatchObject({ kind: 'admitted', figures: { day: { used: served + fromMemory + 1 } } });
    expect(await stored(key)).toEqual([8, 8, 8]);
    expect(outage.unreconciled).toBe(0);
  });

  test('counts of two processes add up and can exceed the limit', async () => {
    const key = await knownKey({ rpdLimit: 4 });
    const other = await openStore(database.url);
    await disconnect();
    expect(admitted(await flood(key, 9))).toBe(4);
    await other.admit([{ ...key, keyId: key.id, count: 4 }]);
    await reconnect();
    expect(await stored(key)).toEqual([8, 8, 8]);
    expect(outcomesOf(await flood(key, 1))).toEqual(['day']);
    await other.onApplicationShutdown();
  });

  test('the count of a past minute is dropped, and its requests still count for day and month', async () => {
    const key = await knownKey();
    await flood(key, 2);
    await disconnect();
    await flood(key, 3);
    await moveTo(NOON + MINUTE);
    await flood(key, 4);
    await reconnect();
    expect(await database.stored(key.id)).toMatchObject({ minute: minuteOf(NOON) + 1 });
    expect(await stored(key)).toEqual([4, 9, 9]);
    await disconnect();
    await flood(key, 5);
    await moveTo(NOON + 2 * MINUTE);
    await reconnect();
    await flood(key, 1);
    expect(await stored(key)).toEqual([1, 15, 15]);
  });

  test.each([
    ['was executed', false],
    ['was not executed', true],
  ])('a batch without a response that %s counts as the requests that were served instead', async (_how, terminated) => {
    const key = await knownKey({ rpdLimit: 6 });
    await flood(key, 3);
    const { release } = await database.holdRow(key.id);
    const lost = flood(key, 4);
    await database.untilStoreWaits();
    proxy.refuse(true);
    if (terminated) await database.terminateStores();
    proxy.cut();
    expect(outcomesOf(await lost)).toEqual(['admitted', 'admitted', 'admitted', 'day']);
    await release();
    if (!terminated) await until(async () => (await database.stored(key.id)).monthUsed === 6);
    await reconnect();
    expect(await stored(key)).toEqual([6, 6, 6]);
  });

  test('a key whose row is locked does not block other keys, and is reconciled later', async () => {
    const [held, free] = [await knownKey(), await knownKey()];
    await disconnect();
    await Promise.all([flood(held, 3), flood(free, 2)]);
    const { release } = await database.holdRow(held.id);
    await reconnect();
    expect(outcomesOf(await flood(free, 1))).toEqual(['admitted']);
    expect(await stored(free)).toEqual([3, 3, 3]);
    expect([await stored(held), outage.unreconciled]).toEqual([[0, 0, 0], 3]);
    await release();
    await until(() => outage.unreconciled === 0); // without further requests
    expect(await stored(held)).toEqual([3, 3, 3]);
  });

  test('the counts of thousands of keys are reconciled', async () => {
    const { rows } = await database.client.query<{ id: string }>(
      `insert into api_keys (name, key_hash, key_hint)
       select 'many', sha256(('many' || i)::bytea), '' from generate_series(1, 5000) i returning id`,
    );
    const one = await database.addKey();
    const counts = (await store.readCounts([one.id])).get(one.id)!;
    await disconnect();
    for (const { id } of rows) outage.learn({ ...one, id }, counts);
    await Promise.all(rows.map(({ id }) => admission.admit({ ...one, id })));
    expect(outage.unreconciled).toBe(5000);
    await reconnect();
    expect(outage.unreconciled).toBe(0);
    const { rows: sums } = await database.client.query(
      `select sum(q.day_count)::int as sum, max(q.day_count) as max from key_quota q join api_keys k on k.id = q.key_id
        where k.name = 'many'`,
    );
    expect(sums).toEqual([{ sum: 5000, max: 1 }]);
  });
});
