import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource, EntityManager } from 'typeorm';
import { StatisticsReadModel } from '../../../src/stats/aggregates/statistics.read-model.js';
import { RollupSession, type Query } from '../../../src/stats/aggregates/stores/rollup.store.js';
import { expectEqual } from '../../support/expect-equal.js';
import { until } from '../../support/until.js';
import { DAY, HOUR, insert, query, sampleOf, statisticsOf, type Sampled } from '../../support/statistics-sample.js';
import { queryOn, StatisticsDatabase } from './statistics-database.js';

const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const WEEK = sampleOf(400, NOW - 7 * DAY, NOW - HOUR, 1);

let database: StatisticsDatabase;
beforeAll(async () => {
  database = await StatisticsDatabase.create();
});
afterAll(() => database.close());
beforeEach(() => database.clear());

const source = () => database.source;
const requestAt = (atMs: number, more: Partial<Sampled> = {}): Sampled => ({ ...WEEK[0]!, ...more, atMs });

/** Creates all rollups that end by this time again, and returns them. */
async function rebuiltUntil(endMs: number): Promise<Record<string, unknown>[]> {
  await source().query('truncate stats_rollup, stats_rollup_splits');
  await source().query('update stats_rollup_state set rolled_from = null, rolled_until = null, fine_from = null');
  const session = new RollupSession(queryOn(await database.connect()));
  do expect(await session.rollNext()).toBe(true);
  while ((await database.state()).rolled_until!.getTime() < endMs);
  return database.blocks();
}

/** Runs `happens` after each statement of a transaction. */
const interruptedAfterEach = (given: DataSource, happens: () => Promise<unknown>): DataSource =>
  Object.assign(Object.create(given), {
    transaction: (isolation: 'REPEATABLE READ', work: (transaction: EntityManager) => Promise<unknown>) =>
      given.transaction(isolation, (transaction) => {
        const query = async (...asked: [string, unknown[]]) => {
          const response: unknown = await transaction.query(...asked);
          await happens();
          return response;
        };
        return work(Object.assign(Object.create(transaction), { query }) as EntityManager);
      }),
  }) as DataSource;

describe('RollupJob', () => {
  test('a rollup keeps all counts and leaves the open hour alone', async () => {
    await insert(source(), [...WEEK, requestAt(Date.now())]);
    const was = statisticsOf('endpoint', WEEK, query());
    expect(await database.newJob().run()).toBe(true);
    const { rolled_until, closed_until } = await database.state();
    expect(rolled_until).toEqual(closed_until);
    expect(rolled_until!.getTime()).toBeLessThanOrEqual(Date.now() - 600_000);
    expect(rolled_until!.getTime()).toBeGreaterThan(Date.now() - 600_000 - HOUR);
    const counts = (rows: readonly { value: string; requests: number; latencySumMs: number }[]) =>
      rows
        .map(({ value, requests, latencySumMs }) => ({ value, requests, latencySumMs }))
        .sort((a, b) => (a.value < b.value ? -1 : 1));
    const until_ = query({ untilMs: NOW - HOUR });
    expect(counts(await database.statistics.rank('endpoint', until_))).toEqual(counts(was));
    expect(await database.count()).toBe(WEEK.length + 1);
  });

  test('an hour that is already rolled up is not rolled up again', async () => {
    await insert(source(), WEEK);
    await database.newJob().run();
    const was = await source().query('select xmin, ctid from stats_rollup order by 2');
    expect(await database.newJob().run()).toBe(false);
    expect(await source().query('select xmin, ctid from stats_rollup order by 2')).toEqual(was);
  });

  test('a rollup continues where it stopped, after any interval', async () => {
    await insert(source(), WEEK);
    for (const days of [6, 5.3, 2, 0.1]) await database.rollUp(NOW - days * DAY);
    await database.newJob().run();
    const inParts = await database.blocks();
    expectEqual(inParts, await database.rebuild());
  });

  test('a gateway without requests has no rollups, and counts from its first request on', async () => {
    await database.rollUp(NOW - 3 * DAY);
    await database.rollUp(NOW - 2 * DAY);
    expect(await database.blocks()).toEqual([]);
    await insert(source(), [requestAt(NOW - DAY)]);
    await database.newJob().run();
    expect(await database.count()).toBe(1);
    expect(await database.lateHours()).toBe(0);
  });

  test('rollups shorter than 16 hours are kept for 35 days', async () => {
    const old = sampleOf(300, NOW - 38 * DAY, NOW - 34 * DAY, 9);
    // The end of a rollup of 256 hours, so that no rollup of these requests is longer than the hours that are rolled up here.
    const end = (Math.floor((NOW - 34 * DAY) / (256 * HOUR)) + 1) * 256 * HOUR;
    await insert(source(), old);
    await database.rollUp(end + HOUR / 2);
    expect((await database.state()).rolled_until).toEqual(new Date(end));
    // Skips hours without requests, because the job would take seconds for a month of them.
    await source().query('update stats_rollup_state set closed_until = $1, rolled_until = $1', [
      new Date(NOW - 2 * HOUR),
    ]);
    await database.newJob().run();
    const { fine_from, rolled_until } = await database.state();
    expect(rolled_until!.getTime() - fine_from!.getTime()).toBeGreaterThanOrEqual(35 * DAY);
    expect(rolled_until!.getTime() - fine_from!.getTime()).toBeLessThan(35 * DAY + 16 * HOUR);
    const short = await source().query<{ old: number; young: number }[]>(
      `select count(*) filter (where start < $1)::int as old, count(*) filter (where start >= $1)::int as young
         from stats_rollup where hours < 16`,
      [fine_from],
    );
    expect(short[0]!.old).toBe(0);
    expect(short[0]!.young).toBeGreaterThan(0);
    expect(await database.count()).toBe(old.length);
    // A late row in the coarse part goes directly into long rollups.
    await insert(source(), [requestAt(fine_from!.getTime() - 10 * HOUR)]);
    expect(await database.count()).toBe(old.length + 1);
    await database.newJob().run();
    expect([await database.count(), await database.lateHours()]).toEqual([old.length + 1, 0]);
    const built = await database.blocks();
    expect(await rebuiltUntil(end)).toEqual(built);
  });

  test('a model whose name is a key ID is counted separately from the key', async () => {
    const { keyId } = WEEK[0]!;
    await insert(
      source(),
      [0, 1, 2, 3].map((hour) => requestAt(NOW - 2 * DAY + hour * HOUR, { model: keyId })),
    );
    await database.newJob().run();
    const rows = await source().query<Record<string, unknown>[]>(
      `select dimension, sum(requests)::int as n, bool_or(models is not null) as used from stats_rollup
        where value = $1 and hours = 4 group by 1 order by 1`,
      [keyId],
    );
    expect(rows).toEqual([
      { dimension: 'key', n: 4, used: true },
      { dimension: 'model', n: 4, used: false },
    ]);
  });
});

