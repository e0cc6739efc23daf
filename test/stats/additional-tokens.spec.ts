import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { details } from '../support/detailed-usage.js';
import { requestOf, StatsDatabase, StatsProcess } from '../support/stats-database.js';

let database: StatsDatabase;
beforeAll(async () => {
  database = await StatsDatabase.create();
});
afterAll(() => database.close());

function cached(key: KeySnapshot, atMs: number, cachedInput: number) {
  const ctx = requestOf(key, { atMs });
  ctx.upstream.account = { name: 'default', baseUrl: new URL('http://provider.example/v1') };
  ctx.usageDetails = details({ inputIncludesCache: false, cachedInput, cacheWrite1h: 1 });
  return ctx;
}
const monthly = (keyId: string) =>
  database.source.query(
    `select month, requests::int, input_tokens::int as input, additional_tokens::int as additional
       from usage_monthly where key_id = $1 order by month`,
    [keyId],
  );

test('tokens for limits during an outage are reported separately from additional ones', async () => {
  const key = await database.newKey();
  const { recorder, spent } = new StatsProcess(database.source);
  recorder.record(cached(key, Date.now(), 30), 200, 5);
  recorder.record(requestOf(key), 200, 5);
  expect(spent).toEqual([
    [key.id, 7, 31],
    [key.id, 7, 0],
  ]);
});

test('additional tokens of concurrent processes are added to their month exactly once, apart from the other tokens', async () => {
  const key = await database.newKey();
  const processes = [new StatsProcess(database.source), new StatsProcess(database.source)];
  const july = Date.UTC(2026, 6, 31, 23, 59, 59, 999);
  for (let n = 0; n < 50; n++)
    for (const { recorder } of processes) recorder.record(cached(key, july + (n % 2), n), 200, 5);
  await Promise.all(processes.map(({ writer }) => writer.flush()));
  await Promise.all(processes.map(({ writer }) => writer.flush()));
  const even = 2 * Array.from({ length: 25 }, (_, n) => 2 * n + 1).reduce((sum, n) => sum + n, 0);
  expect(await monthly(key.id)).toEqual([
    { month: 2026 * 12 + 6, requests: 50, input: 150, additional: even },
    { month: 2026 * 12 + 7, requests: 50, input: 150, additional: even + 50 },
  ]);
});
