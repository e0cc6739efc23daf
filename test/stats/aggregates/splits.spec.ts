import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Clock } from '../../../src/clock/clock.js';
import type { Dimension, StatisticsQuery } from '../../../src/stats/aggregates/statistics-query.js';
import { describeInOrder } from '../../support/describe-in-order.js';
import { expectRows } from './expect-rows.js';
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
} from '../../support/statistics-sample.js';
import { StatisticsDatabase } from './statistics-database.js';

const DIMENSIONS: Dimension[] = ['key', 'model', 'endpoint'];
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
/** Where a block of 16 hours begins, so that it is wholly below. */
const BEGUN = Math.floor((NOW - 20 * DAY) / (16 * HOUR)) * 16 * HOUR;
const RUSH = BEGUN + 48 * HOUR;

let database: StatisticsDatabase;
let rows: Sampled[];
beforeAll(async () => {
  database = await StatisticsDatabase.create();
  rows = [
    ...sampleOf(30_000, BEGUN, BEGUN + 7 * DAY, 1),
    // An hour so busy that it is split by itself, and the hours after it that make four.
    ...sampleOf(5000, RUSH, RUSH + HOUR, 2),
    // Days of which no block is busy, as far as the open hour.
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
  // Also the name of a key.
  { model: keyIdOf(1) },
  { model: 'nobody asked' },
];

let turn = 0;
/** Filtered by what the statistic is not of. Each state has every filter, with the other half of the spans than the one before it. */
async function expectEveryFilter(): Promise<void> {
  turn++;
  for (const dimension of DIMENSIONS) {
    for (const [i, filter] of FILTERS.entries()) {
      if ((filter.model === undefined ? 'key' : 'model') === dimension) continue;
      for (const span of SPANS.filter((_, j) => j === 0 || (i + j + turn) % 2 === 0)) {
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

/** In this order: each state is the one before it and something more. */
describeInOrder('splits', () => {
  describe.each([
    { state: 'blocks are split', reach: () => database.rollUp() },
    {
      state: 'some blocks are not split yet',
      reach: async () => {
        const next = random(7);
        const all = await database.source.query<{ ctid: string }[]>('select ctid from stats_rollup_splits order by 1');
        const gone = all.filter(() => next() < 0.5).map(({ ctid }) => ctid);
        await database.source.query('delete from stats_rollup_splits where ctid = any($1::tid[])', [gone]);
      },
    },
    {
      state: 'the release before has made the ladder',
      reach: () => database.source.query('truncate stats_rollup_splits'),
    },
    { state: 'that is split too', reach: () => database.rollUp() },
    {
      state: 'rows have come after their block was split',
      reach: async () => {
        const late = [...sampleOf(40, BEGUN - 3 * DAY, NOW - HOUR, 4), ...sampleOf(20, RUSH, RUSH + HOUR, 5)];
        await insert(database.source, late);
        rows.push(...late);
      },
    },
    { state: 'those are split too', reach: () => database.rollUp() },
  ])('where $state', ({ reach }) => {
    beforeAll(reach);

    test('a filter by another dimension is answered as the rows say', () => expectEveryFilter());
  });

  test('splits are of each length that has a busy block, and the same whenever they were made', async () => {
    expect(await splitLengths()).toEqual([1, 4, 16, 64, 256]);
    const grown = await database.splits();
    await database.builtAnew();
    const anew = await database.splits();
    expect(grown).toEqual(anew);
    expect(grown.length).toBeGreaterThan(500);
  });

  test('an hour that closes while blocks are split is summed up before the rest of them', async () => {
    await database.source.query('truncate stats_rollup_splits');
    let looks = 0;
    const clock = Object.assign(new Clock(), { now: () => Date.now() + (looks++ === 0 ? 0 : HOUR) });
    await database.newJob(clock).run();
    expect(await splitLengths()).toEqual([]);
    await database.newJob().run();
    expect(await splitLengths()).toEqual([1, 4, 16, 64, 256]);
  });

  test('what is split is not read from rows', async () => {
    const asked = query({ sinceMs: RUSH, untilMs: RUSH + HOUR - 1, model: 'm-0' });
    await database.source.query('delete from request_logs where created_at >= $1 and created_at < $2', [
      new Date(RUSH),
      new Date(RUSH + HOUR),
    ]);
    expectRows(await database.statistics.rank('key', asked), statisticsOf('key', rows, asked), 0.011);
  });

  test('a busy block whose rows are gone for their age is not looked for twice', async () => {
    await database.source.query('truncate request_logs, stats_rollup_splits');
    expect(await database.newJob().run()).toBe(true);
    expect(await database.splits()).toEqual([]);
    expect(await database.newJob().run()).toBe(false);
  });

  test('a split goes with its block', async () => {
    expect(await splitLengths()).not.toEqual([]);
    await database.source.query('delete from stats_rollup');
    expect(await splitLengths()).toEqual([]);
  });
});
