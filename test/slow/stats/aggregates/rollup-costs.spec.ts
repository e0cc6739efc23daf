import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectEqual } from '../../../support/expect-equal.js';
import { StatisticsCosts1790000022200 } from '../../../../migrations/1790000022200-statistics-costs.js';
import { RollupSession } from '../../../../src/stats/aggregates/stores/rollup.store.js';
import type { Dimension, StatisticsQuery } from '../../../../src/stats/aggregates/statistics-query.js';
import {
  DAY,
  HOUR,
  insert,
  keyIdOf,
  query,
  sampleOf,
  statisticsOf,
  type Sampled,
} from '../../../support/statistics-sample.js';
import { expectRows } from '../../../stats/aggregates/expect-rows.js';
import { queryOn, StatisticsDatabase } from '../../../stats/aggregates/statistics-database.js';

const DIMENSIONS: Dimension[] = ['key', 'model', 'endpoint'];
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const BEGUN = Math.floor((NOW - 5 * DAY) / (16 * HOUR)) * 16 * HOUR;
/** Enough for splits of 64 hours. */
const ROWS = sampleOf(9000, BEGUN, NOW - HOUR, 1);

let database: StatisticsDatabase;
beforeAll(async () => {
  database = await StatisticsDatabase.create();
});
afterAll(() => database.close());
beforeEach(() => database.clear());

const source = () => database.source;

const FILTERS: readonly Partial<StatisticsQuery>[] = [{}, { keyId: keyIdOf(0) }, { model: 'm-0' }];

async function expectStatistics(rows: readonly Sampled[], filters = FILTERS): Promise<void> {
  for (const dimension of DIMENSIONS)
    for (const filter of filters) {
      const asked = query(filter);
      expectRows(await database.statistics.rank(dimension, asked), statisticsOf(dimension, rows, asked), 0.011);
    }
}

/** Hours before the current one that are not rolled up. */
const openHours = async () => (NOW - (await database.state()).rolled_until!.getTime()) / HOUR;

const withoutCosts = async () => {
  const [row] = await source().query<{ rollups: number; splits: number }[]>(
    `select (select count(*)::int from stats_rollup where cost_nanos is null) as rollups,
            (select count(*)::int from stats_rollup_splits where costs is null) as splits`,
  );
  return row!;
};

describe('requests that are priced after their hour was rolled up', () => {
  test('requests that are priced late have their costs in statistics after the next run, and no rows are read until then', async () => {
    await insert(source(), ROWS);
    await database.rollUp();
    const before = await database.blocks();
    // Within one rollup of 64 hours, because shorter ones are not split. Filtered statistics read the rows of those.
    const noon = Math.ceil(BEGUN / (64 * HOUR)) * 64 * HOUR + 20 * HOUR;
    await source().query(
      `update request_logs set cost_nanos = 777, cost = '{"provider": "default", "unpriced": []}'
        where created_at >= $1 and created_at < $2 and cost ->> 'unpriced' <> '[]'`,
      [new Date(noon), new Date(noon + 20 * HOUR)],
    );
    expectEqual(await database.blocks(), before);
    await expectStatistics(ROWS);
    expect(await database.lateHours()).toBe(20);
    await database.rollUp();
    const priced = ROWS.map((row): Sampled => {
      const isPriced = row.atMs >= noon && row.atMs < noon + 20 * HOUR && row.cost?.unpriced === true;
      return isPriced ? { ...row, cost: { nanos: 777n, unpriced: false } } : row;
    });
    await expectStatistics(priced);
    expect(await database.lateHours()).toBe(0);
    const updated = await database.blocks();
    expectEqual(updated, await database.rebuild());
  });

  test('hours with late rows come first, because statistics read their rows until they are rolled up', async () => {
    await insert(source(), ROWS.slice(0, 100));
    await database.rollUp(BEGUN + 5 * HOUR);
    await source().query(`insert into stats_late_hours (hour, cost_only) values ($1, true), ($2, false)`, [
      new Date(BEGUN),
      new Date(BEGUN + 3 * HOUR),
    ]);
    const client = await database.connect();
    expect(await new RollupSession(queryOn(client)).rollLate()).toBe(true);
    expect(await source().query('select cost_only from stats_late_hours')).toEqual([{ cost_only: true }]);
  });
});

