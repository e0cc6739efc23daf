import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

test('the server cancels long statements, and their connections remain usable', async () => {
  const source = gateway.app.get(DataSource);
  const slow = Array.from({ length: 3 }, () => source.query('select pg_sleep(60)'));
  for (const end of await Promise.allSettled(slow))
    expect(end).toMatchObject({ status: 'rejected', reason: { driverError: { code: '57014' } } });
  expect(await source.query('select 1 as one')).toEqual([{ one: 1 }]);
  // The server reports the error before it becomes idle.
  await until(async () => (await stillRunning(source)) === 0);
});

async function stillRunning(source: DataSource): Promise<number> {
  const [running] = await source.query<[{ count: number }]>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`,
  );
  return running.count;
}
