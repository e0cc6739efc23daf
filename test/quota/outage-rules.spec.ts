import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countsAt, grantedOf } from '../../src/quota/last-counts.js';
import { LastLimits } from '../../src/quota/last-limits.js';
import { ASKED_MAX, type LimitClaim, type ReservedClaim } from '../../src/quota/limit-claims.js';
import type { ClaimedResult, StoredCounts } from '../../src/quota/verdict.rules.js';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { addLimit, claimsOf } from '../support/limit-rows.js';
import { openStore } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';

const YEARS_END = Date.UTC(2030, 11, 31, 23, 58, 30);

let database: QuotaDatabase;
let store: QuotaStore;
beforeAll(async () => {
  database = await QuotaDatabase.create();
  store = await openStore(database.url);
});
afterAll(async () => {
  await store.onApplicationShutdown();
  await database.drop();
});

const limit = fc.integer({ min: 1, max: 12 });
const CASES = fc.record({
  limits: fc.record({
    rpmLimit: limit,
    rpdLimit: limit,
    monthlyLimit: fc.option(limit),
    monthlyTokenLimit: fc.constantFrom(null, 5, 120, 500),
    tokenCounting: fc.constantFrom('specification' as const, 'all' as const),
  }),
  calls: fc.array(fc.record({ count: fc.integer({ min: 1, max: 5 }), laterMs: fc.nat(70_000) }), {
    minLength: 1,
    maxLength: 6,
  }),
});

test('the counts in memory decide like the store across the ends of minute, day, month and year', async () => {
  await fc.assert(
    fc.asyncProperty(CASES, async ({ limits, calls }) => {
      let nowMs = YEARS_END;
      await database.setNow(nowMs);
      const key = await database.addKey(limits);
      await database.recordTokens(key.id, 2030 * 12 + 11, 100, 20);
      let seen: StoredCounts = (await store.readCounts([key.id])).get(key.id)!;
      let admitted = 0;
      for (const { count, laterMs } of calls) {
        nowMs += laterMs;
        await database.setNow(nowMs);
        const counts = countsAt(seen, admitted, nowMs);
        const granted = grantedOf(counts, limits, count);
        const response = (await store.admit([{ ...key, keyId: key.id, count }])).get(key.id);
        expect(response).toEqual({ kind: 'decided', granted, counts });
        [seen, admitted] = [counts, granted];
      }
    }),
    { numRuns: 60 },
  );
});

const LIMITS = fc.record({
  kind: fc.constantFrom(
    { measure: 'tokens', period: 'minute' },
    { measure: 'tokens', period: 'hour' },
    { measure: 'tokens', period: 'day', zone: 'Asia/Kolkata' },
    { measure: 'tokens', period: 'week' },
    { measure: 'cost', period: 'month', zone: 'America/New_York' },
    { measure: 'cost', period: 'total' },
    { measure: 'tokens', period: 'rolling_5h' },
    { measure: 'tokens', period: 'rolling_7d' },
    { measure: 'requests', period: 'minute' },
    { measure: 'requests', period: 'month' },
    { measure: 'requests', period: 'rolling_5h' },
    { measure: 'concurrent_requests', period: 'total' },
  ),
  amount: fc.integer({ min: 0, max: 60 }),
  mode: fc.constantFrom('enforce', 'enforce', 'enforce', 'observe'),
  endsAfterMs: fc.constantFrom(null, null, 100_000),
  topUp: fc.option(
    fc.record({ amount: fc.integer({ min: 1, max: 40 }), expiresAfterMs: fc.constantFrom(50_000, 900_000) }),
  ),
});
const REQUESTS = fc.array(
  fc.record({
    asked: fc.integer({ min: 1, max: 30 }),
    overdraft: fc.constantFrom(0, 0, 15, 60),
    laterMs: fc.nat(70_000),
    /** Null if the request keeps running. */
    spent: fc.option(fc.integer({ min: 0, max: 40 })),
  }),
  { minLength: 1, maxLength: 8 },
);

interface LimitCase {
  readonly id: number;
  readonly measure: string;
  readonly key: KeySnapshot;
  readonly setVersion: number;
  readonly memory: LastLimits;
}

