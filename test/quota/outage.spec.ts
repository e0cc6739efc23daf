import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '../../src/clock/clock.js';
import { Config } from '../../src/config/config.js';
import { Admission } from '../../src/quota/admission.service.js';
import { Outage } from '../../src/quota/outage.service.js';
import type { QuotaStore } from '../../src/quota/stores/quota-store.js';
import type { Verdict } from '../../src/quota/verdict.rules.js';
import { minuteOf } from '../../src/quota/windows.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';
import { CutProxy } from './cut-proxy.js';
import { openStore, untilReachable } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { until } from '../support/until.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const MINUTE = 60_000;

/** Stands still unless it is moved, as the database's does in these specs. */
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

/** What decides in this process from now on. */
function open(env: Record<string, string> = {}): void {
  outage = new Outage(Config.from(env), clock, store);
  admission = new Admission(store, outage);
}

async function moveTo(ms: number): Promise<void> {
  clock = Object.assign(clock ?? new HeldClock(), { ms });
  await database.setNow(ms);
}

/** A key as a process knows it that has read it. */
async function knownKey(limits: Parameters<QuotaDatabase['addKey']>[0] = {}): Promise<KeySnapshot> {
  const key = await database.addKey(limits);
  outage.learn(key.id, (await store.readCounts([key.id])).get(key.id)!);
  return key;
}

async function goAway(): Promise<void> {
  proxy.refuse(true);
  proxy.cut();
  await until(() => outage.away);
}

async function comeBack(): Promise<void> {
  proxy.refuse(false);
  proxy.hang(false);
  await untilReachable(store);
}

const flood = (key: KeySnapshot, count: number): Promise<Verdict[]> =>
  Promise.all(Array.from({ length: count }, () => admission.admit(key)));
const saidOf = (verdicts: readonly Verdict[]) =>
  verdicts.map((verdict) => (verdict.kind === 'refused' ? verdict.limit : verdict.kind));
const admitted = (verdicts: readonly Verdict[]) => verdicts.filter(({ kind }) => kind === 'admitted').length;
const stored = async ({ id }: KeySnapshot) => {
  const { minuteUsed, dayUsed, monthUsed } = await database.stored(id);
  return [minuteUsed, dayUsed, monthUsed];
};
const REFUSED = { code: 'service_unavailable' };

