import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RollupSession } from '../../../../src/stats/aggregates/stores/rollup.store.js';
import { until } from '../../../support/until.js';
import { DAY, HOUR, insert, sampleOf, type Sampled } from '../../../support/statistics-sample.js';
import { queryOn, StatisticsDatabase } from '../../../stats/aggregates/statistics-database.js';

const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const WEEK = sampleOf(400, NOW - 7 * DAY, NOW - HOUR, 1);

let database: StatisticsDatabase;
beforeAll(async () => {
  database = await StatisticsDatabase.create();
});
afterAll(() => database.close());
beforeEach(() => database.clear());

const source = () => database.source;
const requestAt = (atMs: number): Sampled => ({ ...WEEK[0]!, atMs });

/** Inserts a row in a transaction that stays open until `commit`. */
async function writing(atMs: number): Promise<{ commit: () => Promise<void> }> {
  const client = await database.connect();
  await client.query('begin');
  await client.query(
    `insert into request_logs (id, created_at, key_id, status, stream, latency_ms, input_tokens, output_tokens, method, endpoint)
     values (gen_random_uuid(), $1, gen_random_uuid(), 200, false, 5, 0, 0, 'GET', '/v1/models')`,
    [new Date(atMs)],
  );
  return {
    commit: async () => {
      await client.query('commit');
    },
  };
}

describe('late rows', () => {
  test('late rows are counted immediately and rolled up by the next run', async () => {
    await insert(source(), WEEK);
    await database.newJob().run();
    const late = sampleOf(30, NOW - 7 * DAY, NOW - HOUR, 5);
    await insert(source(), late);
    expect(await database.count()).toBe(WEEK.length + late.length);
    expect(await database.lateHours()).toBeGreaterThan(10);
    expect(await database.newJob().run()).toBe(true);
    expect([await database.count(), await database.lateHours()]).toEqual([WEEK.length + late.length, 0]);
    const updated = await database.blocks();
    expect(updated).toEqual(await database.rebuild());
  });

  test('late rows that are older than the first row are counted and rolled up', async () => {
    await insert(source(), WEEK);
    await database.newJob().run();
    await insert(source(), [requestAt(NOW - 300 * DAY), requestAt(NOW - 9 * DAY)]);
    expect(await database.count()).toBe(WEEK.length + 2);
    await database.newJob().run();
    expect([await database.count(), await database.lateHours()]).toEqual([WEEK.length + 2, 0]);
  });

  test('neither a batch that is written twice nor a row of an open hour marks an hour as late', async () => {
    await insert(source(), WEEK);
    await database.newJob().run();
    await insert(source(), [requestAt(Date.now())]);
    await source().query('insert into request_logs select * from request_logs on conflict do nothing');
    expect(await database.lateHours()).toBe(0);
  });

  test('the job waits for transactions that started to write before their hour closed', async () => {
    const writer = await writing(NOW - DAY);
    const running = database.newJob().run();
    await until(async () => (await database.state()).closed_until !== null);
    // The job polls `pg_locks` only after it has found a writer.
    const polls = async () =>
      (
        await source().query<Record<string, unknown>[]>(
          `select 1 from pg_stat_activity where application_name = 'gateway-rollup' and query like '%pg_locks%' and datname = current_database()`,
        )
      ).length > 0;
    await until(polls);
    expect((await database.state()).rolled_until).toBeNull();
    await writer.commit();
    await running;
    expect([await database.count(), await database.lateHours()]).toEqual([1, 0]);
  });

  test('an uncommitted late row keeps its hour marked as late when the hour is rolled up again', async () => {
    // Without this row the job would roll up nothing during one hour in 16, and no hour could become late.
    await insert(source(), [requestAt(NOW - 2 * DAY)]);
    await database.newJob().run();
    const writer = await writing(NOW - DAY);
    await insert(source(), [requestAt(NOW - DAY)]);
    // The hour now has one committed mark and one uncommitted mark.
    expect(await new RollupSession(queryOn(await database.connect())).rollLate()).toBe(true);
    expect([await database.count(), await database.lateHours()]).toEqual([2, 0]);
    await writer.commit();
    expect([await database.count(), await database.lateHours()]).toEqual([3, 1]);
    await database.newJob().run();
    expect([await database.count(), await database.lateHours()]).toEqual([3, 0]);
  });
});
