import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { LimitedAdmission, overIn, reservedIn } from '../support/limited-admission.js';
import { wrongHolds } from '../support/limit-rows.js';
import { until } from '../support/until.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const HOUR_MS = 3_600_000;
const PART_MS = 300_000;

let two: LimitedAdmission;

beforeAll(async () => {
  two = await LimitedAdmission.open();
});
beforeEach(() => two.begin(NOON));
afterAll(() => two.close());

const query = (sql: string, values: unknown[] = []) => two.database.client.query(sql, values);
const writerOf = async (limit: number) =>
  (await query('select writer_id from limit_holds where limit_id = $1', [limit])).rows[0].writer_id as string;
/** Ends the process, as others do when it is silent. */
const expire = async (limit: number) => {
  const writer = await writerOf(limit);
  await query(`update quota_writer set beat_at = clock_timestamp() - interval '1 hour' where writer_id = $1`, [writer]);
  expect((await query(`select limits_expire_1('15 seconds') as id`)).rows).toEqual([{ id: writer }]);
};

describe('a rolling period', () => {
  test('counts the usage of a process that was only stopped once, when it is settled', async () => {
    const limit = await two.add({ period: 'rolling_5h', amount: 1000 });
    const reserved = reservedIn(await two.admit(await two.claim([limit, 300])));
    await expire(limit);
    expect(await two.figures(limit)).toMatchObject({ used: 300, held: 0, estimated: 300 });
    await two.database.setNow(NOON + PART_MS);
    two.admissions[0]!.settle(reserved, [300]);
    // First the takeover restores the reservation, then the settlement ends it.
    await until(async () => {
      const { used, held, estimated } = await two.figures(limit);
      return used === 300 && held === 0 && estimated === 0;
    });
    expect(await wrongHolds(two.database.client)).toEqual([]);
    await two.database.setNow(NOON + 5 * HOUR_MS);
    await two.use(limit, 1, 1);
    expect((await two.figures(limit)).used).toBe(301);
  });

  test('a rolling period has exact figures again after the clock of the database was a day ahead', async () => {
    const limit = await two.add({ period: 'rolling_5h', amount: 10 });
    await two.database.setNow(NOON + 24 * HOUR_MS);
    await two.use(limit, 1, 1);
    await two.database.setNow(NOON);
    await two.use(limit, 9, 9);
    expect(overIn(await two.admit(await two.claim([limit, 5]))).used).toBe(9);
    await two.database.setNow(NOON + 6 * HOUR_MS);
    expect((await two.admit(await two.claim([limit, 10]))).kind).toBe('admitted');
  });
});

describe('a settlement', () => {
  test('counts in its period although the counter is still in an earlier one', async () => {
    const limit = await two.add({ amount: 100 });
    const reserved = reservedIn(await two.admit(await two.claim([limit, 50])));
    // As after a crash of the database that lost the first batch of the day.
    await query(
      'update limit_counters set period = period - 86400000000, since = since - 86400000000, until = until - 86400000000 where limit_id = $1',
      [limit],
    );
    two.admissions[0]!.settle(reserved, [50]);
    await until(async () => (await two.figures(limit)).used === 50);
  });

  test('a settlement with a figure that no column can store counts the reserved amount, and stops no later request', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const limit = await two.add({ measure: 'cost', amount: 1_000_000 });
    const reserved = reservedIn(await two.admit(await two.claim([limit, 300])));
    two.admissions[0]!.settle(reserved, [1.69e20]);
    await until(async () => (await two.figures(limit)).used === 300);
    expect(errors).toHaveBeenCalledWith(expect.stringContaining('Implausible usage'));
    expect((await two.admit(await two.claim([limit, 300]))).kind).toBe('admitted');
    errors.mockRestore();
  });

  test('counts nothing under a limit that was created since the request and has not started', async () => {
    const running = await two.add({ amount: 100 });
    await two.admit(await two.claim([running, 1]));
    const limit = await two.add({ period: 'month', amount: 100, starts_at: new Date(NOON + HOUR_MS) });
    two.admissions[0]!.charge([{ limitId: limit, atUs: NOON * 1000, spent: 70 }]);
    await two.use(running, 1, 1);
    await two.database.setNow(NOON + 2 * HOUR_MS);
    await two.use(limit, 1, 1);
    expect((await two.figures(limit)).used).toBe(1);
  });
});

test('a limit that ends within its period names its own end as the time to retry', async () => {
  const limit = await two.add({ period: 'month', amount: 1, ends_at: new Date(NOON + HOUR_MS) });
  expect(overIn(await two.admit(await two.claim([limit, 2]))).untilMs).toBe(NOON + HOUR_MS);
});