describe('while the store is away', () => {
  test.each([
    ['minute', { rpmLimit: 5 }],
    ['day', { rpdLimit: 5 }],
    ['month', { monthlyLimit: 5 }],
  ] as const)('a known key has what the %s has left by the counts last seen, at once', async (limit, limits) => {
    const key = await knownKey(limits);
    await flood(key, 2);
    await goAway();
    const beganAtMs = performance.now();
    expect(saidOf(await flood(key, 5))).toEqual(['admitted', 'admitted', 'admitted', limit, limit]);
    expect(performance.now() - beganAtMs).toBeLessThan(200);
    expect([outage.servedFromMemory, outage.unreconciled]).toEqual([3, 3]);
  });

  test('the figures go on from the counts last seen, of a refusal before stage 6 too', async () => {
    const key = await knownKey({ rpdLimit: 100 });
    await flood(key, 7);
    await goAway();
    const [verdict] = await flood(key, 1);
    expect(verdict).toMatchObject({ kind: 'admitted', figures: { day: { limit: 100, used: 8 } } });
    expect(await admission.readKey(key)).toMatchObject({ version: key.version, figures: { day: { used: 8 } } });
  });

  test('a key that was read and never asked for has the counts with which it was read', async () => {
    const other = await openStore(database.url);
    const key = await database.addKey({ rpdLimit: 5 });
    await other.admit([{ ...key, keyId: key.id, count: 4 }]);
    outage.learn(key.id, (await store.readCounts([key.id])).get(key.id)!);
    await goAway();
    expect(saidOf(await flood(key, 2))).toEqual(['admitted', 'day']);
    await other.onApplicationShutdown();
  });

  test('a key that is read anew keeps what was counted here, until the store has it', async () => {
    const other = await openStore(database.url);
    const key = await knownKey({ monthlyLimit: 5 });
    const readAnew = async () => outage.learn(key.id, (await other.readCounts([key.id])).get(key.id)!);
    await goAway();
    await flood(key, 2);
    await moveTo(NOON + 1000);
    await readAnew(); // as from a server that takes no writes
    expect(await admission.readKey(key)).toMatchObject({ figures: { month: { used: 2 } } });
    await comeBack();
    await until(() => outage.unreconciled === 0);
    await other.admit([{ ...key, keyId: key.id, count: 2 }]);
    await moveTo(NOON + 2000);
    await readAnew();
    await goAway();
    expect(saidOf(await flood(key, 2))).toEqual(['admitted', 'month']);
    await other.onApplicationShutdown();
  });

  test('windows that begin meanwhile begin at nothing, by the clock of the database', async () => {
    await database.setNow(NOON + 3_600_000); // an hour ahead of this process
    const key = await knownKey({ rpmLimit: 2 });
    await flood(key, 1);
    await goAway();
    expect(saidOf(await flood(key, 2))).toEqual(['admitted', 'minute']);
    clock.ms += MINUTE;
    const verdicts = await flood(key, 3);
    expect(saidOf(verdicts)).toEqual(['admitted', 'admitted', 'minute']);
    expect(verdicts[0]).toMatchObject({ figures: { nowMs: NOON + 3_600_000 + MINUTE, day: { used: 3 } } });
  });

  test('tokens that are used meanwhile count', async () => {
    const key = await knownKey({ monthlyTokenLimit: 100 });
    await flood(key, 1);
    outage.spend(key.id, 1000); // written by the recorder, and seen at the next admission
    await goAway();
    expect(saidOf(await flood(key, 1))).toEqual(['admitted']);
    outage.spend(key.id, 100);
    expect(saidOf(await flood(key, 1))).toEqual(['tokens']);
  });

  test('a key that is not known here, or was forgotten, is 503', async () => {
    const [unknown, old] = [await database.addKey(), await knownKey()];
    await goAway();
    await expect(admission.admit(unknown)).rejects.toMatchObject(REFUSED);
    await expect(admission.readKey(unknown)).rejects.toMatchObject(REFUSED);
    expect(saidOf(await flood(old, 1))).toEqual(['admitted']);
    outage.forget(old.id);
    await expect(admission.admit(old)).rejects.toMatchObject(REFUSED);
  });

  test('a key that was last confirmed more than ten minutes before the store went away is 503', async () => {
    const key = await knownKey();
    await goAway();
    /** As if the key had been confirmed so long before. */
    const awaySince = (ms: number) =>
      Object.defineProperty(store, 'awaySinceMs', { configurable: true, get: () => performance.now() + ms });
    awaySince(9.5 * MINUTE);
    await expect(admission.admit(key)).resolves.toMatchObject({ kind: 'admitted' });
    awaySince(10 * MINUTE);
    await expect(admission.admit(key)).rejects.toMatchObject(REFUSED);
  });

  test('with GW_DB_OUTAGE=closed everybody is', async () => {
    open({ GW_DB_OUTAGE: 'closed' });
    const key = await knownKey();
    await flood(key, 1);
    await goAway();
    await expect(admission.admit(key)).rejects.toMatchObject(REFUSED);
    await expect(admission.readKey(key)).rejects.toMatchObject(REFUSED);
    await comeBack();
    expect(saidOf(await flood(key, 1))).toEqual(['admitted']);
    expect(await stored(key)).toEqual([2, 2, 2]);
  });
});

