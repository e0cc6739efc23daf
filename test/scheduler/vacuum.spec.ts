import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { SchedulerDatabase } from './scheduler-database.js';

let db: SchedulerDatabase;
beforeAll(async () => {
  db = await SchedulerDatabase.create();
});
afterAll(() => db.close());

const deadRows = async () =>
  (
    await db.query<{ dead: number }>(
      `select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'usage_monthly'`,
    )
  )[0]?.dead;

test('a table with many dead rows needs a vacuum only if autovacuum is off', async () => {
  expect(await db.tables.tablesToVacuum()).not.toContain('usage_monthly');
  await db.query(
    'insert into usage_monthly (key_id, month) select gen_random_uuid(), n from generate_series(1, 3000) n',
  );
  await db.query('delete from usage_monthly');
  await until(async () => (await deadRows()) === 3_000);
  const [setting] = await db.query<{ autovacuum: string }>('show autovacuum');
  expect(await db.tables.tablesToVacuum()).toEqual(setting?.autovacuum === 'off' ? ['usage_monthly'] : []);
  await db.tables.vacuum(['usage_monthly'], new AbortController().signal);
  await until(async () => (await deadRows()) === 0);
  await expect(db.tables.vacuum(['usage_monthly'], AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
});
