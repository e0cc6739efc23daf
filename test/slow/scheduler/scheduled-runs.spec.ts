import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { Config, ConfigError } from '../../../src/platform/config/config.js';
import { until } from '../../support/until.js';
import { TestGateway } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';

interface Run {
  readonly run_id: string;
  readonly job: string;
  readonly outcome: string;
  readonly due_at: Date | null;
}

/** A schedule that is never due during a test. */
const NEVER = '0 0 29 2 *';

const HOLDERS = `select 1 from pg_stat_activity where application_name = 'gateway-job' and datname = current_database()`;
const WAITERS = `select 1 from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;
let gateways: TestGateway[];
let db: Client;
beforeEach(async () => {
  [upstream, scratch] = await Promise.all([startUpstream(), createScratchDatabase()]);
  gateways = [];
  db = new Client({ connectionString: scratch.url });
  await db.connect();
  await db.query('delete from job_runs');
});
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await db.end();
  await upstream.stop();
  await scratch.drop();
});

const start = async (env: Record<string, string> = { GW_DAILY_CRON: NEVER }) => {
  const gateway = await TestGateway.start(env, { upstream, databaseUrl: scratch.url });
  gateways.push(gateway);
  return gateway;
};
const runs = async () => (await db.query<Run>('select * from job_runs order by started_at')).rows;
const allEnded = async () => {
  const rows = await runs();
  return rows.length > 0 && rows.every(({ outcome }) => outcome !== 'running');
};
const insertRun = (age: string, fields: { outcome: string; completed: boolean }) =>
  db.query(
    `insert into job_runs (run_id, job, started_at, outcome, completed) values (gen_random_uuid(), 'daily', now() - $1::interval, $2, $3)`,
    [age, fields.outcome, fields.completed],
  );
const DONE = { outcome: 'succeeded', completed: true };

describe('startup', () => {
  test('processes that start without an earlier run start one, with the system as actor', async () => {
    await Promise.all([start(), start()]);
    await until(allEnded);
    expect(await runs()).toMatchObject([{ job: 'daily', outcome: 'succeeded', due_at: null }]);
    const { rows } = await db.query(`select actor_type, metadata from audit_logs where action = 'job.started'`);
    expect(rows).toEqual([
      { actor_type: 'system', metadata: expect.objectContaining({ actor_id: null, request_id: null }) },
    ]);
  });

  test.each([
    ['23 hours 59 minutes', DONE, 1],
    ['24 hours 1 minute', DONE, 2],
    ['1 hour', { outcome: 'failed', completed: true }, 1],
    ['1 hour', { outcome: 'failed', completed: false }, 2],
    ['1 hour', { outcome: 'running', completed: false }, 2],
  ])('startup after a run %s ago with %j leaves %i runs', async (age, fields, count) => {
    await insertRun(age, fields);
    // Blocks the beginning of runs, so that the test can detect that startup has reached this point.
    await db.query(`begin; select pg_advisory_xact_lock(hashtextextended('job-begins:daily', 0))`);
    await start();
    await until(async () => (await db.query(WAITERS)).rowCount === 1);
    await db.query('commit');
    await until(async () => (await db.query(HOLDERS)).rowCount === 0);
    const rows = await runs();
    expect(rows).toHaveLength(count);
    expect(rows.filter(({ outcome }) => outcome === 'running')).toEqual([]);
  });
});

describe('GW_DAILY_CRON', () => {
  test('GW_DAILY_CRON defaults to 03:00 UTC and rejects invalid cron expressions', () => {
    expect(Config.from({}).dailyCron).toBe('0 3 * * *');
    for (const text of ['daily', '0 25 * * *', '0 0 30 2 *']) {
      expect(() => Config.from({ GW_DAILY_CRON: text })).toThrow(ConfigError);
    }
  });

  test('three processes start one scheduled run between them', async () => {
    await insertRun('1 minute', DONE);
    const due = new Date(Math.ceil((Date.now() + 8_000) / 5_000) * 5_000);
    const env = { GW_DAILY_CRON: `${due.getUTCSeconds()} ${due.getUTCMinutes()} ${due.getUTCHours()} * * *` };
    await Promise.all([start(env), start(env), start(env)]);
    expect(await runs()).toHaveLength(1);
    await until(async () => (await runs()).length > 1 && (await allEnded()));
    expect((await runs())[1]).toMatchObject({ outcome: 'succeeded', due_at: due });
    expect(await runs()).toHaveLength(2);
  });
});

test('GET /admin/jobs lists a probe run with the number of probed models', async () => {
  await insertRun('1 minute', DONE);
  upstream.on(
    'GET',
    '/v1/models',
    (_request, response) => void response.end('{"data":[{"id":"gpt-4o"},{"id":"acme-one"}]}'),
  );
  const gateway = await start({ GW_DAILY_CRON: NEVER, GW_PROBE_CRON: '* * * * * *' });
  const probed = async () =>
    (await gateway.admin<{ jobs: Run[] }>('GET', '/admin/jobs')).body.jobs.filter(({ job }) => job === 'probes');
  await until(async () => (await probed()).some(({ outcome }) => outcome === 'succeeded'));
  expect((await probed()).find(({ outcome }) => outcome === 'succeeded')).toMatchObject({
    counts: { models: 2 },
  });
});
