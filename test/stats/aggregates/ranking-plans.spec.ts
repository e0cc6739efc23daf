import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { rankingSource, rankingValues } from '../../../src/stats/aggregates/statistics.read-model.js';
import type { Dimension, StatisticsQuery } from '../../../src/stats/aggregates/statistics-query.js';
import { DAY, HOUR, insert, keyIdOf, query, sampleOf, type Sampled } from '../../support/statistics-sample.js';
import { StatisticsDatabase } from './statistics-database.js';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Node[];
}

const RANKING = readFileSync('src/stats/aggregates/ranking.sql', 'utf8');
const CLOSED = Math.floor(Date.now() / HOUR) * HOUR - 2 * HOUR;
const DIMENSIONS: readonly Dimension[] = ['key', 'model', 'endpoint'];

let database: StatisticsDatabase;
let open: Sampled[];
beforeAll(async () => {
  database = await StatisticsDatabase.create();
  open = sampleOf(800, CLOSED, Date.now(), 2);
  await insert(database.source, [...sampleOf(6000, CLOSED - 9 * DAY, CLOSED, 1), ...open]);
  await database.rollUp(CLOSED + 0.5 * HOUR);
  await database.source.query('vacuum analyze stats_rollup');
});
afterAll(() => database.close());

/** Returns the scans of a table and its partitions in the plan of a ranking. */
async function scansOf(table: string, dimension: Dimension, asked: StatisticsQuery): Promise<Node[]> {
  return database.source.transaction('REPEATABLE READ', async (transaction) => {
    const values = rankingValues(await rankingSource(dimension, asked, transaction), asked);
    const [response] = await transaction.query<{ 'QUERY PLAN': [{ Plan: Node }] }[]>(
      `explain (analyze, format json) ${RANKING}`,
      values,
    );
    return nodesOf(response!['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name']?.startsWith(table));
  });
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const rowsOf = (nodes: readonly Node[]) =>
  nodes.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);

test.each(DIMENSIONS)('a ranking by %s reads each row of the open hour once', async (dimension) => {
  for (const sortBy of ['request_count', 'p95_latency_ms'] as const)
    expect(rowsOf(await scansOf('request_logs', dimension, query({ sortBy })))).toBe(open.length);
});

test('a ranking filtered by key reads only the rows of this key in the open hour', async () => {
  const keyId = keyIdOf(1);
  expect(rowsOf(await scansOf('request_logs', 'key', query({ keyId })))).toBe(
    open.filter((row) => row.keyId === keyId).length,
  );
});

test.each(DIMENSIONS)(
  'a ranking by %s sums rollups with an index-only scan, also if it is sorted by cost',
  async (dimension) => {
    for (const sortBy of ['request_count', 'cost'] as const) {
      const [totals, histograms, ...more] = await scansOf('stats_rollup', dimension, query({ limit: 1, sortBy }));
      // A ranking of keys also reads the models of the listed keys.
      expect(more).toHaveLength(dimension === 'key' ? 1 : 0);
      for (const models of more) expect(models['Node Type']).toMatch(/^(Index|Bitmap Heap) Scan$/);
      expect(totals).toMatchObject({ 'Node Type': 'Index Only Scan' });
      expect(totals!['Actual Rows'] * totals!['Actual Loops']).toBeGreaterThan(0);
      expect(histograms).not.toMatchObject({ 'Node Type': 'Index Only Scan' });
    }
  },
);
