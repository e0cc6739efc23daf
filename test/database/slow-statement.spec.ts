import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataSource } from 'typeorm';
import { TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

test('a statement that would take long is given up by the server, and its connection is good for the next', async () => {
  const source = gateway.app.get(DataSource);
  const slow = Array.from({ length: 3 }, () => source.query('select pg_sleep(60)'));
  for (const end of await Promise.allSettled(slow))
    expect(end).toMatchObject({ status: 'rejected', reason: { driverError: { code: '57014' } } });
  expect(await source.query('select 1 as one')).toEqual([{ one: 1 }]);
  const [running] = await source.query<[{ count: number }]>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`,
  );
  expect(running.count).toBe(0);
});
