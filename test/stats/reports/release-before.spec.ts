import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ReadIndexes1790000010000 } from '../../../migrations/1790000010000-read-indexes.js';
import { MIGRATIONS } from '../../../migrations/all.js';
import { readKeyUsage, readUsage } from '../../../src/stats/reports/usage.read-model.js';
import { UsageDayStore } from '../../../src/stats/reports/stores/usage-day.store.js';
import { describeInOrder } from '../../support/describe-in-order.js';
import { createEmptyDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { until } from '../../support/until.js';

const ALL = { from: '0001-01-01', to: '9999-12-31', days: 365, months: 24 };

let database: ScratchDatabase;
let source: DataSource;
const KEY = randomUUID();

const migrated = async (migrations: typeof MIGRATIONS): Promise<DataSource> => {
  const options = { type: 'postgres', url: database.url, migrations, poolSize: 3, installExtensions: false } as const;
  const opened = await new DataSource(options).initialize();
  await opened.runMigrations();
  return opened;
};

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

/** Writes usage as the previous release does: its months have only requests and tokens. */
async function writeAsBefore(connection: DataSource, day: string, model: string, errors: number): Promise<void> {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  await connection.query(
    `with by_month as (
       insert into usage_monthly as u (key_id, month, requests, input_tokens, output_tokens) values ($1, $2, 10, 100, 50)
       on conflict (key_id, month) do update set requests = u.requests + excluded.requests,
          input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens
     )
     insert into usage_daily as u (key_id, day, model, requests, errors, input_tokens, output_tokens, estimated_tokens)
     values ($1, $3, $4, 10, $5, 100, 50, 7)
     on conflict (key_id, day, model) do update set requests = u.requests + excluded.requests, errors = u.errors + excluded.errors,
        input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
        estimated_tokens = u.estimated_tokens + excluded.estimated_tokens`,
    [KEY, month, day, model, errors],
  );
}

/** All tests use one database, and migrate it step by step. */
describeInOrder('the database of the previous release', () => {
  test('the migration fills errors and estimates of months from their days', async () => {
    const at = MIGRATIONS.indexOf(ReadIndexes1790000010000);
    const before = await migrated(MIGRATIONS.slice(0, at));
    for (const [day, model, errors] of [
      ['2025-12-31', 'a', 1],
      ['2026-01-01', 'a', 2],
      ['2026-01-31', '', 0],
      ['2026-02-28', 'b', 3],
    ] as const)
      await writeAsBefore(before, day, model, errors);
    await before.destroy();
    source = await migrated(MIGRATIONS.slice(0, at + 1));
    const sums = { inputTokens: 100, outputTokens: 50, estimatedTokens: 7 };
    expect((await readKeyUsage(source, KEY, ALL)).monthly).toEqual([
      { month: '2026-02', requests: 10, errors: 3, ...sums },
      { month: '2026-01', requests: 20, errors: 2, inputTokens: 200, outputTokens: 100, estimatedTokens: 14 },
      { month: '2025-12', requests: 10, errors: 1, ...sums },
    ]);
  });

  test('writes of a process of the previous release reopen closed days', async () => {
    const days = new UsageDayStore(source);
    for (const day of await days.findOpen(100)) expect(await days.close(day)).toBe(true);
    expect(await days.findOpen(100)).toEqual([]);
    await writeAsBefore(source, '2026-01-31', 'c', 4);
    await writeAsBefore(source, '2026-01-01', 'a', 5);
    expect(await days.findOpen(100)).toEqual(['2026-01-31', '2026-01-01']);
    const { totals, daily } = await readUsage(source, ALL, null);
    expect([totals.requests, totals.errors]).toEqual([60, 15]);
    expect(daily.map(({ day, errors }) => `${day} ${errors}`)).toEqual([
      '2026-02-28 3',
      '2026-01-31 4',
      '2026-01-01 7',
      '2025-12-31 1',
    ]);
  });

  test('the migration waits for a running batch without a deadlock', async () => {
    await source.undoLastMigration();
    const writer = source.createQueryRunner();
    await writer.startTransaction();
    await writer.query('update usage_monthly set requests = requests where key_id = $1', [KEY]);
    const migrating = source.runMigrations();
    await until(async () => {
      const [row] = await source.query<{ n: number }[]>(
        `select count(*)::int n from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      return row?.n === 1;
    });
    await writer.query('insert into usage_daily (key_id, day, model) values ($1, $2, $3)', [KEY, '2026-03-01', 'd']);
    await writer.commitTransaction();
    await writer.release();
    expect(await migrating).toHaveLength(1);
    expect((await readUsage(source, ALL, null)).totals.requests).toBe(60);
  });
});