describe('once it is back', () => {
  test('every request that was served is stored once, before the next one is judged', async () => {
    const key = await knownKey({ rpdLimit: 10 });
    const served = admitted(await flood(key, 3));
    await goAway();
    const fromMemory = admitted(await flood(key, 4));
    await comeBack();
    const [verdict] = await flood(key, 1);
    expect(verdict).toMatchObject({ kind: 'admitted', figures: { day: { used: served + fromMemory + 1 } } });
    expect(await stored(key)).toEqual([8, 8, 8]);
    expect(outage.unreconciled).toBe(0);
  });

  test('counts of two processes add up, and may exceed the limit', async () => {
    const key = await knownKey({ rpdLimit: 4 });
    const other = await openStore(database.url);
    await goAway();
    expect(admitted(await flood(key, 9))).toBe(4);
    await other.admit([{ ...key, keyId: key.id, count: 4 }]);
    await comeBack();
    expect(await stored(key)).toEqual([8, 8, 8]);
    expect(saidOf(await flood(key, 1))).toEqual(['day']);
    await other.onApplicationShutdown();
  });

  test('a minute that has gone by is dropped, its requests stay in the day', async () => {
    const key = await knownKey();
    await flood(key, 2);
    await goAway();
    await flood(key, 3);
    await moveTo(NOON + MINUTE);
    await flood(key, 4);
    await comeBack();
    expect(await database.stored(key.id)).toMatchObject({ minute: minuteOf(NOON) + 1 });
    expect(await stored(key)).toEqual([4, 9, 9]);
    await goAway();
    await flood(key, 5);
    await moveTo(NOON + 2 * MINUTE);
    await comeBack();
    await flood(key, 1);
    expect(await stored(key)).toEqual([1, 15, 15]);
  });

  test.each([
    ['was carried out', false],
    ['was not carried out', true],
  ])('a batch that %s and never answered counts as what was served in its place', async (_how, terminated) => {
    const key = await knownKey({ rpdLimit: 6 });
    await flood(key, 3);
    const { release } = await database.holdRow(key.id);
    const lost = flood(key, 4);
    await database.untilStoreWaits();
    proxy.refuse(true);
    if (terminated) await database.terminateStores();
    proxy.cut();
    expect(saidOf(await lost)).toEqual(['admitted', 'admitted', 'admitted', 'day']);
    await release();
    if (!terminated) await until(async () => (await database.stored(key.id)).monthUsed === 6);
    await comeBack();
    expect(await stored(key)).toEqual([6, 6, 6]);
  });

  test('a key whose row somebody holds keeps the process from nothing, and is settled later', async () => {
    const [held, free] = [await knownKey(), await knownKey()];
    await goAway();
    await Promise.all([flood(held, 3), flood(free, 2)]);
    const { release } = await database.holdRow(held.id);
    await comeBack();
    expect(saidOf(await flood(free, 1))).toEqual(['admitted']);
    expect(await stored(free)).toEqual([3, 3, 3]);
    expect([await stored(held), outage.unreconciled]).toEqual([[0, 0, 0], 3]);
    await release();
    await until(() => outage.unreconciled === 0); // though nobody asks
    expect(await stored(held)).toEqual([3, 3, 3]);
  });

  test('thousands of keys are settled', async () => {
    const { rows } = await database.client.query<{ id: string }>(
      `insert into api_keys (name, key_hash, key_hint)
       select 'many', sha256(('many' || i)::bytea), '' from generate_series(1, 5000) i returning id`,
    );
    const one = await database.addKey();
    const counts = (await store.readCounts([one.id])).get(one.id)!;
    await goAway();
    for (const { id } of rows) outage.learn(id, counts);
    await Promise.all(rows.map(({ id }) => admission.admit({ ...one, id })));
    expect(outage.unreconciled).toBe(5000);
    await comeBack();
    expect(outage.unreconciled).toBe(0);
    const { rows: sums } = await database.client.query(
      `select sum(q.day_count)::int as sum, max(q.day_count) as max from key_quota q join api_keys k on k.id = q.key_id
        where k.name = 'many'`,
    );
    expect(sums).toEqual([{ sum: 5000, max: 1 }]);
  });
});
