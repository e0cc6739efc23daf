import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { JobRunner } from '../../src/scheduler/job-runner.service.js';
import { until } from '../support/until.js';
import { TestGateway } from '../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { errorCodeIn } from '../support/responses.js';

interface Run {
  readonly run_id: string;
  readonly job: string;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly outcome: string;
  readonly counts: Record<string, number>;
}

interface Runs {
  readonly total: number;
  readonly has_more: boolean;
  readonly jobs: Run[];
}

const PATH = '/admin/jobs';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let scratch: ScratchDatabase;
let gateway: TestGateway;
let other: TestGateway;
let db: Client;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  db = new Client({ connectionString: scratch.url });
  await db.connect();
  // Without a recent run, the gateway starts one at startup, and the next check is an hour later.
  await db.query('delete from job_runs');
  gateway = await TestGateway.start({}, { databaseUrl: scratch.url });
  other = await TestGateway.start({}, { databaseUrl: scratch.url });
  await until(async () => (await list()).total === 1);
  // The second gateway must also finish its check. Once the tests delete the rows, it would start a run.
  const { inProgress } = other.app.get<{ readonly inProgress: ReadonlySet<unknown> }>(JobRunner);
  await until(async () => inProgress.size === 0);
});
afterAll(async () => {
  await gateway.stop();
  await other.stop();
  await db.end();
  await scratch.drop();
});
beforeEach(async () => {
  await until(allEnded);
  await db.query(`delete from job_runs; delete from audit_logs`);
});

const list = async (query = '') => (await gateway.admin<Runs>('GET', PATH + query)).body;
const post = (at = gateway) => at.admin<{ job: string; run_id: string }>('POST', `${PATH}/daily/run`);
const allEnded = async () => {
  const { jobs } = await list('?limit=500');
  return jobs.every(({ outcome }) => outcome !== 'running');
};
const runToCompletion = async (): Promise<Run> => {
  const { run_id } = (await post()).body;
  const found = async () => (await list()).jobs.find((run) => run.run_id === run_id);
  await until(async () => (await found())?.outcome !== 'running');
  return (await found())!;
};
const audited = async () =>
  (await db.query(`select actor_type, target_type, target_id, metadata from audit_logs where action = 'job.started'`))
    .rows;
/** Locks a table that the run needs, so that the run cannot finish before `work` does. */
const whileItRuns = async (work: () => Promise<void>) => {
  await gateway.createKey({ expires_at: '2020-01-01' });
  await db.query('begin; lock table event_once in access exclusive mode');
  try {
    await work();
  } finally {
    await db.query('rollback');
  }
};

describe('POST /admin/jobs/daily/run', () => {
  test('starts a run, returns its ID with 202, and audits the caller', async () => {
    const response = await post();
    expect([response.status, Object.keys(response.body)]).toEqual([202, ['job', 'run_id']]);
    expect(response.body).toEqual({ job: 'daily', run_id: expect.stringMatching(UUID) });
    const { run_id } = response.body;
    expect(await audited()).toEqual([
      {
        actor_type: 'admin_key',
        target_type: 'job',
        target_id: 'daily',
        metadata: { run_id, actor_id: null, request_id: response.headers.get('x-request-id'), ip: '127.0.0.1' },
      },
    ]);
  });

  test('returns the ID of the current run on every process and starts no other', async () => {
    await whileItRuns(async () => {
      const { run_id } = (await post()).body;
      const responses = await Promise.all([post(), post(other), post(), post(other)]);
      expect(responses.map(({ status, body }) => [status, body])).toEqual(
        responses.map(() => [202, { job: 'daily', run_id }]),
      );
      expect((await list()).jobs).toMatchObject([{ run_id, outcome: 'running', finished_at: null, counts: {} }]);
      expect(await audited()).toHaveLength(1);
    });
  });

  test('concurrent requests to several processes start one run', async () => {
    await whileItRuns(async () => {
      const responses = await Promise.all([post(other), post(), post(other), post()]);
      expect(new Set(responses.map(({ body }) => body.run_id)).size).toBe(1);
      expect((await list()).total).toBe(1);
      expect(await audited()).toHaveLength(1);
    });
  });

  test('a run creates each key notification once and prunes old usage', async () => {
    const expired = await gateway.createKey({ name: 'Old', expires_at: '2020-01-01' });
    const limited = await gateway.createKey({ name: 'Busy', monthly_limit: 5 });
    for (let n = 0; n < 4; n++) await gateway.chat(limited);
    await db.query(`insert into usage_daily (key_id, day, model) values ($1, '2020-01-01', 'm')`, [expired.id]);
    const run = await runToCompletion();
    expect(run).toMatchObject({ outcome: 'succeeded' });
    expect(run.counts).toMatchObject({ key_quota_warning: 1, usage_daily_deleted: 1 });
    expect(run.counts.key_expired).toBeGreaterThan(0);
    const { rows } = await db.query<{ type: string }>(
      `select n.type, n.data->>'key_name' as name, n.data->>'used' as used, n.data->>'percent' as percent from notifications n where n.data->>'key_id' = any($1) order by 1`,
      [[expired.id, limited.id]],
    );
    expect(rows).toEqual([
      { type: 'key_expired', name: 'Old', used: null, percent: null },
      { type: 'key_quota_warning', name: 'Busy', used: '4', percent: '80' },
    ]);
    const again = await runToCompletion();
    expect(Object.keys(again.counts).filter((name) => name.startsWith('key_'))).toEqual([]);
  });

  test('a failing task fails the run, but the other tasks still run', async () => {
    await gateway.createKey({ expires_at: '2020-01-01' });
    await db.query('alter table event_once rename to event_once_away');
    await db.query(`insert into usage_daily (key_id, day, model) values (gen_random_uuid(), '2020-01-01', 'm')`);
    const run = await runToCompletion();
    await db.query('alter table event_once_away rename to event_once');
    expect(run).toMatchObject({
      outcome: 'failed',
      counts: { usage_daily_deleted: 1 },
      finished_at: expect.any(String),
    });
    const { rows } = await db.query<{ error: string }>('select error from job_runs');
    expect(rows[0]?.error).toMatch(/^key events: .*event_once.*pruning: event_once: .*event_once/);
    expect(await runToCompletion()).toMatchObject({ outcome: 'succeeded', counts: { key_expired: 1 } });
  });

  test('rejects fields and parameters with 400, and other jobs, methods and paths with 404', async () => {
    const refusal = async (method: string, path: string, body?: unknown) =>
      errorCodeIn(await gateway.admin(method, PATH + path, body));
    expect(await refusal('POST', '/daily/run', { force: true })).toBe('400 validation_error force');
    expect(await refusal('POST', '/daily/run?force=true')).toBe('400 validation_error force');
    for (const path of ['/weekly/run', '/probes/run', '/daily', '/daily/run/', '/Daily/run', '']) {
      expect(await refusal('POST', path)).toBe('404 route_not_found');
    }
    expect(await refusal('GET', '/daily/run')).toBe('404 route_not_found');
    expect((await list()).total).toBe(0);
  });
});

