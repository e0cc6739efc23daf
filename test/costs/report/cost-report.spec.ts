import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectEqual } from '../../support/expect-equal.js';
import type { DataSource } from 'typeorm';
import { Config } from '../../../src/platform/config/config.js';
import { sumOf, type CostFigures } from '../../../src/costs/report/cost-figures.rules.js';
import {
  DIMENSIONS,
  GROUPINGS,
  STORED_DIMENSIONS,
  type CostQuery,
  type Dimension,
} from '../../../src/costs/report/cost-query.js';
import { CostReports } from '../../../src/costs/report/cost-report.service.js';
import { COUNTED_KINDS } from '../../../src/costs/usage-kinds.data.js';
import { CostMonthStore } from '../../../src/costs/stores/cost-month.store.js';
import { CostDayStore } from '../../../src/costs/stores/cost-day.store.js';
import { CostReportStore } from '../../../src/costs/stores/cost-report.store.js';
import { StatsDatabase } from '../../support/stats-database.js';
import { dateOf, DAY_MS, insertRows, newKeys, randomRows, type CostRow } from '../../support/cost-rows.js';

let database: StatsDatabase;
let source: DataSource;
let reports: CostReports;
let days: CostDayStore;
let months: CostMonthStore;
let keys: string[];
/** The team of each key that has one, and the tags of both. */
let teamOf: Map<string, { readonly team: string; readonly tags: readonly string[] }>;
beforeAll(async () => {
  database = await StatsDatabase.create();
  source = database.source;
  reports = new CostReports(new CostReportStore(source));
  days = new CostDayStore(source);
  months = new CostMonthStore(source, Config.from({ DATABASE_URL: database.url }));
  keys = [...(await newKeys(source, ['beta', 'Alpha', '@gamma'])), randomUUID()];
  const [team, other] = [randomUUID(), randomUUID()];
  await source.query(`insert into teams (id, name, tags) values ($1, 'Search', '{red}'), ($2, 'ads', '{}')`, [
    team,
    other,
  ]);
  await source.query(`update api_keys set team_id = $2, tags = '{blue}' where id = $1`, [keys[0], team]);
  await source.query(`update api_keys set team_id = $2, tags = '{red,green}' where id = $1`, [keys[1], other]);
  teamOf = new Map([
    [keys[0]!, { team, tags: ['blue', 'red'] }],
    [keys[1]!, { team: other, tags: ['red', 'green'] }],
  ]);
});
afterAll(() => database.close());
beforeEach(() => source.query('delete from cost_daily'));

const now = Date.now();
const ALL = { from: '0001-01-01', to: '9999-12-31' };
const query = (given: Partial<CostQuery> = {}): CostQuery => ({
  days: ALL,
  grouping: 'day',
  filter: {},
  sort: 'name',
  limit: 1000,
  offset: 0,
  rowsMax: 100_000,
  ...given,
});
const read = (given: Partial<CostQuery> = {}) => reports.read(query(given), now);

