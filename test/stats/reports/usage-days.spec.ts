import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { DataSource } from 'typeorm';
import { UsageDayStore } from '../../../src/stats/reports/stores/usage-day.store.js';
import { UsageDays } from '../../../src/stats/reports/usage-days.service.js';
import { readUsage } from '../../../src/stats/reports/usage.read-model.js';
import { UsageStore } from '../../../src/stats/stores/usage.store.js';
import { UsageLedger } from '../../../src/stats/usage-ledger.js';
import { connect, StatsDatabase } from '../../support/stats-database.js';
import { READY_DATABASE } from '../../support/ready-database.js';
import { until } from '../../support/until.js';

const DAY_MS = 86_400_000;
const EVERYTHING = { from: '0001-01-01', to: '9999-12-31' };

let database: StatsDatabase;
let source: DataSource;
let days: UsageDays;
beforeAll(async () => {
  database = await StatsDatabase.create();
  source = database.source;
  days = new UsageDays(new UsageDayStore(source), READY_DATABASE, new SchedulerRegistry());
});
afterAll(() => database.close());
beforeEach(() => source.query('delete from usage_daily'));

const noon = (ago: number) => (Math.floor(Date.now() / DAY_MS) - ago) * DAY_MS + DAY_MS / 2;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

interface Used {
  readonly keyId: string;
  readonly atMs: number;
  readonly model: string;
  readonly requests?: number;
}
async function write(...used: Used[]): Promise<void> {
  const ledger = new UsageLedger(10_000);
  for (const { keyId, atMs, model, requests = 1 } of used)
    for (let n = 0; n < requests; n++)
      ledger.add(keyId, atMs, model, { failed: n % 3 === 2, inputTokens: 3, outputTokens: 4, estimatedTokens: n % 2 });
  await new UsageStore(source).write(ledger.take(10_000));
}
const closed = async () =>
  (await source.query<{ day: string }[]>('select day::text from usage_days order by day')).map(({ day }) => day);

/** Expects the sums of each closed day to match its rows, and no sums for other days. */
async function expectSumsOfRows(): Promise<void> {
  for (const [table, column] of [
    ['usage_day_keys', 'key_id'],
    ['usage_day_models', 'model'],
  ]) {
    const rows = `select day, ${column}, sum(requests), sum(errors), sum(input_tokens), sum(output_tokens), sum(estimated_tokens)
                    from usage_daily where day in (select day from usage_days) group by 1, 2`;
    const kept = `select day, ${column}, requests, errors, input_tokens, output_tokens, estimated_tokens from ${table}`;
    expect(await source.query(`(${rows} except ${kept}) union all (${kept} except ${rows})`)).toEqual([]);
  }
}

describe('closed usage days', () => {
  test('a day is closed once, and closing it does not change the reported usage', async () => {
    const [one, other] = [(await database.newKey()).id, (await database.newKey()).id];
    await write(
      { keyId: one, atMs: noon(2), model: 'gpt-4o', requests: 5 },
      { keyId: one, atMs: noon(2), model: '', requests: 2 },
      { keyId: other, atMs: noon(2), model: 'gpt-4o', requests: 3 },
      { keyId: other, atMs: noon(1), model: 'o1', requests: 4 },
      { keyId: one, atMs: noon(0), model: 'o1', requests: 7 },
    );
    const before = await readUsage(source, EVERYTHING, null);
    expect(before.totals.requests).toBe(21);
    expect(await closed()).toEqual([]);
    await days.run();
    expect(await closed()).toEqual([dateOf(noon(2)), dateOf(noon(1))]);
    await expectSumsOfRows();
    expect(await readUsage(source, EVERYTHING, null)).toEqual(before);
    // Changes the sums without the rows, to show that usage is read from the sums.
    await source.query('update usage_day_keys set requests = requests + 1000 where key_id = $1', [one]);
    expect((await readUsage(source, EVERYTHING, null)).byKey[0]).toMatchObject({ keyId: one, requests: 1014 });
    await days.run();
    expect((await readUsage(source, EVERYTHING, null)).byKey[0]).toMatchObject({ requests: 1014 });
  });

  test('a late row reopens its day, and the next run closes the day again', async () => {
    const { id } = await database.newKey();
    await write({ keyId: id, atMs: noon(3), model: 'a' }, { keyId: id, atMs: noon(2), model: 'a' });
    await days.run();
    await write({ keyId: id, atMs: noon(3), model: 'a', requests: 2 }, { keyId: id, atMs: noon(0), model: 'a' });
    expect(await closed()).toEqual([dateOf(noon(2))]);
    expect((await readUsage(source, EVERYTHING, null)).daily.map(({ requests }) => requests)).toEqual([1, 1, 3]);
    await days.run();
    expect(await closed()).toEqual([dateOf(noon(3)), dateOf(noon(2))]);
    await expectSumsOfRows();
    expect((await readUsage(source, EVERYTHING, null)).daily.map(({ requests }) => requests)).toEqual([1, 1, 3]);
  });

  test('the sums of a day are deleted with its rows, even if the rows are deleted in steps', async () => {
    const { id } = await database.newKey();
    await write(
      { keyId: id, atMs: noon(400), model: 'a' },
      { keyId: id, atMs: noon(400), model: 'b' },
      { keyId: id, atMs: noon(1), model: 'a' },
    );
    await days.run();
    await source.query(`delete from usage_daily where model = 'b'`);
    expect((await readUsage(source, EVERYTHING, null)).totals.requests).toBe(2);
    await days.run();
    await expectSumsOfRows();
    await source.query('delete from usage_daily where day < $1', [dateOf(noon(365))]);
    await days.run();
    expect(await closed()).toEqual([dateOf(noon(1))]);
    expect(await source.query('select count(*)::int n from usage_day_keys')).toEqual([{ n: 1 }]);
    expect(await source.query('select count(*)::int n from usage_day_models')).toEqual([{ n: 1 }]);
  });

  test('the current day is not closed', async () => {
    const { id } = await database.newKey();
    await write({ keyId: id, atMs: Date.now(), model: 'a' });
    await days.run();
    expect(await closed()).toEqual([]);
  });
});

