import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readKeyUsage, readUsage, type KeyUsageQuery } from '../../../src/stats/reports/usage.read-model.js';
import { UsageStore } from '../../../src/stats/stores/usage.store.js';
import { UsageLedger } from '../../../src/stats/usage-ledger.js';
import { StatsDatabase } from '../../support/stats-database.js';

const ALL: KeyUsageQuery = { from: '0001-01-01', to: '9999-12-31', days: 365, months: 24 };
/** First and last moments of months, a leap day, and the turn of a year. */
const MOMENTS = [
  '2024-02-28T23:59:59.999Z',
  '2024-02-29T00:00:00.000Z',
  '2024-02-29T23:59:59.999Z',
  '2024-03-01T00:00:00.000Z',
  '2025-02-28T23:59:59.999Z',
  '2025-03-01T00:00:00.000Z',
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '2026-07-31T23:59:59.999Z',
  '2026-08-01T00:00:00.000Z',
];

let database: StatsDatabase;
let keyId: string;
let otherKeyId: string;
beforeAll(async () => {
  database = await StatsDatabase.create();
  [keyId, otherKeyId] = [(await database.newKey()).id, (await database.newKey()).id];
  const store = new UsageStore(database.source);
  for (const [n, moment] of [...MOMENTS, ...MOMENTS].entries()) {
    const ledger = new UsageLedger(10);
    const tokens = { inputTokens: 10, outputTokens: 1, estimatedTokens: n % 2 };
    ledger.add(keyId, Date.parse(moment), n < MOMENTS.length ? 'a' : '', { ...tokens, failed: n % 3 === 0 });
    ledger.add(otherKeyId, Date.parse(moment), 'a', { ...tokens, failed: true });
    await store.write(ledger.take(10));
  }
});
afterAll(() => database.close());

function expected(length: 7 | 10): Map<string, { requests: number; errors: number; estimatedTokens: number }> {
  const sums = new Map<string, { requests: number; errors: number; estimatedTokens: number }>();
  for (const [n, moment] of [...MOMENTS, ...MOMENTS].entries()) {
    const sum = sums.get(moment.slice(0, length)) ?? { requests: 0, errors: 0, estimatedTokens: 0 };
    sums.set(moment.slice(0, length), {
      requests: sum.requests + 1,
      errors: sum.errors + (n % 3 === 0 ? 1 : 0),
      estimatedTokens: sum.estimatedTokens + (n % 2),
    });
  }
  return new Map([...sums].sort(([x], [y]) => (x < y ? 1 : -1)));
}

describe('the usage of a key', () => {
  test('usage per day and month matches the written usage, newest first', async () => {
    const { daily, monthly } = await readKeyUsage(database.source, keyId, ALL);
    const figures = (sums: ReturnType<typeof expected>) =>
      [...sums].map(([name, sum]) => ({ name, ...sum, inputTokens: sum.requests * 10, outputTokens: sum.requests }));
    expect(daily.map(({ day, ...rest }) => ({ name: day, ...rest }))).toEqual(figures(expected(10)));
    expect(monthly.map(({ month, ...rest }) => ({ name: month, ...rest }))).toEqual(figures(expected(7)));
    expect(daily.map(({ day }) => day)).toContain('2024-02-29');
  });

  test('a range returns its days, and the complete months that contain them', async () => {
    const within = async (from: string, to: string) => {
      const { daily, monthly } = await readKeyUsage(database.source, keyId, { ...ALL, from, to });
      return [daily.map(({ day }) => day), monthly.map(({ month, requests }) => `${month} ${requests}`)];
    };
    expect(await within('2024-02-29', '2024-02-29')).toEqual([['2024-02-29'], ['2024-02 6']]);
    expect(await within('2024-02-29', '2024-03-01')).toEqual([
      ['2024-03-01', '2024-02-29'],
      ['2024-03 2', '2024-02 6'],
    ]);
    expect(await within('2025-12-31', '2026-01-01')).toEqual([
      ['2026-01-01', '2025-12-31'],
      ['2026-01 2', '2025-12 2'],
    ]);
    expect(await within('2026-01-15', '2026-01-20')).toEqual([[], ['2026-01 2']]);
    expect(await within('2020-01-01', '2020-02-01')).toEqual([[], []]);
  });

  test('usage is limited to the newest days and months', async () => {
    const { daily, monthly } = await readKeyUsage(database.source, keyId, { ...ALL, days: 2, months: 1 });
    expect([daily.map(({ day }) => day), monthly.map(({ month }) => month)]).toEqual([
      ['2026-08-01', '2026-07-31'],
      ['2026-08'],
    ]);
    const inRange = await readKeyUsage(database.source, keyId, { ...ALL, to: '2025-12-31', days: 1, months: 2 });
    expect([inRange.daily.map(({ day }) => day), inRange.monthly.map(({ month }) => month)]).toEqual([
      ['2025-12-31'],
      ['2025-12', '2025-03'],
    ]);
  });

  test('totals, days and models agree on a leap day and next to it', async () => {
    const days = async (from: string, to: string) => {
      const { totals, daily, byModel } = await readUsage(database.source, { from, to }, keyId);
      return [
        totals.requests,
        daily.map(({ day, requests }) => `${day} ${requests}`),
        byModel.map(({ requests }) => requests),
      ];
    };
    expect(await days('2024-02-29', '2024-02-29')).toEqual([4, ['2024-02-29 4'], [2, 2]]);
    expect(await days('2024-02-28', '2024-03-01')).toEqual([
      8,
      ['2024-03-01 2', '2024-02-29 4', '2024-02-28 2'],
      [4, 4],
    ]);
    expect(await days('2025-02-28', '2025-03-01')).toEqual([4, ['2025-03-01 2', '2025-02-28 2'], [2, 2]]);
  });

  test('monthly usage is kept after its days are deleted', async () => {
    const { monthly } = await readKeyUsage(database.source, otherKeyId, ALL);
    await database.source.query(`delete from usage_daily where key_id = $1 and day < '2025-03-01'`, [otherKeyId]);
    const after = await readKeyUsage(database.source, otherKeyId, ALL);
    expect(after.monthly).toEqual(monthly);
    expect(after.daily.at(-1)?.day).toBe('2025-03-01');
  });

  test('usage above 2^53 is returned as a number', async () => {
    const { id } = await database.newKey();
    const huge = '9007199254740993000';
    await database.source.query(
      'insert into usage_daily (key_id, day, model, input_tokens) values ($1, $2, $3, $4), ($1, $2, $5, $4)',
      [id, '2026-05-05', 'a', huge, 'b'],
    );
    await database.source.query('insert into usage_monthly (key_id, month, input_tokens) values ($1, $2, $3)', [
      id,
      2026 * 12 + 4,
      huge,
    ]);
    const { daily, monthly } = await readKeyUsage(database.source, id, ALL);
    expect([daily[0]?.inputTokens, monthly[0]?.inputTokens]).toEqual([2 * Number(huge), Number(huge)]);
  });
});
