import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import type { AdminActor } from '../../src/platform/request-context/caller-session.js';
import { until } from '../support/until.js';
import { REQUESTED, Gate, instantly, start } from './job-work.js';
import { SchedulerDatabase } from './scheduler-database.js';

const ADMIN: AdminActor = { type: 'admin_key', id: null, requestId: 'request-1', ip: '192.0.2.7' };

let db: SchedulerDatabase;
let gates: Gate[];
beforeAll(async () => {
  Logger.overrideLogger(false);
  db = await SchedulerDatabase.create();
});
afterAll(() => db.close());
beforeEach(async () => {
  gates = [];
  await db.put(Date.now());
  for (const table of ['job_runs', 'audit_logs']) await db.query(`delete from ${table}`);
});
afterEach(async () => {
  for (const gate of gates) gate.end.resolve();
  await db.stopRunners();
});

const gate = () => {
  const made = new Gate();
  gates.push(made);
  return made;
};
const allEnded = async () => (await db.runRows()).every(({ outcome }) => outcome !== 'running');
const terminateHolders = () =>
  db.query(`select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'gateway-job' and datname = current_database()`);
const audited = () =>
  db.query<{ actor_type: string; target_type: string; target_id: string; metadata: Record<string, unknown> }>(
    `select actor_type, target_type, target_id, metadata from audit_logs where action = 'job.started' order by created_at`,
  );

describe('JobRunner.start', () => {
  test('a successful run stores its counts, and an audit row stores its actor', async () => {
    const started = await db.runner().start({
      job: 'daily',
      actor: ADMIN,
      occasion: REQUESTED,
      work: async (run) => {
        run.count('apples', 2);
        run.count('pears', 0);
        run.count('apples', 1);
      },
    });
    expect(started?.begun).toBe(true);
    await until(allEnded);
    expect(await db.runRows()).toMatchObject([
      {
        run_id: started?.runId,
        job: 'daily',
        due_at: null,
        outcome: 'succeeded',
        completed: true,
        error: null,
        counts: { apples: 3 },
      },
    ]);
    const metadata = { run_id: started?.runId, actor_id: null, request_id: 'request-1', ip: '192.0.2.7' };
    expect(await audited()).toEqual([{ actor_type: 'admin_key', target_type: 'job', target_id: 'daily', metadata }]);
  });

  test('a failed run stores its counts and a reason of at most 1000 characters', async () => {
    await start(db.runner(), async (run) => {
      run.count('apples', 1);
      throw new Error(`broken ${'x'.repeat(2_000)}`);
    });
    await until(allEnded);
    const [row] = await db.runRows();
    expect(row).toMatchObject({ outcome: 'failed', completed: true, counts: { apples: 1 } });
    expect(row?.error).toMatch(/^broken x+$/);
    expect(row?.error?.length).toBe(1_000);
  });

  test('a run and its audit row are written together or not at all', async () => {
    await db.query('alter table audit_logs rename to audit_logs_away');
    await expect(start(db.runner(), instantly)).rejects.toThrow('audit_logs');
    await db.query('alter table audit_logs_away rename to audit_logs');
    expect(await db.runRows()).toEqual([]);
    expect(await start(db.runner(), instantly)).toMatchObject({ begun: true });
  });

  test('starting a running job returns its run ID in every process; other jobs can start', async () => {
    const [one, two] = [db.runner(), db.runner()];
    const { work, began, end } = gate();
    const first = await start(one, work);
    await began.promise;
    for (const runner of [one, two]) {
      expect(await start(runner, instantly)).toEqual({ runId: first?.runId, begun: false });
    }
    expect(await start(two, instantly, REQUESTED, 'probes')).toMatchObject({ begun: true });
    end.resolve();
    await until(allEnded);
    const next = await start(two, instantly);
    expect([next?.begun, next?.runId === first?.runId]).toEqual([true, false]);
    expect((await audited()).map(({ target_id }) => target_id)).toEqual(['daily', 'probes', 'daily']);
  });

  test('simultaneous starts in several processes begin exactly one run', async () => {
    const runners = Array.from({ length: 4 }, () => db.runner());
    const { work, end } = gate();
    const started = await Promise.all(runners.flatMap((runner) => [start(runner, work), start(runner, work)]));
    expect(new Set(started.map((one) => one?.runId)).size).toBe(1);
    expect(started.filter((one) => one?.begun)).toHaveLength(1);
    expect(await audited()).toHaveLength(1);
    end.resolve();
    await until(allEnded);
    expect(await db.runRows()).toHaveLength(1);
  });

  test('a start right after the previous run has finished begins a new run', async () => {
    const runner = db.runner();
    const ids = new Set<string>();
    for (let n = 0; n < 10; n++) {
      ids.add((await start(runner, instantly))!.runId);
      await until(allEnded);
    }
    expect(ids.size).toBe(10);
  });
});

