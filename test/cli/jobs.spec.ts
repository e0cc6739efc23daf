import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway } from '../support/gateway.js';
import { cli, cliJson, failureOf } from './command.js';

interface Run {
  readonly run_id: string;
  readonly job: string;
  readonly outcome: string;
}

let gateway: TestGateway;
let source: DataSource;
let env: Record<string, string>;

beforeAll(async () => {
  gateway = await TestGateway.start();
  source = gateway.app.get(DataSource);
  env = { DATABASE_URL: gateway.databaseUrl };
});
afterAll(() => gateway.stop());

const newest = async () => (await gateway.admin<{ jobs: Run[] }>('GET', '/admin/jobs?limit=1')).body.jobs[0];

describe('job run daily', () => {
  test('job run waits for the run, and the audit row names the system and the CLI', async () => {
    const { code, body } = await cliJson<Run>(['job', 'run', 'daily'], { env });
    expect([code, body]).toEqual([0, { job: 'daily', run_id: expect.any(String) as unknown as string }]);
    expect(await newest()).toMatchObject({ run_id: body.run_id, outcome: 'succeeded' });
    const { logs } = (await gateway.admin<{ logs: object[] }>('GET', '/admin/audit-logs?action=job.started&limit=1'))
      .body;
    expect(logs).toMatchObject([{ actor_type: 'system', metadata: { via: 'cli', run_id: body.run_id } }]);
  });

  test('job run prints the outcome and the counts', async () => {
    const { code, stdout } = await cli(['job', 'run', 'daily'], { env });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^The daily job succeeded \(run [0-9a-f-]{36}\)\.\n([a-z_]+=\d+.*\n)?$/,
      ) as unknown as string,
    });
  });

  test('job run exits with 1 if a task fails', async () => {
    await source.query('alter table notifications rename to notifications_renamed');
    try {
      const { code, stdout } = await cli(['job', 'run', 'daily'], { env });
      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: expect.stringMatching(/^The daily job failed \(run /) as unknown as string,
      });
    } finally {
      await source.query('alter table notifications_renamed rename to notifications');
    }
    expect(await newest()).toMatchObject({ outcome: 'failed' });
  });

  test('job run reports a run that is already in progress without waiting for it', async () => {
    const other = source.createQueryRunner();
    await other.connect();
    await other.query(`select pg_advisory_lock(hashtextextended('job:daily', 0))`);
    const [row] = (await other.query(
      `insert into job_runs (run_id, job, started_at, outcome) values (gen_random_uuid(), 'daily', now(), 'running') returning run_id`,
    )) as { run_id: string }[];
    try {
      const { code, stdout } = await cli(['job', 'run', 'daily'], { env });
      expect({ code, stdout }).toEqual({ code: 0, stdout: `The daily job is already running (run ${row!.run_id}).\n` });
    } finally {
      await other.query(`delete from job_runs where run_id = $1`, [row!.run_id]);
      await other.query(`select pg_advisory_unlock_all()`);
      await other.release();
    }
  });
});

describe('job list', () => {
  test('job list returns the same as the Admin API, and prints each run in a table', async () => {
    await cli(['job', 'run', 'daily'], { env });
    const { code, body } = await cliJson(['job', 'list', '--limit', '1', '--job', 'daily'], { env });
    expect([code, body]).toEqual([0, (await gateway.admin('GET', '/admin/jobs?limit=1&job=daily')).body]);
    expect((await cli(['job', 'list', '--limit', '1'], { env })).stdout).toMatch(
      /^STARTED +JOB +OUTCOME +FINISHED +COUNTS\n.*Z +daily +succeeded +.*Z.*\n\n1 to 1 of/,
    );
  });

  test('job list and job run reject invalid arguments with exit code 2', async () => {
    expect(await failureOf(['job', 'list', '--job', 'hourly'])).toMatchObject({ exitCode: 2, error: { param: 'job' } });
    expect(await failureOf(['job', 'run', 'probes'])).toMatchObject({ exitCode: 2, error: { code: 'usage' } });
  });
});