describe('rollups of releases without costs', () => {
  test('rollups without costs stay when the migration adds costs, and hours with recorded costs are rolled up again', async () => {
    await insert(source(), ROWS);
    await database.rollUp();
    const since = new Date(BEGUN + 3 * DAY).toISOString().slice(0, 10);
    await source().query(`update cost_backfill set until = $1`, [since]);
    const columns = `select count(*)::int as n, sum(requests)::int as requests from stats_rollup`;
    const before = await source().query<object[]>(columns);
    const runner = source().createQueryRunner();
    try {
      const migration = new StatisticsCosts1790000022200();
      await migration.down(runner);
      expect(await runner.query(columns)).toEqual(before);
      await migration.up(runner);
    } finally {
      await runner.release();
      await source().query(`update cost_backfill set until = null`);
    }
    expect(await source().query(columns)).toEqual(before);
    expect(await database.lateHours()).toBe((NOW - Date.parse(since)) / HOUR - (await openHours()));
    await database.rollUp();
    const unknown = { nanos: null, unpriced: true } as const;
    const asked = query({ sinceMs: Date.parse(since) });
    expectRows(await database.statistics.rank('key', asked), statisticsOf('key', ROWS, asked), 0.011);
    // The hours before are summed up in rollups without costs. Longer rollups that contain both are created again from these.
    const early = query({ untilMs: BEGUN + 48 * HOUR - 1 });
    const rows = ROWS.map((row): Sampled => ({ ...row, cost: unknown }));
    expectRows(await database.statistics.rank('key', early), statisticsOf('key', rows, early), 0.011);
  });

  test('rollups from before the migration count all requests as unpriced', async () => {
    await insert(source(), ROWS);
    await database.rollUp();
    // As the migration leaves them.
    await source().query('update stats_rollup set cost_nanos = 0, unpriced = -1');
    await source().query(`update stats_rollup_splits set costs = '{}', unpriced = '{}'`);
    expect(await database.newJob().run()).toBe(false);
    const unknown = ROWS.map((row): Sampled => ({ ...row, cost: { nanos: null, unpriced: true } }));
    await expectStatistics(unknown, [{}]);
    // Only busy rollups of the key are split. The rows of the others have costs.
    const [busiest] = await database.statistics.rank('endpoint', query({ keyId: keyIdOf(0) }));
    expect(busiest!.unpricedRequests).toBeGreaterThan(0.75 * busiest!.requests);
  });

  test('rollups that a process of the previous release creates alongside this release are created again', async () => {
    await insert(source(), ROWS);
    await database.rollUp();
    const wanted = [await database.blocks(), await database.splits()];
    await source().query(
      'update stats_rollup set cost_nanos = null, unpriced = null where start >= $1 and (hours = 4 or start < $2)',
      [new Date(BEGUN + 20 * HOUR), new Date(BEGUN + 40 * HOUR)],
    );
    await source().query('update stats_rollup_splits set costs = null, unpriced = null where start < $1', [
      new Date(BEGUN + 70 * HOUR),
    ]);
    expect((await withoutCosts()).rollups).toBeGreaterThan(0);
    expect((await withoutCosts()).splits).toBeGreaterThan(0);
    expect(await database.newJob().run()).toBe(true);
    expect(await withoutCosts()).toEqual({ rollups: 0, splits: 0 });
    expectEqual(await database.blocks(), wanted[0]!);
    expectEqual(await database.splits(), wanted[1]!);
    await expectStatistics(ROWS);
    expect(await database.newJob().run()).toBe(false);
  });
});
