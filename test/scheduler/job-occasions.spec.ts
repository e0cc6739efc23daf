import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Occasion } from '../../src/scheduler/job.js';
import { poll } from '../support/poll.js';
import { until } from '../support/until.js';
import { Gate, instantly, start } from './job-work.js';
import { SchedulerDatabase } from './scheduler-database.js';

let db: SchedulerDatabase;
beforeAll(async () => {
  Logger.overrideLogger(false);
  db = await SchedulerDatabase.create();
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.put(Date.now());
  await db.query('delete from job_runs');
});
afterEach(() => db.stopRunners());

const allEnded = async () => (await db.runRows()).every(({ outcome }) => outcome !== 'running');

describe('scheduled runs', () => {
  const due = (dueAtMs: number): Occasion => ({ kind: 'due', dueAtMs });

  test('each scheduled time gets exactly one run, from the first process that starts it', async () => {
    const runners = [db.runner(), db.runner(), db.runner()];
    const began: number[] = [];
    const started = await Promise.all(
      runners.map((runner, n) => start(runner, async () => void began.push(n), due(1_000_000))),
    );
    expect(started.filter((one) => one?.begun)).toHaveLength(1);
    await until(allEnded);
    for (const runner of runners) {
      expect(await start(runner, instantly, due(1_000_000))).toBeNull();
      expect(await start(runner, instantly, due(999_999))).toBeNull();
    }
    expect(began).toHaveLength(1);
    expect(await start(runners[1]!, instantly, due(1_000_001))).toMatchObject({ begun: true });
    expect(await start(runners[2]!, instantly)).not.toBeNull();
  });

  test('a run recorded days in the future does not block runs at the correct time', async () => {
    const now = Date.now();
    const runner = db.runner();
    await db.put(now + 4 * 86_400_000);
    await start(runner, instantly, due(db.nowMs));
    await until(allEnded);
    await db.put(now);
    expect(await start(runner, instantly, { kind: 'missed', withinMs: 86_400_000 })).toMatchObject({
      begun: true,
    });
    await until(allEnded);
    expect(await start(runner, instantly, due(now))).toMatchObject({ begun: true });
  });

  test('a run requested a moment earlier does not replace the scheduled run', async () => {
    await start(db.runner(), instantly);
    await until(allEnded);
    expect(await start(db.runner(), instantly, due(db.nowMs))).toMatchObject({ begun: true });
  });
});

describe('missed runs', () => {
  const missed = (withinMs: number): Occasion => ({ kind: 'missed', withinMs });

  test('a completed run within the given time prevents another run, even if it failed', async () => {
    const runner = db.runner();
    await start(runner, () => Promise.reject(new Error('a task')));
    await until(allEnded);
    await db.put(db.nowMs + 86_400_000);
    expect(await start(runner, instantly, missed(86_400_000))).toBeNull();
    expect(await start(runner, instantly, missed(86_399_999))).toMatchObject({ begun: true });
  });

  test('a missed run starts if the previous run was stopped or its process died', async () => {
    const runner = db.runner();
    const { work, began } = new Gate();
    await start(runner, work);
    await began.promise;
    await runner.onModuleDestroy();
    expect(await start(db.runner(), instantly, missed(86_400_000))).toMatchObject({ begun: true });
    await until(allEnded);
    await db.query(
      `update job_runs set outcome = 'running', completed = false, finished_at = null where outcome = 'succeeded'`,
    );
    // A finished run releases its lock a moment after its row is updated. Until then, a start returns that run.
    await poll(() => start(db.runner(), instantly, missed(86_400_000))).toMatchObject({ begun: true });
  });

  test('processes that start at the same time start one missed run between them', async () => {
    const runners = Array.from({ length: 4 }, () => db.runner());
    const started = await Promise.all(runners.map((runner) => start(runner, instantly, missed(86_400_000))));
    expect(started.filter((one) => one?.begun)).toHaveLength(1);
    await until(allEnded);
    expect(await db.runRows()).toHaveLength(1);
  });
});
