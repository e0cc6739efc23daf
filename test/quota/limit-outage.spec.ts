import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '../../src/platform/clock.js';
import { Config } from '../../src/platform/config/config.js';
import { Admission } from '../../src/quota/admission.service.js';
import type { LimitClaims } from '../../src/quota/limit-claims.js';
import { limitRejection } from '../../src/quota/limits/limit-rejection.rules.js';
import { Outage } from '../../src/quota/outage.service.js';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import type { Verdict } from '../../src/quota/verdict.rules.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { activeLimit } from '../support/active-limits.js';
import { addLimit, claimsOf, figuresOf, wrongHolds } from '../support/limit-rows.js';
import { rejectionIn, reservedIn } from '../support/limited-admission.js';
import { openStore, untilReachable } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { until } from '../support/until.js';
import { CutProxy } from './cut-proxy.js';

let database: QuotaDatabase;
let proxy: CutProxy;
let store: QuotaStore;
let outage: Outage;
let admission: Admission;
let key: KeySnapshot;

beforeAll(async () => {
  Logger.overrideLogger(false);
  database = await QuotaDatabase.create();
});
beforeEach(async () => {
  proxy = await CutProxy.before(database.url);
  store = await openStore(proxy.url);
  outage = new Outage(Config.from({}), new Clock(), store);
  admission = new Admission(store, outage);
  key = await database.addKey();
  outage.learn(key, (await store.readCounts([key.id])).get(key.id)!);
});
afterEach(async () => {
  await store.onApplicationShutdown();
  proxy.close();
});
afterAll(() => database.drop());

const claim = (...items: readonly (readonly [limitId: number, asked: number, overdraft?: number])[]) =>
  claimsOf(database.client, ...items);
const admit = (claims: LimitClaims): Promise<Verdict> => admission.admit(key, claims);

async function use(claims: LimitClaims, spent: number): Promise<void> {
  admission.settle(reservedIn(await admit(claims)), [spent]);
}

async function disconnect(): Promise<void> {
  proxy.refuse(true);
  proxy.cut();
  await until(() => outage.isActive);
}

async function reconnect(): Promise<void> {
  proxy.refuse(false);
  await untilReachable(store);
}