test('statistics come from one snapshot, even if the rollups change between statements', async () => {
  await insert(source(), WEEK);
  await database.rollUp(NOW - 5 * DAY);
  const sinceMs = NOW - 6.9 * DAY;
  const wanted = statisticsOf('endpoint', WEEK, query({ sinceMs })).map(({ value, requests }) => [value, requests]);
  const coarsened = interruptedAfterEach(source(), () =>
    source().query(
      `with gone as (delete from stats_rollup where hours < 16) update stats_rollup_state set fine_from = rolled_until`,
    ),
  );
  const response = await new StatisticsReadModel(coarsened).rank('endpoint', query({ sinceMs }));
  expect(await source().query('select 1 from stats_rollup where hours < 16')).toEqual([]);
  expect(response.map(({ value, requests }) => [value, requests]).sort()).toEqual(wanted.sort());
});

describe('concurrent and interrupted rollups', () => {
  test('concurrent jobs produce the same rollups as one job', async () => {
    await insert(source(), WEEK);
    const responses = await Promise.all([1, 2, 3].map(() => database.newJob().run()));
    expect(responses).toContain(true);
    expect(await database.count()).toBe(WEEK.length);
    const together = await database.blocks();
    expectEqual(together, await database.rebuild());
  });

  test('if two sessions run without the lock, one step commits and the other fails to serialize', async () => {
    await insert(source(), WEEK);
    const [one, other] = [await database.connect(), await database.connect()];
    const session = new RollupSession(queryOn(one));
    await session.close(NOW - HOUR);
    await session.rollNext();
    await other.query('begin isolation level repeatable read');
    await other.query('select 1 from stats_rollup_state');
    await session.rollNext();
    await expect(other.query('select 1 from stats_rollup_state for update')).rejects.toThrow(/could not serialize/);
    await other.query('rollback');
    await database.newJob().run();
    expect(await database.count()).toBe(WEEK.length);
  });

  test('counts are exact at every moment of a running rollup', async () => {
    await insert(source(), WEEK);
    const job = database
      .newJob()
      .run()
      .then(() => (done = true));
    let done = false;
    for (let late = 0; !done; late++) {
      await insert(source(), [requestAt(NOW - 6 * DAY + late * 3 * HOUR)]);
      expect(await database.count()).toBe(WEEK.length + late + 1);
    }
    await job;
  });

  const ROWS = sampleOf(60, NOW - 20 * HOUR, NOW - 2 * HOUR, 1);
  let expected: Record<string, unknown>[] | undefined;
  test.each([1, 3, 5, 6, 7, 8, 9, 10, 21, 60])(
    'the next process completes the rollups of a process that dies after %i statements',
    async (statements) => {
      await insert(source(), ROWS);
      const client = await database.connect();
      let left = statements;
      const query: Query = async <R extends object>(sql: string, parameters?: unknown[]) => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return (await client.query<R>(sql, parameters)).rows;
      };
      const session = new RollupSession(query);
      const dying = (async () => {
        await session.close(NOW - HOUR);
        while (await session.rollNext());
      })();
      await dying.catch(() => undefined);
      // Destroys the socket, so that the server sees the same as when a process is killed.
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      expect(await database.count()).toBe(ROWS.length);
      await until(
        async () =>
          database
            .newJob()
            .run()
            .then(
              () => true,
              () => false,
            ),
        5000,
      );
      expect(await database.count()).toBe(ROWS.length);
      const completed = await database.blocks();
      expected ??= await database.rebuild();
      expect(completed).toEqual(expected);
    },
  );

  test('a job rejects if its connection is lost, and the next run completes the rollups', async () => {
    await insert(source(), WEEK);
    const job = database.newJob();
    const running = job.run();
    const cut = expect(running).rejects.toThrow();
    const CUT = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gateway-rollup' and datname = current_database()`;
    await until(async () => (await database.state()).rolled_until !== null);
    await source().query(CUT);
    await cut;
    expect(await database.count()).toBe(WEEK.length);
    await until(() => job.run());
    expectEqual(await database.blocks(), await database.rebuild());
  });

  test('a shutdown aborts the running rollup', async () => {
    await insert(source(), WEEK);
    const job = database.newJob();
    const running = job.run().catch((error: Error) => error);
    await until(async () => (await database.state()).rolled_until !== null);
    await job.onApplicationShutdown();
    expect(await running).toBeInstanceOf(Error);
    expect(await database.count()).toBe(WEEK.length);
  });
});
