import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectEqual } from '../../../support/expect-equal.js';
import { Clock } from '../../../../src/platform/clock.js';
import type { Dimension, StatisticsQuery } from '../../../../src/stats/aggregates/statistics-query.js';
import { describeInOrder } from '../../../support/describe-in-order.js';
import { expectRows } from '../../../stats/aggregates/expect-rows.js';
import {
  DAY,
  HOUR,
  insert,
  keyIdOf,
  query,
  random,
  sampleOf,
  statisticsOf,
  type Sampled,
} from '../../../support/statistics-sample.js';
import { StatisticsDatabase } from '../../../stats/aggregates/statistics-database.js';

const DIMENSIONS: Dimension[] = ['key', 'model', 'endpoint'];
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
/** The start of a 16-hour rollup, so that the sample covers that rollup completely. */
const BEGUN = Math.floor((NOW - 20 * DAY) / (16 * HOUR)) * 16 * HOUR;
const RUSH = BEGUN + 48 * HOUR;

let database: StatisticsDatabase;
let rows: Sampled[];
beforeAll(async () => {
  database = await StatisticsDatabase.create();
  rows = [
    ...sampleOf(20_000, BEGUN, BEGUN + 7 * DAY, 1),
    // One hour that is busy enough to be split on its own.
    ...sampleOf(5000, RUSH, RUSH + HOUR, 2),
    // Days without a busy rollup, up to and including the open hour.
    ...sampleOf(600, BEGUN + 7 * DAY, Date.now(), 3),
  ];
  await insert(database.source, rows);
});
afterAll(() => database.close());

const SPANS: Partial<StatisticsQuery>[] = [
  {},
  { sinceMs: BEGUN, untilMs: BEGUN + 16 * HOUR - 1 },
  { sinceMs: BEGUN + 1, untilMs: BEGUN + 16 * HOUR },
  { sinceMs: RUSH, untilMs: RUSH + HOUR - 1 },
  { sinceMs: RUSH - 1, untilMs: RUSH + 4 * HOUR },
  { sinceMs: RUSH + 0.5 * HOUR, untilMs: RUSH + 3 * DAY + 1234 },
  { sinceMs: BEGUN + 40 * HOUR + 77 },
  { untilMs: BEGUN + 5 * DAY },
  { sinceMs: NOW - 3 * DAY },
];
const FILTERS: Partial<StatisticsQuery>[] = [
  { keyId: keyIdOf(0).toUpperCase() },
  { keyId: keyIdOf(1) },
  { keyId: keyIdOf(8) },
  { model: 'm-0' },
  { model: 'M-1' },
  { model: '' },
  // A key has the same ID.
  { model: keyIdOf(1) },
  { model: 'nobody asked' },
];

let turn = 0;
/** Filters each dimension by the other ones. Each state checks every filter, and alternates between three thirds of the spans. */
async function expectEveryFilter(): Promise<void> {
  turn++;
  for (const dimension of DIMENSIONS) {
    for (const [i, filter] of FILTERS.entries()) {
      if ((filter.model === undefined ? 'key' : 'model') === dimension) continue;
      for (const span of SPANS.filter((_, j) => j === 0 || (i + j + turn) % 3 === 0)) {
        const asked = query({ ...span, ...filter });
        const wanted = statisticsOf(dimension, rows, { ...asked, keyId: asked.keyId?.toLowerCase() ?? null });
        expectRows(await database.statistics.rank(dimension, asked), wanted, 0.011);
        if (span !== SPANS[0]) continue;
        const byP95 = await database.statistics.rank(dimension, { ...asked, sortBy: 'p95_latency_ms', limit: 2 });
        expect(byP95.length).toBe(Math.min(2, wanted.length));
        expectRows(
          byP95,
          wanted.filter(({ value }) => byP95.some((row) => row.value === value)),
          0.011,
        );
      }
    }
  }
}

const splitLengths = async () =>
  (
    await database.source.query<{ hours: number }[]>('select distinct hours from stats_rollup_splits order by hours')
  ).map(({ hours }) => hours);

describeInOrder('splits of busy rollups', () => {
  describe.each([
    { state: 'busy rollups are split', reach: () => database.rollUp() },
    {
      state: 'some busy rollups are not split yet',
      reach: async () => {
        const next = random(7);
        const all = await database.source.query<{ ctid: string }[]>('select ctid from stats_rollup_splits order by 1');
        const deleted = all.filter(() => next() < 0.5).map(({ ctid }) => ctid);
        await database.source.query('delete from stats_rollup_splits where ctid = any($1::tid[])', [deleted]);
      },
    },
    {
      state: 'the previous release created the rollups',
      reach: () => database.source.query('truncate stats_rollup_splits'),
    },
    { state: 'the rollups of the previous release are split too', reach: () => database.rollUp() },
    {
      state: 'late rows arrived after their rollup was split',
      reach: async () => {
        const late = [...sampleOf(40, BEGUN - 3 * DAY, NOW - HOUR, 4), ...sampleOf(20, RUSH, RUSH + HOUR, 5)];
        await insert(database.source, late);
        rows.push(...late);
      },
    },
    { state: 'the late rows are rolled up and split too', reach: () => database.rollUp() },
  ])('splits when $state', ({ reach }) => {
    beforeAll(reach);

    test('statistics filtered by another dimension match the rows', () => expectEveryFilter());
  });

  test('splits exist for each length with a busy rollup, and do not depend on when they were made', async () => {
    expect(await splitLengths()).toEqual([1, 4, 16, 64, 256]);
    const grown = await database.splits();
    await database.rebuild();
    const rebuilt = await database.splits();
    expectEqual(grown, rebuilt);
    expect(grown.length).toBeGreaterThan(500);
  });

  test('a run stops splitting when another hour closes', async () => {
    await database.source.query('truncate stats_rollup_splits');
    let looks = 0;
    const clock = Object.assign(new Clock(), { now: () => Date.now() + (looks++ === 0 ? 0 : HOUR) });
    await database.newJob(clock).run();
    expect(await splitLengths()).toEqual([]);
    await database.newJob().run();
    expect(await splitLengths()).toEqual([1, 4, 16, 64, 256]);
  });

  test('filtered statistics come from the splits, even if the rows are deleted', async () => {
    const asked = query({ sinceMs: RUSH, untilMs: RUSH + HOUR - 1, model: 'm-0' });
    await database.source.query('delete from request_logs where created_at >= $1 and created_at < $2', [
      new Date(RUSH),
      new Date(RUSH + HOUR),
    ]);
    expectRows(await database.statistics.rank('key', asked), statisticsOf('key', rows, asked), 0.011);
  });

  test('a busy rollup whose rows are deleted is not considered for splitting again', async () => {
    await database.source.query('truncate request_logs, stats_rollup_splits');
    expect(await database.newJob().run()).toBe(true);
    expect(await database.splits()).toEqual([]);
    expect(await database.newJob().run()).toBe(false);
  });

  test('a split is deleted with its rollup', async () => {
    expect(await splitLengths()).not.toEqual([]);
    await database.source.query('delete from stats_rollup');
    expect(await splitLengths()).toEqual([]);
  });
});
