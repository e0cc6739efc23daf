import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '../../../src/platform/clock.js';
import { Config } from '../../../src/platform/config/config.js';
import { Admission } from '../../../src/quota/admission.service.js';
import { Outage } from '../../../src/quota/outage.service.js';
import type { QuotaStore } from '../../../src/quota/ledger/quota-store.js';
import type { Verdict } from '../../../src/quota/verdict.rules.js';
import type { KeySnapshot } from '../../../src/platform/request-context/key-snapshot.js';
import { CutProxy } from '../../quota/cut-proxy.js';
import { openStore, untilReachable } from '../../support/open-store.js';
import { QuotaDatabase } from '../../support/quota-database.js';
import { until } from '../../support/until.js';

let database: QuotaDatabase;
let proxy: CutProxy;
let store: QuotaStore;
let outage: Outage;
let admission: Admission;

beforeAll(async () => {
  Logger.overrideLogger(false);
  database = await QuotaDatabase.create();
  await database.setNow(Date.UTC(2030, 4, 15, 12, 0, 30));
});
beforeEach(async () => {
  proxy = await CutProxy.before(database.url);
  store = await openStore(proxy.url);
  outage = new Outage(Config.from({}), new Clock(), store);
  admission = new Admission(store, outage);
});
afterEach(async () => {
  await database.client.query('rollback'); // in case a failed test left a transaction open
  await store.onApplicationShutdown();
  proxy.close();
});
afterAll(() => database.drop());

async function knownKey(): Promise<KeySnapshot> {
  const key = await database.addKey();
  outage.learn(key, (await store.readCounts([key.id])).get(key.id)!);
  return key;
}

const kindsOf = async (key: KeySnapshot, count: number): Promise<Verdict['kind'][]> =>
  (await Promise.all(Array.from({ length: count }, () => admission.admit(key)))).map(({ kind }) => kind);
const counted = async ({ id }: KeySnapshot) => (await database.stored(id)).monthUsed;
const UNAVAILABLE = { code: 'service_unavailable' };

describe('admission with a store that hangs', () => {
  test('requests are admitted while the store hangs', async () => {
    const key = await knownKey();
    await kindsOf(key, 1);
    proxy.hang(true);
    const beganAtMs = performance.now();
    const first = kindsOf(key, 2);
    await until(() => performance.now() - beganAtMs > 500);
    const outcomes = [await first, await kindsOf(key, 2)].flat();
    expect(outcomes).toEqual(Array(4).fill('admitted'));
    // The store does not respond, so this request is admitted without it.
    expect(await kindsOf(key, 1)).toEqual(['admitted']);
    proxy.hang(false);
    await untilReachable(store);
    expect(await counted(key)).toBe(6);
  });

  test('the outage and its end are detected without requests', async () => {
    proxy.hang(true);
    await until(() => outage.isActive);
    proxy.hang(false);
    await until(() => !outage.isActive);
  });
});

describe('problems that are not an outage', () => {
  test('a key whose row is locked returns 503, and other keys are counted exactly', async () => {
    const [held, free] = [await knownKey(), await knownKey()];
    const { release } = await database.holdRow(held.id);
    const refused = expect(admission.admit(held)).rejects.toMatchObject(UNAVAILABLE);
    const others: Promise<Verdict['kind'][]>[] = [];
    const beganAtMs = performance.now();
    await until(() => {
      others.push(kindsOf(free, 1));
      return performance.now() - beganAtMs > 800;
    });
    expect(new Set((await Promise.all(others)).flat())).toEqual(new Set(['admitted']));
    await refused;
    await release();
    expect([outage.servedFromMemory, await counted(free)]).toEqual([0, others.length]);
  });

  test('a lock timeout causes 503 without counting, and the connection is kept', async () => {
    const key = await knownKey();
    await database.client.query('begin');
    await database.client.query('lock table usage_monthly in access exclusive mode');
    await expect(admission.admit(key)).rejects.toMatchObject(UNAVAILABLE);
    expect(outage.isActive).toBe(false);
    await database.client.query('commit');
    expect(await kindsOf(key, 1)).toEqual(['admitted']);
    expect([outage.servedFromMemory, await counted(key)]).toEqual([0, 1]);
  });

  test('requests wait for a lost connection to be replaced, and the store then admits or rejects them', async () => {
    const key = await knownKey();
    await database.terminateStores();
    const changed = await database.changeKey(key);
    expect(await kindsOf(key, 1)).toEqual(['stale']);
    expect(await kindsOf(changed, 1)).toEqual(['admitted']);
    expect(outage.servedFromMemory).toBe(0);
  });

  test('a long stall of the process does not count as an outage', async () => {
    const key = await knownKey();
    const kinds = kindsOf(key, 5);
    await new Promise(setImmediate);
    const endsAtMs = performance.now() + 1800;
    while (performance.now() < endsAtMs);
    expect(await kinds).toEqual(Array(5).fill('admitted'));
    expect([outage.servedFromMemory, outage.isActive, await counted(key)]).toEqual([0, false, 5]);
  });
});
