import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ROLLING_PARTS } from '../../../src/quota/limits/limit-terms.data.js';
import { LimitedAdmission, overIn, reservedIn } from '../../support/limited-admission.js';
import { wrongHolds } from '../../support/limit-rows.js';
import { randomOf } from '../../support/random.js';
import { until } from '../../support/until.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);

let two: LimitedAdmission;

beforeAll(async () => {
  two = await LimitedAdmission.open();
});
beforeEach(() => two.begin(NOON));
afterAll(() => two.close());

const query = (sql: string, values: unknown[] = []) => two.database.client.query(sql, values);

/** Moves the clock. The two processes stay alive, although their heartbeats are then old. */
async function moveTo(nowMs: number): Promise<void> {
  await query('begin');
  await query(`update quota_writer set beat_at = 'infinity' where beat_at is not null`);
  await two.database.setNow(nowMs);
  await query('commit');
}

interface Use {
  readonly atMs: number;
  readonly amount: number;
}

/** The most that any window of this length contains. */
function highestWithin(windowMs: number, uses: readonly Use[]): number {
  const sums = uses.map(({ atMs: fromMs }) =>
    uses.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + windowMs).reduce((sum, { amount }) => sum + amount, 0),
  );
  return Math.max(0, ...sums);
}

const WINDOWS = [
  ['rolling_5h', 5 * HOUR_MS],
  ['rolling_7d', 7 * DAY_MS],
] as const;

describe.each(WINDOWS)('the period %s', (period, windowMs) => {
  const { partMs } = ROLLING_PARTS[period];

  test.each([[Date.now() >>> 0]])(
    'no window of its length contains more than the amount, and a client is admitted after its Retry-After, but not before (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      const requests = await two.add({ period, measure: 'requests', amount: 7 });
      const tokens = await two.add({ period, measure: 'tokens', amount: 1000 });
      const uses: Record<number, Use[]> = { [requests]: [], [tokens]: [] };
      let nowMs = NOON;
      // A clock that is set back stays in the newest part, because other usage has already left.
      const newestPartMs: Record<number, number> = { [requests]: 0, [tokens]: 0 };
      const countedAtMs = (limit: number) => {
        newestPartMs[limit] = Math.max(newestPartMs[limit]!, Math.floor(nowMs / partMs) * partMs);
        return Math.max(nowMs, newestPartMs[limit]);
      };
      const refused: Record<number, number> = { [requests]: 0, [tokens]: 0 };
      const admit = async (limit: number, asked: number) => {
        const at = random.below(2);
        const verdict = await two.admit(await two.claim([limit, asked]), at);
        const atMs = countedAtMs(limit);
        if (verdict.kind === 'admitted' && limit === requests) uses[limit]!.push({ atMs, amount: asked });
        if (verdict.kind === 'admitted' && limit === tokens) {
          const spent = random.below(asked + 1);
          two.admissions[at]!.settle(reservedIn(verdict), [spent]);
          await until(async () => (await two.figures(tokens)).held === 0);
          uses[limit]!.push({ atMs, amount: spent });
        }
        return verdict;
      };
      while (refused[requests]! < 5 || refused[tokens]! < 5) {
        const [limit, asked] = random.below(2) === 0 ? [requests, 1] : [tokens, 1 + random.below(400)];
        const verdict = await admit(limit, asked);
        if (verdict.kind !== 'admitted') {
          refused[limit]! += 1;
          const untilMs = Number(overIn(verdict).untilMs);
          await moveTo(untilMs - 1);
          nowMs = untilMs - 1;
          expect(overIn(await admit(limit, asked))).toMatchObject({ untilMs });
          nowMs = untilMs;
          await moveTo(nowMs);
          expect((await admit(limit, asked)).kind).toBe('admitted');
        } else {
          nowMs += random.one([0, 0, 1, 1000, partMs - 1, partMs, 7 * partMs, -2 * partMs, windowMs]);
          await moveTo(nowMs);
        }
      }
      expect(highestWithin(windowMs, uses[requests]!)).toBeLessThanOrEqual(7);
      expect(highestWithin(windowMs, uses[tokens]!)).toBeLessThanOrEqual(1000);
      expect(await wrongHolds(two.database.client)).toEqual([]);
    },
    60_000,
  );

  test('usage counts for the full length of the period, and expires with its part', async () => {
    const partStartMs = Math.floor(NOON / partMs) * partMs;
    await moveTo(partStartMs + partMs - 1);
    const limit = await two.add({ period, measure: 'requests', amount: 1 });
    const claims = await two.claim([limit, 1]);
    expect((await two.admit(claims)).kind).toBe('admitted');
    const leavesAtMs = partStartMs + partMs + windowMs;
    for (const atMs of [partStartMs + windowMs, leavesAtMs - 1]) {
      await moveTo(atMs);
      expect(overIn(await two.admit(claims))).toMatchObject({ used: 1, untilMs: leavesAtMs });
    }
    await moveTo(leavesAtMs);
    expect((await two.admit(claims)).kind).toBe('admitted');
  });
});

