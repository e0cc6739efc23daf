import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Admission } from '../../src/quota/admission.service.js';
import { QuotaReset } from '../../src/quota/quota-reset.js';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import type { Verdict } from '../../src/quota/verdict.rules.js';
import { monthOf } from '../../src/quota/utc-windows.rules.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { admissionOf, openStore } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { until } from '../support/until.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const N = 120;

const resets = new QuotaReset();
let database: QuotaDatabase;
let stores: QuotaStore[];
let admissions: Admission[];

beforeAll(async () => {
  database = await QuotaDatabase.create();
  stores = [await openStore(database.url), await openStore(database.url)];
  admissions = stores.map((store) => admissionOf(store));
});
beforeEach(() => database.setNow(NOON));
afterAll(async () => {
  await Promise.all(stores.map((store) => store.onApplicationShutdown()));
  await database.drop();
});

const count = (verdicts: readonly Verdict[], kind: Verdict['kind']) =>
  verdicts.filter((verdict) => verdict.kind === kind).length;

const flood = async (key: KeySnapshot, each: number): Promise<Verdict[]> =>
  Promise.all(admissions.flatMap((admission) => Array.from({ length: each }, () => admission.admit(key))));

describe('QuotaReset', () => {
  test.each([
    ['minute', { rpmLimit: N }],
    ['day', { rpdLimit: N }],
    ['month', { monthlyLimit: N }],
  ] as const)(
    'after a reset of the %s all processes together admit exactly the limit again',
    async (window, limits) => {
      const key = await database.addKey(limits);
      expect(count(await flood(key, N), 'admitted')).toBe(N);
      const fresh = await database.resetKey(key, window);
      expect(count(await flood(fresh, N), 'admitted')).toBe(N);
      expect(count(await flood(fresh, 5), 'admitted')).toBe(0);
    },
  );

  test('requests with the version before the reset are stale, neither admitted nor rejected', async () => {
    const key = await database.addKey({ rpmLimit: 1 });
    await flood(key, 2);
    await database.resetKey(key, 'all');
    expect(await flood(key, 2)).toEqual(new Array(4).fill({ kind: 'stale' }));
    expect((await database.stored(key.id)).minuteUsed).toBe(0);
  });

  test('a reset does not restore tokens', async () => {
    const key = await database.addKey({ monthlyTokenLimit: 10 });
    await database.recordTokens(key.id, monthOf(NOON), 10);
    const fresh = await database.resetKey(key, 'all');
    expect(await admissions[0]!.admit(fresh)).toMatchObject({ kind: 'rejected', limit: 'tokens' });
  });

  test('a batch that waits for a reset is stale and counts nothing', async () => {
    const key = await database.addKey({ rpmLimit: 1 });
    let verdict: Promise<Verdict> | undefined;
    await database.transact(async (transaction) => {
      await resets.reset(transaction, key.id, 'all');
      verdict = admissions[0]!.admit(key);
      await database.untilStoreWaits();
    });
    expect(await verdict).toEqual({ kind: 'stale' });
    expect((await database.stored(key.id)).monthUsed).toBe(0);
  });

  test('a reset that waits for a batch also resets the requests of that batch', async () => {
    const key = await database.addKey();
    const { release } = await database.holdRow(key.id);
    const verdict = admissions[0]!.admit(key);
    await database.untilStoreWaits();
    const reset = database.resetKey(key, 'all');
    await until(async () => (await waitingForTheRow()) === 2);
    await release();
    await reset;
    expect((await verdict).kind).toBe('admitted');
    expect((await database.stored(key.id)).monthUsed).toBe(0);
  });

  test('under traffic of two processes, at most the limit is admitted before a reset, and exactly the limit after it', async () => {
    for (const early of [true, false]) {
      const key = await database.addKey({ monthlyLimit: N });
      const traffic = new Traffic(key);
      await until(() => (early ? traffic.admitted > 10 : traffic.rejected > 10));
      traffic.current = await database.resetKey(key, 'month');
      const before = traffic.admitted;
      await until(() => traffic.rejectedSince(traffic.current.version) > 10);
      await traffic.stop();
      for (const ordinals of traffic.ordinals.values()) expect(new Set(ordinals).size).toBe(ordinals.length);
      const [first, second] = [key, traffic.current].map(({ version }) => traffic.ordinals.get(version)!.length);
      expect(first).toBeLessThanOrEqual(N);
      expect(first).toBeGreaterThanOrEqual(Math.min(before, early ? 10 : N));
      expect(second).toBe(N);
    }
  });

  test('a reset of an unknown key does nothing', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await database.transact((transaction) => resets.counted(transaction, nobody))).toBeNull();
    await database.transact((transaction) => resets.reset(transaction, nobody, 'all'));
  });
});

test('reported counts belong to the current windows, and past windows count as zero', async () => {
  const key = await database.addKey();
  await Promise.all([admissions[0]!.admit(key), admissions[0]!.admit(key)]);
  const counted = () => database.transact((transaction) => resets.counted(transaction, key.id));
  expect(await counted()).toEqual({ minute: 2, day: 2, month: 2 });
  await database.setNow(NOON + 60_000);
  expect(await counted()).toEqual({ minute: 0, day: 2, month: 2 });
  await database.setNow(Date.UTC(2030, 5, 1));
  expect(await counted()).toEqual({ minute: 0, day: 0, month: 0 });
});

/** Continuous requests to both processes, each with the version that is current when it starts. */
class Traffic {
  admitted = 0;
  rejected = 0;
  /** The month counts of the admitted requests, by version. */
  readonly ordinals = new Map<number, number[]>();
  private readonly rejectedBy = new Map<number, number>();
  private stopped = false;
  private readonly clients: Promise<void>[];

  constructor(public current: KeySnapshot) {
    this.clients = admissions.flatMap((admission) => [this.run(admission), this.run(admission), this.run(admission)]);
  }

  rejectedSince(version: number): number {
    return this.rejectedBy.get(version) ?? 0;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  private async run(admission: Admission): Promise<void> {
    while (!this.stopped) {
      const key = this.current;
      const verdict = await admission.admit(key);
      if (verdict.kind === 'admitted') {
        this.admitted += 1;
        this.ordinals.set(key.version, [...(this.ordinals.get(key.version) ?? []), verdict.figures.month.used]);
      } else if (verdict.kind === 'rejected') {
        this.rejected += 1;
        this.rejectedBy.set(key.version, this.rejectedSince(key.version) + 1);
      }
    }
  }
}

async function waitingForTheRow(): Promise<number> {
  const { rows } = await database.client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%key_quota%'`,
  );
  return rows[0]!.count;
}
