import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInOrder } from '../../support/describe-in-order.js';
import { until } from '../../support/until.js';
import { ADMIN_KEY } from '../../support/gateway.js';
import type { GatewayProcess } from '../../support/gateway-process.js';
import { Cluster } from './cluster.js';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start({ before: 'delete from job_runs' });
  await until(async () => (await rows()).length > 0 && (await allEnded()));
});
afterAll(() => cluster.stop());

const query = async <T>(sql: string) => (await cluster.database.query(sql)).rows as T[];
const rows = () =>
  query<{ run_id: string; outcome: string; error: string | null }>(
    'select run_id, outcome, error from job_runs order by started_at',
  );
const allEnded = async () => (await rows()).every(({ outcome }) => outcome !== 'running');
const run = async (gateway: GatewayProcess) => {
  const { status, body } = await gateway.call<{ run_id: string }>('POST', '/admin/jobs/daily/run', { key: ADMIN_KEY });
  expect(status).toBe(202);
  return body.run_id;
};
const isHeld = async () =>
  (
    await query(`select 1 from pg_locks where relation = 'usage_daily'::regclass and not granted
      and database = (select oid from pg_database where datname = current_database())`)
  ).length > 0;
/** Blocks runs at the table of daily usage until the returned function is called. */
const holdRuns = async () => {
  await cluster.database.query('begin; lock table usage_daily in access exclusive mode');
  return () => cluster.database.query('rollback');
};

/** Each of the last two tests ends a process. */
describeInOrder('the daily job on two processes', () => {
  test('the daily job runs once when both processes start', async () => {
    expect(await rows()).toMatchObject([{ outcome: 'succeeded' }]);
  });

  test('concurrent requests to both processes start one run, and each key gets one event', async () => {
    const [one, two] = cluster.gateways;
    for (let n = 0; n < 5; n++) await one.createKey({ expires_at: '2020-01-01' });
    for (let round = 0; round < 5; round++) {
      const free = await holdRuns();
      const ids = await Promise.all([run(one), run(two), run(two), run(one)]);
      expect(new Set(ids).size).toBe(1);
      await free();
      await until(allEnded);
    }
    expect(await query(`select type from events where type = 'key_expired'`)).toHaveLength(5);
    expect(await rows()).toHaveLength(6);
  });

  test('a run of a killed process is marked as failed, and the next run does its work', async () => {
    const [one, two] = cluster.gateways;
    await cluster.database.query(
      `insert into usage_daily (key_id, day, model) values (gen_random_uuid(), '2020-01-01', 'm')`,
    );
    const free = await holdRuns();
    const lost = await run(one);
    await until(isHeld);
    await one.kill();
    await free();
    const next = await run(two);
    expect(next).not.toBe(lost);
    await until(allEnded);
    const found = (id: string) => async () => (await rows()).find(({ run_id }) => run_id === id);
    expect(await found(lost)()).toMatchObject({ outcome: 'failed', error: 'its process died' });
    expect(await found(next)()).toMatchObject({ outcome: 'succeeded' });
    expect(await query('select 1 from usage_daily')).toEqual([]);
    await cluster.restart(0);
  });

  test('a shutdown ends a run and marks it as failed', async () => {
    const [one] = cluster.gateways;
    const free = await holdRuns();
    const id = await run(one);
    await until(isHeld);
    const end = await one.stop();
    expect(end.code).toBe(0);
    await free();
    expect((await rows()).find(({ run_id }) => run_id === id)).toMatchObject({
      outcome: 'failed',
      error: 'its process was stopped',
    });
  });
});