describe('runs of dead processes', () => {
  test('an abandoned run is closed as failed before the next run begins', async () => {
    const lost = '0f2a7c1e-5b1d-4f6a-8c3e-9d0b1a2c3d4e';
    await db.query(
      `insert into job_runs (run_id, job, started_at, outcome) values ($1, 'daily', now() - interval '1 hour', 'running')`,
      [lost],
    );
    const { work, began } = gate();
    const next = await start(db.runner(), work);
    await began.promise;
    expect(next?.runId).not.toBe(lost);
    expect(await db.runRows()).toMatchObject([
      {
        run_id: lost,
        outcome: 'failed',
        completed: false,
        error: 'its process died',
        finished_at: expect.any(Date),
      },
      { run_id: next?.runId, outcome: 'running', finished_at: null },
    ]);
  });

  test('an abandoned run is never returned while another process begins a run', async () => {
    const lost = '0f2a7c1e-5b1d-4f6a-8c3e-9d0b1a2c3d4e';
    await db.query(`insert into job_runs (run_id, job, started_at, outcome) values ($1, 'daily', now(), 'running')`, [
      lost,
    ]);
    const holder = new Client({ connectionString: db.url });
    await holder.connect();
    await holder.query('begin; select * from job_runs for update');
    const waiters = async () =>
      (await db.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
        .length;
    const first = start(db.runner(), gate().work);
    await until(async () => (await waiters()) === 1);
    const second = start(db.runner(), instantly);
    await Promise.race([second, until(async () => (await waiters()) === 2)]);
    await holder.query('commit');
    await holder.end();
    expect(await first).toMatchObject({ begun: true });
    expect(await second).toEqual({ runId: (await first)?.runId, begun: false });
  });

  test("starting a job leaves another job's abandoned run unchanged", async () => {
    await db.query(
      `insert into job_runs (run_id, job, started_at, outcome) values (gen_random_uuid(), 'probes', now(), 'running')`,
    );
    await start(db.runner(), instantly);
    const [probes] = await db.query<{ outcome: string }>(`select outcome from job_runs where job = 'probes'`);
    expect(probes?.outcome).toBe('running');
  });

  test('a run that loses its lock connection is aborted as failed, and another can begin', async () => {
    const [one, two] = [db.runner(), db.runner()];
    const { work, began } = gate();
    const first = await start(one, work);
    const { signal } = await began.promise;
    await terminateHolders();
    await until(() => signal.aborted);
    const next = await start(two, instantly);
    expect(next).toMatchObject({ begun: true });
    await until(allEnded);
    const rows = await db.runRows();
    expect(rows.find(({ run_id }) => run_id === first?.runId)).toMatchObject({ outcome: 'failed', completed: false });
    expect(rows.find(({ run_id }) => run_id === next?.runId)).toMatchObject({ outcome: 'succeeded' });
  });
});

describe('shutdown', () => {
  test('shutdown stops the run, records it as failed, and rejects new runs with service_unavailable', async () => {
    const runner = db.runner();
    const { work, began } = gate();
    await start(runner, work);
    await began.promise;
    await runner.onModuleDestroy();
    expect(await db.runRows()).toMatchObject([
      { outcome: 'failed', completed: false, error: 'its process was stopped', finished_at: expect.any(Date) },
    ]);
    await expect(start(runner, instantly)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await start(db.runner(), instantly)).toMatchObject({ begun: true });
  });
});