describe('GET /admin/jobs', () => {
  test('returns the documented fields of a run', async () => {
    const { run_id } = await runToCompletion();
    const { total, has_more, jobs } = await list();
    expect([total, has_more, jobs.length]).toEqual([1, false, 1]);
    expect(Object.keys(jobs[0]!)).toEqual(['run_id', 'job', 'started_at', 'finished_at', 'outcome', 'counts']);
    expect(jobs[0]).toEqual({
      run_id,
      job: 'daily',
      outcome: 'succeeded',
      started_at: expect.stringMatching(ISO),
      finished_at: expect.stringMatching(ISO),
      counts: expect.any(Object),
    });
    expect(Object.values(jobs[0]!.counts).every(Number.isSafeInteger)).toBe(true);
  });

  test('pages through runs, newest first, and filters by job', async () => {
    await db.query(`insert into job_runs (run_id, job, started_at, finished_at, outcome, counts)
      select gen_random_uuid(), case n % 2 when 0 then 'daily' else 'probes' end, timestamptz '2028-02-29' + n * interval '1 day', now(), 'failed', jsonb_build_object('n', n)
        from generate_series(1, 150) n`);
    const numbers = ({ jobs }: Runs) => jobs.map(({ counts }) => counts.n);
    const all = Array.from({ length: 150 }, (_, i) => 150 - i);
    expect(numbers(await list())).toEqual(all.slice(0, 100));
    for (const [query, page, more] of [
      ['?limit=500', all, false],
      ['?limit=1', [150], true],
      ['?limit=50&offset=100', all.slice(100), false],
      ['?limit=49&offset=100', all.slice(100, 149), true],
      ['?offset=150', [], false],
      ['?offset=2147483647', [], false],
    ] as const) {
      const runs = await list(query);
      expect([query, numbers(runs), runs.total, runs.has_more]).toEqual([query, page, 150, more]);
    }
    for (const [job, newest] of [
      ['daily', 150],
      ['probes', 149],
    ] as const) {
      const runs = await list(`?job=${job}&limit=2&offset=73`);
      expect([numbers(runs), runs.total, runs.has_more]).toEqual([[newest - 146, newest - 148], 75, false]);
      expect(new Set(runs.jobs.map((run) => run.job))).toEqual(new Set([job]));
    }
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=x', 'limit'],
    ['limit=', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=1.5', 'offset'],
    ['limit=1&limit=2', 'limit'],
    ['job=weekly', 'job'],
    ['job=', 'job'],
    ['outcome=failed', 'outcome'],
  ])('rejects ?%s', async (query, param) => {
    expect(errorCodeIn(await gateway.admin('GET', `${PATH}?${query}`))).toBe(`400 validation_error ${param}`);
  });
});

test('both job routes require the admin key', async () => {
  const key = await gateway.createKey();
  for (const [method, path] of [
    ['GET', PATH],
    ['POST', `${PATH}/daily/run`],
  ] as const) {
    expect(errorCodeIn(await gateway.call(method, path))).toBe('401 missing_api_key');
    expect(errorCodeIn(await gateway.call(method, path, { key }))).toBe('401 invalid_api_key');
  }
  expect((await list()).total).toBe(0);
});