describe('the time of a retry', () => {
  test('each request of a rejected batch gets the time at which it fits', async () => {
    const limit = await two.add({ period: 'rolling_5h', amount: 100 });
    await two.use(limit, 30, 30);
    await moveTo(NOON + HOUR_MS);
    await two.use(limit, 60, 60);
    const asked = await Promise.all([20, 41, 101].map((amount) => two.claim([limit, amount])));
    const verdicts = await Promise.all(asked.map((claims) => two.admit(claims)));
    const leaves = Date.UTC(2030, 4, 15, 17, 5);
    expect(verdicts.map((verdict) => overIn(verdict).untilMs)).toEqual([leaves, leaves + HOUR_MS, null]);
  });

  test('admitted requests of a batch count against the rejected ones', async () => {
    const limit = await two.add({ period: 'rolling_5h', measure: 'requests', amount: 1 });
    const claims = await two.claim([limit, 1]);
    const verdicts = await Promise.all([two.admit(claims), two.admit(claims)]);
    expect(overIn(verdicts[1])).toMatchObject({ used: 1, untilMs: Date.UTC(2030, 4, 15, 17, 5) });
  });

  test('a top-up that ends before usage leaves does not make room', async () => {
    const limit = await two.add({ period: 'rolling_5h', amount: 100 });
    await query(
      `insert into limit_grants (limit_id, amount, starts_at, expires_at, created_by) values ($1, 100, $2, $3, 'a test')`,
      [limit, new Date(NOON), new Date(NOON + 4 * HOUR_MS)],
    );
    await two.use(limit, 90, 90);
    await moveTo(NOON + HOUR_MS);
    await two.use(limit, 90, 90);
    const over = overIn(await two.admit(await two.claim([limit, 60])));
    // When the first 90 leave, 90 of 100 are still used.
    expect(over).toMatchObject({ amount: 200, used: 180, untilMs: Date.UTC(2030, 4, 15, 18, 5) });
  });

  test('a limit that ends before enough usage has left names its own end', async () => {
    const endsAtMs = NOON + HOUR_MS;
    const limit = await two.add({ period: 'rolling_7d', amount: 10, ends_at: new Date(endsAtMs) });
    await two.use(limit, 10, 10);
    expect(overIn(await two.admit(await two.claim([limit, 1]))).untilMs).toBe(endsAtMs);
  });
});

