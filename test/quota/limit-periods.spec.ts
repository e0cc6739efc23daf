import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Admission } from '../../src/quota/admission.service.js';
import type { LimitClaims, OverLimit, ReservedClaim } from '../../src/quota/limit-claims.js';
import type { QuotaStore } from '../../src/quota/stores/quota-store.js';
import type { Verdict } from '../../src/quota/verdict.rules.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';
import { addLimit, claimsOf, figuresOf, wrongHolds, type LimitRow } from '../support/limit-rows.js';
import { admissionOf, openStore } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;
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

describe('periods', () => {
  test.each([
    ['minute', 'UTC', Date.UTC(2030, 4, 15, 12, 1)],
    ['hour', 'UTC', Date.UTC(2030, 4, 15, 13)],
    ['day', 'UTC', Date.UTC(2030, 4, 16)],
    ['day', 'Asia/Kolkata', Date.UTC(2030, 4, 15, 18, 30)],
    ['week', 'UTC', Date.UTC(2030, 4, 20)],
    ['month', 'UTC', Date.UTC(2030, 5, 1)],
    ['month', 'America/New_York', Date.UTC(2030, 5, 1, 4)],
  ])('a limit per %s in %s begins again when the period ends, and not before', async (period, zone, endMs) => {
    const limit = await add({ period, zone, amount: 100 });
    await use(limit, 100, 100);
    await database.setNow(endMs - 1);
    expect(overIn(await admit(await claim([limit, 1])))).toMatchObject({ used: 100, untilMs: endMs });
    await database.setNow(endMs);
    expect((await admit(await claim([limit, 100]))).kind).toBe('admitted');
    expect(await figures(limit)).toMatchObject({ used: 0, held: 100, period: endMs * 1000 });
  });

  test('a day with a change to summer time ends an hour earlier', async () => {
    await database.setNow(Date.UTC(2030, 2, 31, 0, 30));
    const limit = await add({ period: 'day', zone: 'Europe/Paris', amount: 1 });
    expect(overIn(await admit(await claim([limit, 2]))).untilMs).toBe(Date.UTC(2030, 2, 31, 22));
  });

  test('a total limit never begins again', async () => {
    const limit = await add({ period: 'total', amount: 100 });
    await use(limit, 100, 100);
    await database.setNow(NOON + 4000 * DAY_MS);
    expect(overIn(await admit(await claim([limit, 1])))).toMatchObject({ used: 100, untilMs: null });
  });

  test('a reservation of a period that has ended is not settled in the next one', async () => {
    const limit = await add({ amount: 100 });
    const reserved = reservedIn(await admit(await claim([limit, 100])));
    await database.setNow(NOON + DAY_MS);
    await use(limit, 30, 30);
    admissions[0]!.settle(reserved, [90]);
    await use(limit, 1, 1, 1);
    await until(async () => (await wrongHolds(database.client)).length === 0);
    expect(await figures(limit)).toMatchObject({ used: 31, held: 0 });
  });

  test('a clock that is set back into the previous period keeps the newer one', async () => {
    await database.setNow(Date.UTC(2030, 4, 16, 0, 0, 1));
    const limit = await add({ amount: 100 });
    await use(limit, 60, 60);
    await database.setNow(Date.UTC(2030, 4, 15, 23, 59, 59));
    expect(overIn(await admit(await claim([limit, 50])))).toMatchObject({ used: 60 });
    await database.setNow(Date.UTC(2030, 4, 16, 0, 0, 2));
    expect(overIn(await admit(await claim([limit, 50])))).toMatchObject({ used: 60 });
  });

  test('a rolling period frees usage in steps, when its part of the period has ended', async () => {
    const limit = await add({ period: 'rolling_5h', amount: 100 });
    await use(limit, 60, 60);
    await database.setNow(NOON + 3 * 3_600_000);
    await use(limit, 40, 40);
    expect(overIn(await admit(await claim([limit, 10])))).toMatchObject({
      used: 100,
      untilMs: Date.UTC(2030, 4, 15, 17),
    });
    await database.setNow(Date.UTC(2030, 4, 15, 17, 4, 59));
    const blocked = await admit(await claim([limit, 10]));
    await database.setNow(Date.UTC(2030, 4, 15, 17, 5));
    const open = await admit(await claim([limit, 10]));
    expect([blocked.kind, open.kind]).toEqual(['admitted', 'admitted']);
    expect(await figures(limit)).toMatchObject({ used: 40, held: 20 });
    await database.setNow(NOON + 30 * 3_600_000);
    expect((await admit(await claim([limit, 80]))).kind).toBe('admitted');
    expect((await figures(limit)).used).toBe(0);
  });

  test('unused amounts are carried over, up to the maximum', async () => {
    const limit = await add({ amount: 100, carry_over: 150 });
    await use(limit, 30, 30);
    await database.setNow(NOON + DAY_MS);
    await use(limit, 1, 1);
    expect(await figures(limit)).toMatchObject({ carried: 70, amount: 170, used: 1 });
    await database.setNow(NOON + 5 * DAY_MS);
    await use(limit, 1, 1);
    expect(await figures(limit)).toMatchObject({ carried: 150, amount: 250, used: 1 });
  });

  test('a top-up raises the amount until it expires', async () => {
    const limit = await add({ period: 'month', amount: 100 });
    await database.client.query(
      `insert into limit_grants (limit_id, amount, starts_at, expires_at, created_by) values ($1, 50, $2, $3, 'a test')`,
      [limit, new Date(NOON), new Date(NOON + DAY_MS)],
    );
    await use(limit, 140, 140);
    await database.setNow(NOON + DAY_MS - 1);
    expect(overIn(await admit(await claim([limit, 11])))).toMatchObject({ amount: 150 });
    await database.setNow(NOON + DAY_MS);
    expect(overIn(await admit(await claim([limit, 1])))).toMatchObject({ amount: 100, used: 140 });
  });
});

describe('thresholds', () => {
  const alerts = async (limitId: number) => {
    const { rows } = await database.client.query<{ threshold: number }>(
      'select threshold from limit_alerts where limit_id = $1 order by period, threshold',
      [limitId],
    );
    const events = await database.client.query<{ threshold: number }>(
      `select (data ->> 'threshold')::int as threshold from events where (data ->> 'limit_id')::bigint = $1 order by created_at, threshold`,
      [limitId],
    );
    expect(events.rows.map(({ threshold }) => threshold)).toEqual(rows.map(({ threshold }) => threshold));
    return rows.map(({ threshold }) => threshold);
  };

  test('each one fires once per period, in the transaction of the settlement', async () => {
    const limit = await add({ amount: 100, thresholds: [50, 80, 100] });
    await use(limit, 49, 49);
    expect(await alerts(limit)).toEqual([]);
    await use(limit, 1, 1);
    expect(await alerts(limit)).toEqual([50]);
    await use(limit, 50, 50);
    expect(await alerts(limit)).toEqual([50, 80, 100]);
    await database.client.query('update limits set amount = 200 where id = $1', [limit]);
    await use(limit, 100, 100);
    expect(await alerts(limit)).toEqual([50, 80, 100]);
    await database.setNow(NOON + DAY_MS);
    await use(limit, 120, 120);
    expect(await alerts(limit)).toEqual([50, 80, 100, 50]);
  });

  test('they fire at admission under a limit of requests', async () => {
    const limit = await add({ measure: 'requests', amount: 2, thresholds: [50, 100] });
    await admit(await claim([limit, 1]));
    expect(await alerts(limit)).toEqual([50]);
    await admit(await claim([limit, 1]));
    expect(await alerts(limit)).toEqual([50, 100]);
  });
});