/** The expected sums, computed in this process. */
const figuresOf = (rows: readonly CostRow[]): CostFigures => {
  const total = (of: (row: CostRow) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const units = total((row) => row.units);
  return {
    requests: total((row) => row.requests),
    unpricedRequests: total((row) => row.unpriced),
    estimatedRequests: total((row) => row.estimated),
    backfilledRequests: total((row) => (row.backfilled ? row.requests : 0)),
    nanos: rows.reduce((sum, row) => sum + row.nanos, 0n),
    units: Object.fromEntries(COUNTED_KINDS.map((kind) => [kind, units])) as CostFigures['units'],
  };
};
function valueIn(row: CostRow, dimension: Dimension): string {
  if (dimension === 'team') return teamOf.get(row.keyId)?.team ?? '';
  return dimension === 'key' ? row.keyId : row[dimension];
}
const hasTag = (row: CostRow, tag: string): boolean => teamOf.get(row.keyId)?.tags.includes(tag) ?? false;
const figuresIn = (group: CostFigures): CostFigures => sumOf([group]);

/** Two to four whole months. */
const DAYS = Array.from({ length: 110 }, (_, ago) => dateOf(now - ago * DAY_MS));
const FILTERS = (rows: readonly CostRow[]): CostQuery['filter'][] => [
  {},
  ...STORED_DIMENSIONS.map((dimension) => ({ [dimension]: valueIn(rows[0]!, dimension) })),
  { team: teamOf.get(keys[0]!)!.team },
  { tag: 'red' },
  { team: teamOf.get(keys[1]!)!.team, tag: 'green', model: 'gpt-4o' },
  { model: '' },
  { key: rows[1]!.keyId, model: rows[1]!.model },
  { provider: rows[2]!.provider, endpoint: rows[2]!.endpoint },
  { key: randomUUID() },
];

/** Compares every second pair of grouping and filter with sums of the rows. The next `turn` compares the other pairs. */
async function expectExact(rows: readonly CostRow[], turn: number): Promise<void> {
  const [from, to] = [DAYS[95]!, DAYS[3]!];
  for (const range of [ALL, { from, to }])
    for (const [i, filter] of FILTERS(rows).entries()) {
      const kept = rows.filter(
        (row) =>
          range.from <= row.day &&
          row.day <= range.to &&
          DIMENSIONS.every((name) => filter[name] === undefined || filter[name] === valueIn(row, name)) &&
          (filter.tag === undefined || hasTag(row, filter.tag)),
      );
      const totals = figuresOf(kept);
      for (const grouping of GROUPINGS.filter((_, j) => (i + j + turn) % 2 === 0)) {
        const report = await read({ days: range, filter, grouping });
        expectEqual(report.totals, totals);
        expectEqual(sumOf(report.groups), totals);
        const [dimension] = DIMENSIONS.filter((name) => grouping.endsWith(name));
        const groupOf = (row: CostRow) =>
          JSON.stringify([
            grouping.startsWith('day') ? row.day : null,
            dimension === undefined ? null : valueIn(row, dimension),
          ]);
        const expected = new Map([...Map.groupBy(kept, groupOf)].map(([name, group]) => [name, figuresOf(group)]));
        const found = new Map(
          report.groups.map((group) => [JSON.stringify([group.day, group.value]), figuresIn(group)]),
        );
        expectEqual(found, expected);
      }
    }
}

describe('a cost report', () => {
  test('equals the sums of its rows for every grouping and filter, before, while and after days are closed', async () => {
    const rows = randomRows(400, keys, DAYS);
    await insertRows(source, rows);
    await expectExact(rows, 0);
    const open = await days.findOpen(1000);
    expect(open.length).toBeGreaterThan(50);
    for (const day of open.filter((_, n) => n % 2 === 0)) await days.close(day);
    await expectExact(rows, 1);
    for (const day of open) await days.close(day);
    expect(await days.findOpen(1000)).toEqual([]);
    await expectExact(rows, 2);
    const closable = await months.findOpen(100);
    expect(closable.length).toBeGreaterThan(1);
    await months.close(closable[0]!);
    await expectExact(rows, 3);
    for (const month of closable) await months.close(month);
    expect(await months.findOpen(100)).toEqual([]);
    await expectExact(rows, 4);
  });

  test('reads closed months from their sums, and reopens a month when one of its rows changes', async () => {
    const [first, last] = ['2026-03-01', '2026-03-31'];
    const rows = randomRows(60, keys, [first, '2026-03-15', last]);
    await insertRows(source, rows);
    expect(await months.findOpen(9)).toEqual([]);
    for (const day of await days.findOpen(9)) await days.close(day);
    expect(await months.findOpen(9)).toEqual([first]);
    expect(await months.close(first)).toBe(true);
    const requests = async (given: Partial<CostQuery>) => sumOf((await read(given)).groups).requests;
    const byModel = { grouping: 'model', filter: { provider: 'azure' } } as const;
    const before = await requests(byModel);
    // Changes the sums without the rows, to show that reports read the sums.
    await source.query(
      `update cost_month_sums set requests = requests + 1000 where filtered = 'provider' and other = 'gpt-4o'`,
    );
    expect(await requests(byModel)).toBe(before + 1000);
    // The sums of the whole month are not used for a part of it.
    const march = { from: first, to: last };
    expect(await requests({ ...byModel, days: march })).toBe(before + 1000);
    expect(await requests({ ...byModel, days: { ...march, to: '2026-03-30' } })).toBeLessThan(before);
    expect(await requests({ ...byModel, days: { ...march, from: '2026-03-02' } })).toBeLessThan(before);
    // A day without rows so far.
    await insertRows(source, [{ ...rows[0]!, day: '2026-03-07', provider: 'azure', model: 'late', requests: 5 }]);
    expect(await requests(byModel)).toBe(before + 5);
    expect(await months.findOpen(9)).toEqual([]);
    for (const day of await days.findOpen(9)) await days.close(day);
    expect(await months.findOpen(9)).toEqual([first]);
    await months.close(first);
    await source.query(`delete from cost_daily where model = 'late'`);
    expect(await requests(byModel)).toBe(before);
  });

  test('does not close a month that has begun, or whose first day has no rows because it is the oldest', async () => {
    const month = dateOf(now).slice(0, 'YYYY-MM'.length);
    await insertRows(source, randomRows(30, keys, ['2026-02-02', '2026-02-28', `${month}-01`]));
    for (const day of await days.findOpen(99)) await days.close(day);
    expect(await months.findOpen(9)).toEqual([]);
    await insertRows(source, randomRows(5, keys, ['2026-01-31']));
    for (const day of await days.findOpen(99)) await days.close(day);
    expect(await months.findOpen(9)).toEqual(['2026-02-01']);
  });

  test('reads closed days from their sums, and reopens a day when one of its rows changes', async () => {
    const [yesterday] = [DAYS[1]!];
    const rows = randomRows(50, keys, [yesterday]);
    await insertRows(source, rows);
    await days.close(yesterday);
    const before = (await read()).totals;
    // Changes the sums without the rows, to show that reports read the sums.
    await source.query(`update cost_day_sums set requests = requests + 1000 where dimension = 'all'`);
    expect((await read()).totals.requests).toBe(before.requests + 1000);
    const late: CostRow = { ...rows[0]!, model: 'late' };
    await insertRows(source, [late]);
    expect((await read()).totals).toEqual(figuresOf([...rows, late]));
    expect(await days.findOpen(10)).toEqual([yesterday]);
    await days.close(yesterday);
    await source.query(`update cost_daily set cost_nanos = 7 where model = 'late'`);
    expect((await read({ filter: { model: 'late' } })).totals.nanos).toBe(7n);
    await days.close(yesterday);
    await source.query(`delete from cost_daily where model = 'late'`);
    expect((await read()).totals).toEqual(before);
  });

  test('a cost report does not close today', async () => {
    await insertRows(source, randomRows(10, keys, [DAYS[0]!]));
    expect(await days.findOpen(10)).toEqual([]);
  });

  test('pages through all groups without overlap, in the order of cost, requests or name', async () => {
    const rows = randomRows(300, keys, DAYS.slice(0, 5));
    await insertRows(source, rows);
    for (const grouping of ['day', 'key', 'team', 'model', 'endpoint', 'day,key', 'day,team', 'day,model'] as const)
      for (const sort of ['cost', 'requests', 'name'] as const) {
        const all = await read({ grouping, sort });
        const pages = [];
        for (let offset = 0; offset < all.total; offset += 2)
          pages.push(await read({ grouping, sort, limit: 2, offset }));
        expectEqual(
          pages.flatMap(({ groups }) => groups),
          all.groups,
        );
        expect(pages.map(({ total }) => total)).toEqual(pages.map(() => all.total));
        const past = await read({ grouping, sort, limit: 2, offset: all.total });
        expect({ total: past.total, groups: past.groups }).toEqual({ total: all.total, groups: [] });
      }
    const keysBy = async (sort: CostQuery['sort']) => (await read({ grouping: 'key', sort })).groups;
    const byCost = await keysBy('cost');
    expect(byCost.map(({ nanos }) => nanos)).toEqual(
      byCost.map(({ nanos }) => nanos).toSorted((a, b) => Number(b - a)),
    );
    const byRequests = await keysBy('requests');
    expect(byRequests.map(({ requests }) => requests)).toEqual(
      byRequests.map(({ requests }) => requests).toSorted((a, b) => b - a),
    );
    expect((await keysBy('name')).map(({ name }) => name)).toEqual(['@gamma', 'Alpha', 'beta', null]);
    const teams = (await read({ grouping: 'team', sort: 'name' })).groups;
    expect(teams.map(({ value, name }) => [value !== '', name])).toEqual([
      [true, 'ads'],
      [true, 'Search'],
      [false, null],
    ]);
    const stacked = await read({ grouping: 'day,model', sort: 'name', limit: 1, offset: 1 });
    expect(stacked.groups.map(({ day, value }) => [day, value])).toEqual(
      DAYS.slice(0, 5)
        .toReversed()
        .map((day) => [day, '=HYPERLINK("x")']),
    );
  });

  test('a cost report has this month, the last month and a forecast with the same filters, regardless of the range', async () => {
    const nowMs = Date.UTC(2026, 6, 4, 12);
    const row = (day: string, model: string, nanos: bigint): CostRow => ({
      day,
      model,
      nanos,
      keyId: keys[0]!,
      endpoint: '/v1/chat/completions',
      provider: 'default',
      requests: 1,
      unpriced: 0,
      estimated: 0,
      backfilled: false,
      units: 1,
    });
    await insertRows(source, [
      row('2026-05-31', 'a', 1n),
      row('2026-06-01', 'a', 10n),
      row('2026-06-30', 'a', 20n),
      row('2026-07-01', 'a', 300n),
      row('2026-07-03', 'a', 300n),
      row('2026-07-04', 'a', 50n),
      row('2026-07-02', 'b', 9000n),
    ]);
    for (const grouping of ['day', 'model', 'endpoint'] as const) {
      const range = { from: '2026-05-30', to: '2026-05-31' };
      const report = await reports.read(query({ days: range, filter: { model: 'a' }, grouping }), nowMs);
      expect(report.totals.nanos).toBe(1n);
      expect([report.thisMonth, report.lastMonth].map(({ month, nanos }) => [month, nanos])).toEqual([
        ['2026-07', 650n],
        ['2026-06', 30n],
      ]);
      // 600 in three complete days; 200 for today and each of the other 27 days.
      expect(report.forecast).toEqual({ nanos: 6200n, method: 'linear_by_complete_days', basedOnDays: 3 });
    }
  });

  test('a cost report is empty without costs', async () => {
    for (const grouping of GROUPINGS) {
      const report = await read({ grouping });
      expect(report).toMatchObject({ total: 0, groups: [], forecast: null });
      expect(report.totals).toEqual(figuresOf([]));
    }
  });
});