describe('a process that others have ended and that returns', () => {
  test('removes its reservation from the part that counted it, and keeps other usage', async () => {
    const limit = await two.add({ period: 'rolling_5h', amount: 1000 });
    const reserved = reservedIn(await two.admit(await two.claim([limit, 300])));
    const { rows } = await query('select writer_id as id from limit_holds where limit_id = $1', [limit]);
    await two.database.setNow(NOON + HOUR_MS);
    await query(
      `update quota_writer set beat_at = clock_timestamp() - case when writer_id = $1 then interval '1 hour' end`,
      [rows[0].id],
    );
    expect((await query(`select limits_expire_1('15 seconds') as id`)).rows).toEqual(rows);
    await moveTo(NOON + 2 * HOUR_MS);
    await two.use(limit, 50, 50, 1);
    expect(await two.figures(limit)).toMatchObject({ used: 350, estimated: 300 });
    two.admissions[0]!.settle(reserved, [200]);
    await until(async () => (await two.figures(limit)).used === 250);
    expect(await two.figures(limit)).toMatchObject({ held: 0, estimated: 0 });
    await moveTo(NOON + 6.2 * HOUR_MS);
    await two.use(limit, 1, 1);
    expect(await two.figures(limit)).toMatchObject({ used: 251 });
    expect(await wrongHolds(two.database.client)).toEqual([]);
  });

  test('removes nothing if its usage has already expired', async () => {
    const limit = await two.add({ period: 'rolling_5h', amount: 1000 });
    const reserved = reservedIn(await two.admit(await two.claim([limit, 300])));
    const { rows } = await query('select writer_id as id from limit_holds where limit_id = $1', [limit]);
    await query(
      `update quota_writer set beat_at = clock_timestamp() - case when writer_id = $1 then interval '1 hour' end`,
      [rows[0].id],
    );
    expect((await query(`select limits_expire_1('15 seconds') as id`)).rows).toEqual(rows);
    await moveTo(NOON + 6 * HOUR_MS);
    await two.use(limit, 50, 50, 1);
    expect(await two.figures(limit)).toMatchObject({ used: 50 });
    two.admissions[0]!.settle(reserved, [200]);
    await until(async () => (await two.figures(limit)).used === 250);
    expect(await wrongHolds(two.database.client)).toEqual([]);
  });
});

describe('a counter of the release before', () => {
  test.each([
    ['rolling_5h', 60],
    ['rolling_7d', 84],
  ] as const)('keeps all usage of %s in its parts, and then keeps it for the full period', async (period, parts) => {
    const { partMs } = ROLLING_PARTS[period];
    const limit = await two.add({ period, amount: 100_000 });
    const bucket = Math.floor(NOON / partMs);
    // Part `bucket - age` has `age + 1` tokens.
    await query(
      `update limit_counters set used = $2, bucket = $3, since = 0, until = ($3::bigint + 1) * $5::bigint * 1000, buckets = array(
         select ($3::bigint - slot) % $4 + 1 from generate_series(0, $4 - 1) as slot order by slot) where limit_id = $1`,
      [limit, (parts * (parts + 1)) / 2, bucket, parts, partMs],
    );
    await two.use(limit, 1, 0);
    expect(
      (await query('select cardinality(buckets) as n from limit_counters where limit_id = $1', [limit])).rows,
    ).toEqual([{ n: parts }]);
    let used = (parts * (parts + 1)) / 2;
    for (const [steps, left] of [
      [1, 0],
      [2, parts],
      [parts, (parts * (parts + 1)) / 2 - 1],
      [parts + 1, (parts * (parts + 1)) / 2],
    ] as const) {
      await moveTo(NOON + steps * partMs);
      expect(
        (
          await query(
            'select (limit_advanced(c, $2)).used::integer as used from limit_counters c where limit_id = $1',
            [limit, (NOON + steps * partMs) * 1000],
          )
        ).rows,
      ).toEqual([{ used: used - left }]);
    }
    await two.use(limit, 5, 5);
    used = 5;
    expect(await two.figures(limit)).toMatchObject({ used });
    expect(await wrongHolds(two.database.client)).toEqual([]);
  });

  test('gets the time of a retry from the functions of the release before', async () => {
    const limit = await two.add({ period: 'rolling_5h', measure: 'requests', amount: 1 });
    await two.admit(await two.claim([limit, 1]));
    const writer = '0198c0de-0000-7000-8000-000000000001';
    await query('insert into quota_writer (writer_id, batch) values ($1, 0)', [writer]);
    const { rows } = await query(
      `select o_refused, o_until from limits_admit_1($1, 1, (select version from limit_set), array[$2::uuid], array[(select version from key_quota where key_id = $2)],
         '{1}', '{1000}', '{1000}', '{null}', '{null}', '{f}', '{t}', array[$3::bigint], '{1}', '{1}', '{1}', '{1}', '{1}')`,
      [writer, two.key.id, limit],
    );
    expect(rows).toEqual([{ o_refused: [1], o_until: [Date.UTC(2030, 4, 15, 17, 5)] }]);
  });
});