/** A limit that this process has just read, as it does every second. */
async function readLimit(limit: typeof LIMITS extends fc.Arbitrary<infer T> ? T : never): Promise<LimitCase> {
  const { kind, amount, mode, endsAfterMs, topUp } = limit;
  await database.client.query('update limits set deleted_at = now() where deleted_at is null');
  const ends_at = endsAfterMs === null ? null : new Date(YEARS_END + endsAfterMs);
  const id = await addLimit(database.client, { ...kind, amount, mode, ends_at });
  if (topUp !== null)
    await database.client.query(
      `insert into limit_grants (limit_id, amount, starts_at, expires_at, created_by) values ($1, $2, $3, $4, 'a test')`,
      [id, topUp.amount, new Date(YEARS_END - 1000), new Date(YEARS_END + topUp.expiresAfterMs)],
    );
  const memory = new LastLimits(() => null);
  const read = await store.readLimits([id]);
  memory.refresh(read, performance.now());
  const { times } = read.get(id)!;
  for (const { startsUs, ...calendar } of await store.readPeriodStarts(
    memory.periods.missing([times!], YEARS_END * 1000),
  ))
    memory.periods.set(calendar, startsUs);
  const { setVersion } = await claimsOf(database.client, [id, 1]);
  return { id, measure: kind.measure, key: await database.addKey(), setVersion, memory };
}

async function admittedByStore({ key, setVersion }: LimitCase, claim: LimitClaim): Promise<ClaimedResult> {
  const entry = { ...key, keyId: key.id, count: 1, requests: [{ order: 1, items: [claim] }] };
  const result = (await store.admit([entry], undefined, setVersion)).get(key.id);
  if (result?.kind !== 'decided') throw new Error(`The store returned ${result?.kind}`);
  return result.requests![0]!;
}

async function settleInBoth({ memory }: LimitCase, reserved: ReservedClaim, spent: number): Promise<void> {
  memory.settle(reserved, spent);
  const { limitId, period, asked, overdraft } = reserved;
  if (period === null) return;
  store.addToLimits([{ limitId, period, freed: asked, spent, overdraft }], []);
  await store.settled();
}

/** The figures that the rejection of an impossible claim contains. Null if no claim is rejected. */
function figuresInMemory({ id, memory }: LimitCase, nowMs: number) {
  const over = memory.firstOver([{ limitId: id, asked: ASKED_MAX, holds: true, overdraft: 0 }], nowMs * 1000);
  return over === null ? null : { amount: over.amount, used: over.used, held: over.held };
}

async function figuresInStore({ id }: LimitCase) {
  const { period, amount, used, held } = (await store.readLimits([id])).get(id)!.seen;
  return period === null || amount === null ? null : { amount, used, held };
}

test('the figures of limits in memory decide like the store, for every measure and period', async () => {
  const kinds = { admitted: 0, 'over-limit': 0, rejected: 0 };
  await fc.assert(
    fc.asyncProperty(LIMITS, REQUESTS, async (limit, requests) => {
      let nowMs = YEARS_END;
      await database.setNow(nowMs);
      const each = await readLimit(limit);
      const isRolling = limit.kind.period.startsWith('rolling');
      for (const { asked, overdraft, laterMs, spent } of requests) {
        nowMs += laterMs;
        await database.setNow(nowMs);
        const holds = each.measure !== 'requests';
        const claim = { limitId: each.id, asked, holds, overdraft: each.measure === 'tokens' ? overdraft : 0 };
        const over = each.memory.firstOver([claim], nowMs * 1000);
        const result = await admittedByStore(each, claim);
        kinds[result.kind] += 1;
        expect(result.kind).toBe(over === null ? 'admitted' : 'over-limit');
        if (result.kind === 'admitted') {
          const [reserved] = each.memory.reserve([claim], nowMs * 1000);
          expect({ ...reserved, servedAtUs: null }).toEqual(result.reserved[0]);
          const usage = each.measure === 'concurrent_requests' ? 0 : spent;
          if (holds && usage !== null) await settleInBoth(each, reserved!, usage);
        } else if (result.kind === 'over-limit') {
          // Only the store knows when usage leaves a rolling period.
          const { untilMs } = isRolling ? over! : result.over;
          expect(over).toEqual({ ...result.over, untilMs });
        }
        expect(figuresInMemory(each, nowMs)).toEqual(await figuresInStore(each));
      }
    }),
    { numRuns: 120 },
  );
  expect(Math.min(kinds.admitted, kinds['over-limit'])).toBeGreaterThan(20);
});
