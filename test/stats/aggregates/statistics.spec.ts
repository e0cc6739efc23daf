import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ENDPOINT_SORTS,
  TOKEN_SORTS,
  type Dimension,
  type StatisticsQuery,
  type StatisticsRow,
  type StatisticsSort,
} from '../../../src/stats/aggregates/statistics-query.js';
import { describeInOrder } from '../../support/describe-in-order.js';
import { bytewise, expectRows } from './expect-rows.js';
import {
  DAY,
  HOUR,
  insert,
  keyIdOf,
  query,
  sampleOf,
  statisticsOf,
  topModelsOf,
  type Sampled,
} from '../../support/statistics-sample.js';
import { StatisticsDatabase } from './statistics-database.js';

const DIMENSIONS: Dimension[] = ['key', 'model', 'endpoint'];
/** The start of the current hour. The sample has rows before and after it. */
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const BEGUN = NOW - 44 * DAY - 17.3 * HOUR;

let database: StatisticsDatabase;
let rows: Sampled[];
beforeAll(async () => {
  database = await StatisticsDatabase.create();
  const old = sampleOf(3000, BEGUN, NOW - 3 * HOUR, 1);
  // At the edges of hours, days and rollups, and one millisecond before.
  const edges = sampleOf(200, 0, 1, 2).map((row, i) => {
    const edge = NOW - Math.floor(i / 2) * HOUR * (i % 3 === 0 ? 1 : 7);
    return { ...row, atMs: i % 2 === 0 ? edge : edge - 1 };
  });
  rows = [...old, ...edges, ...sampleOf(60, NOW - 3 * HOUR, Date.now(), 3)];
  await insert(database.source, rows);
});
afterAll(() => database.close());

const METRICS: Record<StatisticsSort, (row: StatisticsRow) => number> = {
  request_count: (row) => row.requests,
  error_count: (row) => row.clientErrors + row.serverErrors,
  total_tokens: (row) => row.inputTokens + row.outputTokens,
  cost: (row) => row.costNanos,
  avg_latency_ms: (row) => row.latencySumMs / row.requests,
  max_latency_ms: (row) => row.latencyMaxMs,
  p95_latency_ms: (row) => row.p95LatencyMs,
};
const ranked = (list: readonly StatisticsRow[], { sortBy, sortDir, limit }: StatisticsQuery) =>
  list
    .toSorted(
      (a, b) => (METRICS[sortBy](a) - METRICS[sortBy](b)) * (sortDir === 'asc' ? 1 : -1) || bytewise(a.value, b.value),
    )
    .slice(0, limit);
const rank = (dimension: Dimension, asked: StatisticsQuery) => database.statistics.rank(dimension, asked);

const at = (index: number) => rows[index]!.atMs;
const SPANS = (): Partial<StatisticsQuery>[] => [
  {},
  { sinceMs: NOW - 30 * DAY + 1234 },
  { sinceMs: at(7), untilMs: at(7) },
  { sinceMs: Math.min(at(11), at(12)), untilMs: Math.max(at(11), at(12)) },
  { sinceMs: NOW - 9 * DAY, untilMs: NOW - 2 * DAY },
  { sinceMs: NOW - 9 * DAY, untilMs: NOW - 2 * DAY - 1 },
  { sinceMs: NOW - 9 * DAY + 1, untilMs: NOW - 2 * DAY + 1 },
  { sinceMs: NOW - 40 * DAY - 40 * HOUR - 1, untilMs: NOW - 38 * DAY },
  { sinceMs: NOW - 5 * HOUR },
  { sinceMs: Date.now() - 0.2 * HOUR },
  { untilMs: NOW - 20 * DAY },
  { untilMs: BEGUN - DAY },
  { sinceMs: Date.now() + DAY },
  { sinceMs: Date.parse('0001-01-01T00:00:00Z'), untilMs: Date.parse('9999-12-31T23:59:59.999Z') },
];
const FILTERS: Partial<StatisticsQuery>[] = [
  {},
  { keyId: keyIdOf(0) },
  { keyId: keyIdOf(1) },
  { keyId: keyIdOf(99) },
  { model: 'm-0' },
  { model: '' },
  { model: keyIdOf(1) },
  { model: 'vendor/m é 3' },
  { model: 'nobody asked' },
  { keyId: keyIdOf(0), model: 'm-0' },
  { keyId: keyIdOf(0), model: keyIdOf(1) },
];

/** The number of the state. */
let turn = 0;
/** Each state checks different pairs of filter and span. Together the states check all pairs. */
async function expectEverything(off: number): Promise<void> {
  for (const dimension of DIMENSIONS) {
    for (const [i, span] of SPANS().entries()) {
      for (const filter of FILTERS.filter((_, j) => j === 0 || (i + j + turn) % 5 === 0)) {
        const asked = query({ ...span, ...filter });
        expectRows(await rank(dimension, asked), statisticsOf(dimension, rows, asked), off);
      }
    }
  }
}

