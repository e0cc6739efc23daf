import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { addLimit, claimsOf, figuresOf, wrongHolds, type LimitRow } from '../support/limit-rows.js';
import { overIn, reservedIn } from '../support/limited-admission.js';
import { openStore } from '../support/open-store.js';
import { until } from '../support/until.js';
import { OutageBench } from './outage-bench.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let bench: OutageBench;
let key: KeySnapshot;
/** The version of the set of limits, as the process sees it. */
let version = 0;

beforeAll(async () => {
  bench = await OutageBench.open();
});
beforeEach(async () => {
  await bench.begin(NOON);
  key = await bench.knownKey();
});
afterEach(() => bench.end());
afterAll(() => bench.close());

/** Adds a limit that applies to the key, and reads its figures as a process does every second. */
async function known(fields: Partial<LimitRow>): Promise<number> {
  const limit = await addLimit(bench.database.client, { measure: 'requests', ...fields });
  await refresh(limit);
  return limit;
}

async function refresh(...limits: number[]): Promise<void> {
  version += 1;
  bench.outage.refresh.setLimitsOfKeys({ version, allOf: () => limits.map((id) => ({ id })) });
  await bench.outage.refresh.run(0);
}

const admit = async (limit: number, asked = 1) =>
  bench.admission.admit(key, await claimsOf(bench.database.client, [limit, asked]));

/** The number of requests that are admitted until the limit is reached. */
async function admittedUnder(limit: number): Promise<number> {
  for (let count = 0; ; count++) if ((await admit(limit)).kind !== 'admitted') return count;
}

describe('a period that ends during an outage', () => {
  test.each([
    ['minute', 'UTC', Date.UTC(2030, 4, 15, 12, 1)],
    ['hour', 'UTC', Date.UTC(2030, 4, 15, 13)],
    ['day', 'America/New_York', Date.UTC(2030, 4, 16, 4)],
    ['week', 'UTC', Date.UTC(2030, 4, 20)],
    ['month', 'Europe/Berlin', Date.UTC(2030, 4, 31, 22)],
  ])('begins again with nothing used, for a limit per %s in %s', async (period, zone, endMs) => {
    const limit = await known({ period, zone, amount: 3 });
    await admit(limit);
    await bench.disconnect();
    expect(await admittedUnder(limit)).toBe(2);
    bench.clock.ms = endMs - 1;
    expect(overIn(await admit(limit))).toMatchObject({ used: 3, untilMs: endMs });
    bench.clock.ms = endMs;
    expect(await admittedUnder(limit)).toBe(3);
    // The first three requests belong to the period that has ended.
    await bench.moveTo(endMs + 1000);
    await bench.reconnect();
    await until(async () => (await figuresOf(bench.database.client, limit)).used === 3);
    expect(overIn(await admit(limit))).toMatchObject({ used: 3 });
  });

  test('begins again as often as minutes and days end, and the usage after the outage is that of the last one', async () => {
    const [minute, day] = [await known({ period: 'minute', amount: 2 }), await known({ period: 'day', amount: 2 })];
    await refresh(minute, day);
    await bench.disconnect();
    for (let minutes = 0; minutes < 200; minutes += 40) {
      bench.clock.ms = NOON + minutes * 60_000;
      expect(await admittedUnder(minute)).toBe(2);
    }
    for (let days = 0; days < 3; days++) {
      bench.clock.ms = NOON + days * DAY_MS;
      expect(await admittedUnder(day)).toBe(2);
    }
    await bench.moveTo(NOON + 2 * DAY_MS + 60_000);
    await bench.reconnect();
    await until(async () => (await figuresOf(bench.database.client, day)).used === 2);
    await until(async () => (await figuresOf(bench.database.client, minute)).used === 0);
  });

  test('settles a request of the earlier period nowhere, and one of the new period in it', async () => {
    const limit = await known({ measure: 'tokens', period: 'day', amount: 100 });
    await bench.disconnect();
    const earlier = reservedIn(await admit(limit, 60));
    bench.clock.ms = NOON + DAY_MS;
    const later = reservedIn(await admit(limit, 80));
    bench.admission.settle(earlier, [60]);
    expect(overIn(await admit(limit, 30))).toMatchObject({ used: 0, held: 80 });
    bench.admission.settle(later, [50]);
    expect(overIn(await admit(limit, 60))).toMatchObject({ used: 50, held: 0 });
    await bench.moveTo(NOON + DAY_MS + 1000);
    await bench.reconnect();
    await until(async () => (await figuresOf(bench.database.client, limit)).used === 50);
    expect(await wrongHolds(bench.database.client)).toEqual([]);
  });

  test('has the amount with the top-ups that are active then, and without carry-over', async () => {
    const limit = await known({ period: 'day', amount: 2, carry_over: 10 });
    for (const [amount, untilMs] of [
      [3, NOON + 2 * HOUR_MS],
      [4, NOON + 3 * DAY_MS],
    ] as const)
      await bench.database.client.query(
        `insert into limit_grants (limit_id, amount, starts_at, expires_at, created_by) values ($1, $2, $3, $4, 'a test')`,
        [limit, amount, new Date(NOON), new Date(untilMs)],
      );
    await refresh(limit);
    await bench.disconnect();
    for (let i = 0; i < 4; i++) await admit(limit);
    bench.clock.ms = NOON + 2 * HOUR_MS;
    expect(await admittedUnder(limit)).toBe(2);
    bench.clock.ms = NOON + DAY_MS;
    expect(await admittedUnder(limit)).toBe(6);
  });

  test('begins when the limit starts, and counts nothing after the limit has ended', async () => {
    const [starts_at, ends_at] = [new Date(NOON + HOUR_MS), new Date(NOON + 2 * HOUR_MS)];
    const limit = await known({ period: 'day', amount: 2, starts_at, ends_at });
    await bench.disconnect();
    for (let i = 0; i < 5; i++) expect((await admit(limit)).kind).toBe('admitted');
    bench.clock.ms = NOON + HOUR_MS;
    expect(await admittedUnder(limit)).toBe(2);
    expect(overIn(await admit(limit)).untilMs).toBe(ends_at.getTime());
    bench.clock.ms = ends_at.getTime();
    expect((await admit(limit)).kind).toBe('admitted');
  });

  test.each(['rolling_5h', 'total'])('keeps the usage of a limit with the period %s', async (period) => {
    const limit = await known({ period, amount: 3 });
    await admit(limit);
    await bench.disconnect();
    bench.clock.ms = NOON + 20 * DAY_MS;
    expect(await admittedUnder(limit)).toBe(2);
    expect(overIn(await admit(limit)).untilMs).toBe(period === 'total' ? null : 'unknown');
  });
});

