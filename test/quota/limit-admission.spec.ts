import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { Admission } from '../../src/quota/admission.service.js';
import type { LimitClaims, OverLimit, ReservedClaim } from '../../src/quota/limit-claims.js';
import type { QuotaStore } from '../../src/quota/stores/quota-store.js';
import type { Verdict } from '../../src/quota/verdict.rules.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';
import { addLimit, claimsOf, figuresOf, type LimitRow } from '../support/limit-rows.js';
import { admissionOf, openStore } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { until } from '../support/until.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);

let database: QuotaDatabase;
let stores: QuotaStore[];
let admissions: Admission[];
let key: KeySnapshot;

beforeAll(async () => {
  database = await QuotaDatabase.create();
  stores = [await openStore(database.url), await openStore(database.url)];
  admissions = stores.map((store) => admissionOf(store));
});
beforeEach(async () => {
  await database.setNow(NOON);
  key = await database.addKey();
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.onApplicationShutdown()));
  await database.drop();
});

const add = (limit: Partial<LimitRow> = {}): Promise<number> => addLimit(database.client, limit);
const claim = (...items: readonly (readonly [number, number])[]): Promise<LimitClaims> =>
  claimsOf(database.client, ...items);
const figures = (limitId: number) => figuresOf(database.client, limitId);
const admit = (claims: LimitClaims, at = 0): Promise<Verdict> => admissions[at]!.admit(key, claims);

function reservedIn(verdict: Verdict): readonly ReservedClaim[] {
  if (verdict.kind !== 'admitted') throw new Error(`The request got the verdict ${verdict.kind}`);
  return verdict.reserved!;
}

function overIn(verdict: Verdict): OverLimit {
  if (verdict.kind !== 'over-limit') throw new Error(`The request got the verdict ${verdict.kind}`);
  return verdict.over;
}

async function use(limitId: number, asked: number, spent: number, at = 0): Promise<void> {
  const reserved = reservedIn(await admit(await claim([limitId, asked]), at));
  admissions[at]!.settle(reserved, [spent]);
  const { used } = await figures(limitId);
  await until(async () => (await figures(limitId)).used === used + spent);
}

describe('a request under limits', () => {
  test('reserves what it asks, and settles what it used', async () => {
    const limit = await add();
    const reserved = reservedIn(await admit(await claim([limit, 300])));
    expect(await figures(limit)).toMatchObject({ used: 0, held: 300 });
    admissions[0]!.settle(reserved, [120]);
    await until(async () => (await figures(limit)).used === 120);
    expect(await figures(limit)).toMatchObject({ used: 120, held: 0 });
  });

  test('is counted nowhere if one of its limits refuses it', async () => {
    const [wide, tight] = [await add(), await add({ amount: 99 })];
    const verdict = await admit(await claim([wide, 100], [tight, 100]));
    expect(overIn(verdict)).toEqual({
      ...{ limitId: tight, asked: 100, amount: 99, used: 0, held: 0 },
      untilMs: Date.UTC(2030, 4, 16),
    });
    expect(await figures(wide)).toMatchObject({ used: 0, held: 0 });
    expect((await database.stored(key.id)).monthUsed).toBe(0);
  });

  test('is counted under no limit if its key refuses it', async () => {
    const limit = await add();
    const full = await database.addKey({ rpmLimit: 1 });
    const claims = await claim([limit, 10]);
    expect((await admissions[0]!.admit(full, claims)).kind).toBe('admitted');
    expect(await admissions[0]!.admit(full, claims)).toMatchObject({ kind: 'refused', limit: 'minute' });
    expect((await figures(limit)).held).toBe(10);
  });

  test('counts at once under a limit of requests, and needs no settlement', async () => {
    const limit = await add({ measure: 'requests', amount: 2 });
    const claims = await claim([limit, 1]);
    const verdicts = await Promise.all([admit(claims), admit(claims), admit(claims)]);
    expect(verdicts.map(({ kind }) => kind)).toEqual(['admitted', 'admitted', 'over-limit']);
    expect(await figures(limit)).toMatchObject({ used: 2, held: 0 });
  });

  test('frees its place under a limit of concurrent requests when it ends', async () => {
    const limit = await add({ measure: 'concurrent_requests', period: 'total', amount: 1 });
    const claims = await claim([limit, 1]);
    const reserved = reservedIn(await admit(claims));
    expect(overIn(await admit(claims))).toMatchObject({ used: 0, held: 1, untilMs: null });
    admissions[0]!.settle(reserved, [0]);
    await until(async () => (await figures(limit)).held === 0);
    expect((await admit(claims)).kind).toBe('admitted');
  });

  test('is admitted in the order of arrival, and a large one does not hold up smaller ones', async () => {
    const limit = await add({ amount: 100 });
    const sizes = [60, 50, 40, 1];
    const all = await Promise.all(sizes.map((size) => claim([limit, size])));
    const verdicts = await Promise.all(all.map((claims) => admit(claims)));
    expect(verdicts.map(({ kind }) => kind)).toEqual(['admitted', 'over-limit', 'admitted', 'over-limit']);
    expect((await figures(limit)).held).toBe(100);
  });

  test('is decided together with the requests of keys that have no limits', async () => {
    const limit = await add({ amount: 5 });
    const other = await database.addKey({ rpdLimit: 3 });
    const [claims, none] = [await claim([limit, 5]), await claim()];
    const verdicts = await Promise.all([
      ...[admissions[0]!.admit(other, none), admit(claims), admissions[0]!.admit(other, none)],
      ...[admit(claims), admissions[0]!.admit(other, none), admissions[0]!.admit(other, none), admit(none)],
    ]);
    expect(verdicts.map(({ kind }) => kind)).toEqual([
      ...['admitted', 'admitted', 'admitted', 'over-limit', 'admitted', 'refused', 'admitted'],
    ]);
    expect((await database.stored(key.id)).dayUsed).toBe(2);
    expect((await database.stored(other.id)).dayUsed).toBe(3);
  });

  test('passes a limit that only observes, and is counted', async () => {
    const limit = await add({ amount: 10, mode: 'observe' });
    const reserved = reservedIn(await admit(await claim([limit, 500])));
    admissions[0]!.settle(reserved, [400]);
    await until(async () => (await figures(limit)).used === 400);
    expect((await admit(await claim([limit, 500]))).kind).toBe('admitted');
  });

  test.each([
    ['has not begun', { starts_at: new Date(NOON + 60_000) }],
    ['has ended', { ends_at: new Date(NOON) }],
  ])('is not counted under a limit that %s', async (_name, times) => {
    const limit = await add({ amount: 1, ...times });
    const reserved = reservedIn(await admit(await claim([limit, 500])));
    expect(reserved).toMatchObject([{ limitId: limit, period: null }]);
    admissions[0]!.settle(reserved, [400]);
    expect(await figures(limit)).toMatchObject({ used: 0, held: 0 });
  });

  test('counts from the start of a limit that begins in the middle of a period', async () => {
    const limit = await add({ starts_at: new Date(NOON + 60_000) });
    await database.setNow(NOON + 60_000);
    await use(limit, 10, 10);
    expect(await figures(limit)).toMatchObject({ used: 10, held: 0 });
  });
});