const ORDERS = [
  ['asc', 500],
  ['asc', 3],
  ['desc', 500],
  ['desc', 3],
] as const;

/** Each state checks one order of each sort and span. Together the states check all orders, both of rows and of rollups. */
async function expectEveryOrder(off: number): Promise<void> {
  const since = { sinceMs: NOW - 30 * DAY + 77 };
  // With both filters, statistics come from the rows in every state.
  const spans = [{}, since, { ...since, keyId: keyIdOf(0), model: 'm-0' }];
  for (const dimension of DIMENSIONS) {
    for (const [i, sortBy] of (dimension === 'endpoint' ? ENDPOINT_SORTS : TOKEN_SORTS).entries()) {
      for (const [j, span] of spans.entries()) {
        const [sortDir, limit] = ORDERS[(i + j + turn) % ORDERS.length]!;
        await expectOrder(dimension, query({ ...span, sortBy, sortDir, limit }), j === 2 ? 0 : off);
      }
    }
  }
}

async function expectOrder(dimension: Dimension, asked: StatisticsQuery, off: number): Promise<void> {
  const actual = await rank(dimension, asked);
  const wanted = statisticsOf(dimension, rows, asked);
  expect(actual.length).toBe(Math.min(asked.limit, wanted.length));
  const inOrder = asked.sortBy === 'p95_latency_ms' && off > 0 ? ranked(actual, asked) : ranked(wanted, asked);
  expect(actual.map(({ value }) => value)).toEqual(inOrder.map(({ value }) => value));
  const values = new Set(actual.map(({ value }) => value));
  expectRows(
    actual,
    wanted.filter(({ value }) => values.has(value)),
    off,
  );
}

async function expectTopModels(off: number): Promise<void> {
  await database.source.query(
    `insert into api_keys (id, name, key_hash, key_hint) values ($1, 'known', $2, '') on conflict do nothing`,
    [keyIdOf(0), Buffer.from(keyIdOf(0))],
  );
  const all = await database.statistics.rankKeys(query());
  expectRows(all, statisticsOf('key', rows, query()), off);
  expect(all.map(({ value, keyName }) => [value, keyName])).toEqual(
    all.map(({ value }) => [value, value === keyIdOf(0) ? 'known' : null]),
  );
  for (const { value, topModels } of all) expect(topModels).toEqual(topModelsOf(value, rows));
  expect(all.some(({ topModels }) => topModels.length === 10)).toBe(true);
  const one = await database.statistics.rankKeys(query({ keyId: keyIdOf(3) }));
  expect(one.map(({ value, topModels }) => ({ value, topModels }))).toEqual([
    { value: keyIdOf(3), topModels: topModelsOf(keyIdOf(3), rows) },
  ]);
  const of = await database.statistics.rankKeys(query({ model: 'm-0', sortBy: 'p95_latency_ms' }));
  for (const { topModels, requests } of of) expect(topModels).toEqual([{ model: 'm-0', count: requests }]);
}

describeInOrder('statistics', () => {
  describe.each([
    { state: 'nothing is rolled up', reach: async () => undefined, off: 0 },
    { state: 'the older half is rolled up', reach: () => database.rollUp(NOW - 20 * DAY), off: 0.011 },
    { state: 'every closed hour is rolled up', reach: () => database.rollUp(), off: 0.011 },
    {
      state: 'late rows arrived after their hours were rolled up',
      reach: async () => {
        const late = [...sampleOf(40, BEGUN - 90 * DAY, BEGUN, 4), ...sampleOf(40, BEGUN, NOW - HOUR, 5)];
        await insert(database.source, late);
        rows.push(...late);
      },
      off: 0.011,
    },
    { state: 'the late rows are rolled up too', reach: () => database.rollUp(), off: 0.011 },
  ])('statistics when $state', ({ reach, off }) => {
    beforeAll(async () => {
      turn++;
      await reach();
    });

    test('statistics match the rows for each filter and time span', () => expectEverything(off));

    test('rows follow the requested order, and ties are ordered by value', () => expectEveryOrder(off));

    test('each key is listed with its ten most used models', () => expectTopModels(off));
  });
});

test('latencies differ from their bucket by at most 1%, and are exact below 50 ms', async () => {
  const [row] = await database.source.query<Record<string, number>[]>(`
    select max(abs(stats_bucket_ms(stats_bucket(ms)) - ms) / greatest(ms, 1)) as off,
           max(abs(stats_bucket_ms(stats_bucket(ms)) - ms)) filter (where ms < 50) as small
      from (select n as ms from generate_series(0, 50000) n
             union all select (2147483647 * power(random(), 4))::int from generate_series(1, 50000)
             union all select 2147483647) latency`);
  expect(row!.off).toBeLessThanOrEqual(0.01);
  expect(row!.small).toBe(0);
});