describe('the figures of limits before an outage', () => {
  test('are read again, so that an idle process admits only what other processes have left', async () => {
    const other = await openStore(bench.database.url);
    const limit = await known({ period: 'total', amount: 100 });
    await admit(limit);
    const claims = await claimsOf(bench.database.client, [limit, 98]);
    const request = { order: 0, items: claims.items };
    await other.admit([{ ...key, keyId: key.id, count: 1, requests: [request] }], undefined, claims.setVersion);
    await bench.outage.refresh.run(0);
    await bench.disconnect();
    expect(await admittedUnder(limit)).toBe(1);
    await other.onApplicationShutdown();
  });

  test('include a limit under which the process has not served a request', async () => {
    const limit = await known({ period: 'day', amount: 2 });
    await bench.disconnect();
    expect(await admittedUnder(limit)).toBe(2);
  });

  test('do not keep a place of a request that has just ended', async () => {
    const limit = await known({ measure: 'concurrent_requests', period: 'total', amount: 1 });
    const reserved = reservedIn(await admit(limit));
    const { release } = await bench.database.holdWriters();
    bench.admission.settle(reserved, [0]);
    await bench.outage.refresh.run(0);
    await bench.disconnect();
    expect((await admit(limit)).kind).toBe('admitted');
    await release();
  });

  test('are not used if they were older than 10 s at the start of the outage', async () => {
    const limit = await known({ period: 'day', amount: 2 });
    const other = await known({ period: 'day', amount: 2 });
    await bench.disconnect();
    bench.outageBeginsIn(9000);
    expect((await admit(limit)).kind).toBe('admitted');
    bench.outageBeginsIn(10_000);
    await expect(admit(other)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