describe('concurrent closing and writing', () => {
  test('a day is not closed while a batch that writes to it is uncommitted', async () => {
    const { id } = await database.newKey();
    await write({ keyId: id, atMs: noon(1), model: 'a' });
    // The statement of the previous release. Its transaction is still open when the day is to be closed.
    const writer = source.createQueryRunner();
    await writer.startTransaction();
    await writer.query(`insert into usage_daily (key_id, day, model, requests) values ($1, $2, 'late', 5)`, [
      id,
      dateOf(noon(1)),
    ]);
    expect(await new UsageDayStore(source).close(dateOf(noon(1)))).toBe(false);
    expect(await closed()).toEqual([]);
    await writer.commitTransaction();
    await writer.release();
    await days.run();
    await expectSumsOfRows();
    expect((await readUsage(source, EVERYTHING, null)).totals.requests).toBe(6);
  });

  test('a batch waits for a day that is being closed, and then reopens it', async () => {
    const { id } = await database.newKey();
    await write({ keyId: id, atMs: noon(1), model: 'a' });
    const closer = source.createQueryRunner();
    await closer.startTransaction();
    await closer.query(
      `select pg_advisory_xact_lock(hashtextextended('usage-day:' || ($1::date - date '1970-01-01'), 0))`,
      [dateOf(noon(1))],
    );
    await closer.query('insert into usage_days values ($1)', [dateOf(noon(1))]);
    const late = write({ keyId: id, atMs: noon(1), model: 'b' });
    await until(async () => {
      const [row] = await source.query<{ n: number }[]>(
        `select count(*)::int n from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      );
      return row?.n === 1;
    });
    await closer.commitTransaction();
    await closer.release();
    await late;
    expect(await closed()).toEqual([]);
    expect((await readUsage(source, EVERYTHING, null)).totals.requests).toBe(2);
  });

  test('processes that write and close days concurrently count every request exactly once', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => database.newKey()));
    const [mine, theirs] = [await connect(database.url), await connect(database.url)];
    let writing = true;
    const closers = [mine, theirs].map(async (connection) => {
      const closing = new UsageDays(new UsageDayStore(connection), READY_DATABASE, new SchedulerRegistry());
      while (writing) await closing.run();
    });
    const totals: number[] = [];
    const reader = (async () => {
      while (writing) totals.push((await readUsage(source, EVERYTHING, null)).totals.requests);
    })();
    await Promise.all(
      keys.map(async ({ id }, n) => {
        const store = new UsageStore(n % 2 === 0 ? mine : theirs);
        for (let round = 0; round < 30; round++) {
          const ledger = new UsageLedger(100);
          for (const ago of [1, 2, 3])
            ledger.add(id, noon(ago), `m${round % 3}`, {
              failed: false,
              inputTokens: 1,
              outputTokens: 1,
              estimatedTokens: 0,
            });
          await store.write(ledger.take(100));
        }
      }),
    );
    writing = false;
    await Promise.all([...closers, reader]);
    await days.run();
    expect(await closed()).toHaveLength(3);
    await expectSumsOfRows();
    const { totals: all, byModel } = await readUsage(source, EVERYTHING, null);
    expect([all.requests, byModel.map(({ requests }) => requests)]).toEqual([450, [150, 150, 150]]);
    expect(totals).toEqual(totals.toSorted((x, y) => x - y));
    await mine.destroy();
    await theirs.destroy();
  });
});

test('a shutdown waits for the day that is being closed', async () => {
  const { id } = await database.newKey();
  await write({ keyId: id, atMs: noon(1), model: 'a' });
  const service = new UsageDays(new UsageDayStore(source), READY_DATABASE, new SchedulerRegistry());
  service.onApplicationBootstrap();
  await service.onModuleDestroy();
  expect((await closed()).length).toBeLessThanOrEqual(1);
  await expectSumsOfRows();
});

test('an unknown key has no usage', async () => {
  const none = { requests: 0, errors: 0, inputTokens: 0, outputTokens: 0, estimatedTokens: 0 };
  expect(await readUsage(source, EVERYTHING, randomUUID())).toEqual({
    totals: none,
    daily: [],
    byKey: [],
    byModel: [],
  });
  expect(await readUsage(source, EVERYTHING, null)).toEqual({ totals: none, daily: [], byKey: [], byModel: [] });
});