describe('limits while the database is unavailable', () => {
  test('requests stay within the last known remainder, and are counted afterwards', async () => {
    const limit = await addLimit(database.client, { period: 'total', amount: 100 });
    const claims = await claim([limit, 30]);
    await use(claims, 20);
    await until(async () => (await figuresOf(database.client, limit)).used === 20);
    await use(claims, 20);
    await disconnect();
    const verdicts = [await admit(claims), await admit(claims), await admit(claims)];
    expect(verdicts.map(({ kind }) => kind)).toEqual(['admitted', 'admitted', 'over-limit']);
    admission.settle(reservedIn(verdicts[0]!), [10]);
    expect((await admit(claims)).kind).toBe('over-limit');
    await reconnect();
    admission.settle(reservedIn(verdicts[1]!), [25]);
    await until(async () => (await figuresOf(database.client, limit)).used === 75);
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 75, held: 0 });
    expect(await wrongHolds(database.client)).toEqual([]);
    expect((await database.stored(key.id)).monthUsed).toBe(4);
  });

  test('requests are compared with an amount above 2^53 to the nano-dollar', async () => {
    const most = 10n ** 18n;
    const limit = await addLimit(database.client, { measure: 'cost', period: 'total', amount: most });
    await database.client.query('update limit_counters set used = $2 where limit_id = $1', [limit, most - 3n]);
    admission.settle(reservedIn(await admit(await claim([limit, 1]))), [1]);
    const [two, three] = [await claim([limit, 2]), await claim([limit, 3])];
    await disconnect();
    expect(rejectionIn(await admit(three))).toMatchObject({ amount: most, used: most - 2n, held: 0n });
    expect((await admit(two)).kind).toBe('admitted');
    expect(rejectionIn(await admit(two))).toMatchObject({ used: most - 2n, held: 2n });
    await reconnect();
  });

  test('requests that run at the same time cannot use more than twice the amount', async () => {
    const limit = await addLimit(database.client, { period: 'total', amount: 100 });
    const claims = await claim([limit, 5, 35]);
    const verdicts = [await admit(claims), await admit(claims)];
    await disconnect();
    for (let i = 0; i < 4; i++) verdicts.push(await admit(claims));
    expect(verdicts.filter(({ kind }) => kind === 'admitted')).toHaveLength(5);
    expect(rejectionIn(verdicts[5]!)).toMatchObject({ held: 25n, possible: 240n });
    for (const verdict of verdicts.slice(0, 5)) admission.settle(reservedIn(verdict), [40]);
    expect(rejectionIn(await admit(claims))).toMatchObject({ used: 200n, held: 0n });
    await reconnect();
    await until(async () => (await figuresOf(database.client, limit)).used === 200);
    expect(await wrongHolds(database.client)).toEqual([]);
  });

  test('requests count under limits of requests, which need no settlement', async () => {
    const limit = await addLimit(database.client, { period: 'total', measure: 'requests', amount: 3 });
    const claims = await claim([limit, 1]);
    await admit(claims);
    await disconnect();
    const verdicts = [await admit(claims), await admit(claims), await admit(claims)];
    expect(verdicts.map(({ kind }) => kind)).toEqual(['admitted', 'admitted', 'over-limit']);
    await reconnect();
    await until(async () => (await figuresOf(database.client, limit)).used === 3);
  });

  test('a rejection under a limit per minute asks for a retry soon, and under a total it does not', async () => {
    const rejections = [];
    for (const period of ['minute', 'total'] as const) {
      const limit = await addLimit(database.client, { period, measure: 'requests', amount: 1 });
      const claims = await claim([limit, 1]);
      await admit(claims);
      await disconnect();
      const over = rejectionIn(await admit(claims));
      rejections.push(limitRejection(activeLimit({ id: limit, period, measure: 'requests' }), over, Date.now()));
      await reconnect();
    }
    expect(rejections[0]!.headers).toEqual({ 'retry-after': expect.stringMatching(/^[1-5]$/) });
    expect(rejections[0]!.message).toContain('because its database is unavailable. Try again later.');
    expect(rejections[1]!.headers).toEqual({ 'x-should-retry': 'false' });
    expect(rejections[1]!.message).toContain('The limit does not reset.');
  });

  test('a request under a limit that this process has never seen returns 503, and counts nowhere', async () => {
    const claims = await claim([await addLimit(database.client), 1]);
    await disconnect();
    await expect(admit(claims)).rejects.toMatchObject({ code: 'service_unavailable' });
    await reconnect();
    expect((await database.stored(key.id)).monthUsed).toBe(0);
  });

  test('a request that was reserved before the outage is settled after it', async () => {
    const limit = await addLimit(database.client, { period: 'total', amount: 100 });
    const reserved = reservedIn(await admit(await claim([limit, 30])));
    await disconnect();
    admission.settle(reserved, [12]);
    await reconnect();
    await until(async () => (await figuresOf(database.client, limit)).used === 12);
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 12, held: 0 });
  });

  test('a period that ended during the outage does not count what ran before its end', async () => {
    const limit = await addLimit(database.client, { period: 'minute', amount: 100 });
    const claims = await claim([limit, 30]);
    await use(claims, 30);
    await disconnect();
    const reserved = reservedIn(await admit(claims));
    await database.setNow(Date.now() + 120_000);
    admission.settle(reserved, [30]);
    await reconnect();
    const other = await claim([limit, 1]);
    await until(async () => (await admit(other).catch(() => null))?.kind === 'admitted');
    expect((await figuresOf(database.client, limit)).used).toBe(0);
    await database.setNow(null);
  });
});

describe('a call whose connection is lost while locked rows are probed', () => {
  test('admits the requests that it has counted', async () => {
    const [free, locked] = [key, await database.addKey()];
    const lock = await database.holdRow(locked.id);
    const none = await claim();
    await expect(admission.admit(locked, none)).rejects.toMatchObject({ code: 'service_unavailable' });
    const verdicts = [admission.admit(free, none), admission.admit(locked, none).catch(() => null)];
    await until(async () => (await database.stored(free.id)).monthUsed === 1);
    proxy.refuse(true);
    proxy.cut();
    expect((await verdicts[0]!)?.kind).toBe('admitted');
    await verdicts[1];
    await lock.release();
    await reconnect();
    expect((await database.stored(free.id)).monthUsed).toBe(1);
  });
});