describe('the set of limits', () => {
  test('a request with claims of an older set is stale, and counts nowhere', async () => {
    const old = await claim();
    const limit = await add();
    for (const admission of admissions) expect(await admission.admit(key, old)).toEqual({ kind: 'stale-limits' });
    expect((await database.stored(key.id)).monthUsed).toBe(0);
    const claims = await claim([limit, 1]);
    await database.client.query('update limits set deleted_at = now() where id = $1', [limit]);
    for (const admission of admissions) expect(await admission.admit(key, claims)).toEqual({ kind: 'stale-limits' });
    expect((await database.stored(key.id)).monthUsed).toBe(0);
  });

  test('a changed amount applies to the next request of every process, with the same claims', async () => {
    const limit = await add({ amount: 100 });
    const claims = await claim([limit, 60]);
    expect((await admit(claims, 0)).kind).toBe('admitted');
    expect((await admit(claims, 1)).kind).toBe('over-limit');
    await database.client.query('update limits set amount = 120 where id = $1', [limit]);
    expect((await admit(claims, 1)).kind).toBe('admitted');
    await database.client.query('update limits set amount = 119 where id = $1', [limit]);
    expect((await admit(await claim([limit, 1]), 0)).kind).toBe('over-limit');
  });

  test('a deleted limit leaves nothing reserved, and a settlement changes nothing', async () => {
    const limit = await add();
    const reserved = reservedIn(await admit(await claim([limit, 300])));
    await database.client.query('update limits set deleted_at = now() where id = $1', [limit]);
    admissions[0]!.settle(reserved, [100]);
    const other = await add();
    await use(other, 1, 1);
    expect((await database.client.query('select from limit_holds where limit_id = $1', [limit])).rowCount).toBe(0);
  });

  test.each([['scope'], ['measure'], ['period'], ['zone']])('the %s of a limit cannot change', async (column) => {
    const limit = await add({ measure: 'tokens', period: 'day', scope: 'tag', scope_tag: 'a' });
    const value = { scope: 'account', measure: 'cost', period: 'week', zone: 'Europe/Paris' }[column];
    const more = column === 'scope' ? ', scope_tag = null' : '';
    await expect(
      database.client.query(`update limits set ${column} = $2${more} where id = $1`, [limit, value]),
    ).rejects.toThrow('cannot change');
  });
});

describe('rows of limits that another session locks', () => {
  async function lock(limitId: number): Promise<Client> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('begin');
    await client.query('select from limit_counters where limit_id = $1 for update', [limitId]);
    return client;
  }

  test('delay neither the requests nor the settlements of other limits', async () => {
    const [locked, free] = [await add(), await add()];
    const [first, second] = [await claim([locked, 10]), await claim([free, 10])];
    const reserved = [reservedIn(await admit(first)), reservedIn(await admit(second))];
    const holder = await lock(locked);
    const other = await database.addKey();
    admissions[0]!.settle([...reserved[0]!, ...reserved[1]!], [7, 8]);
    await until(async () => (await figures(free)).used === 8, 3000);
    const refused = admit(first).catch((error: { code: string }) => error.code);
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => admissions[0]!.admit(other, second)));
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['admitted']));
    expect(await refused).toBe('service_unavailable');
    const startedAtMs = performance.now();
    for (let i = 0; i < 5; i++) expect((await admissions[0]!.admit(other, second)).kind).toBe('admitted');
    expect(performance.now() - startedAtMs).toBeLessThan(2000);
    await holder.query('commit');
    await holder.end();
    await until(async () => (await figures(locked)).used === 7, 5000);
    expect(await figures(locked)).toMatchObject({ used: 7, held: 0 });
  });
});
