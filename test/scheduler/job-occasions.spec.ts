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

const ended = async () => (await db.runRows()).every(({ outcome }) => outcome !== 'running');

describe('a run of the timetable', () => {
  const due = (dueAtMs: number): Occasion => ({ kind: 'due', dueAtMs });

  test('belongs to whoever comes first; nobody else does it, at the same time or later', async () => {
    const runners = [db.runner(), db.runner(), db.runner()];
    const began: number[] = [];
    const started = await Promise.all(
      runners.map((runner, n) => start(runner, async () => void began.push(n), due(1_000_000))),
    );
    expect(started.filter((one) => one?.begun)).toHaveLength(1);
    await until(ended, 5_000);
    for (const runner of runners) {
      expect(await start(runner, instantly, due(1_000_000))).toBeNull();
      expect(await start(runner, instantly, due(999_999))).toBeNull();
    }
    expect(began).toHaveLength(1);
    expect(await start(runners[1]!, instantly, due(1_000_001))).toMatchObject({ begun: true });
    expect(await start(runners[2]!, instantly)).not.toBeNull();
  });

  test('that a clock gone wrong has put days ahead keeps none of its own time from being due', async () => {
    const now = Date.now();
    const runner = db.runner();
    await db.put(now + 4 * 86_400_000);
    await start(runner, instantly, due(db.nowMs));
    await until(ended, 5_000);
    await db.put(now);
    expect(await start(runner, instantly, { kind: 'missed', withinMs: 86_400_000 })).toMatchObject({
      begun: true,
    });
    await until(ended, 5_000);
    expect(await start(runner, instantly, due(now))).toMatchObject({ begun: true });
  });

  test('is due although somebody has asked for one a moment before', async () => {
    await start(db.runner(), instantly);
    await until(ended, 5_000);
    expect(await start(db.runner(), instantly, due(db.nowMs))).toMatchObject({ begun: true });
  });
});

describe('a run that was missed', () => {
  const missed = (withinMs: number): Occasion => ({ kind: 'missed', withinMs });

  test('is none if one came to its end since then, whatever failed in it', async () => {
    const runner = db.runner();
    await start(runner, () => Promise.reject(new Error('a task')));
    await until(ended, 5_000);
    await db.put(db.nowMs + 86_400_000);
    expect(await start(runner, instantly, missed(86_400_000))).toBeNull();
    expect(await start(runner, instantly, missed(86_399_999))).toMatchObject({ begun: true });
  });

  test('is made up for where the last one was stopped or lost midway', async () => {
    const runner = db.runner();
    const { work, began } = new Gate();
    await start(runner, work);
    await began.promise;
    await runner.onModuleDestroy();
    expect(await start(db.runner(), instantly, missed(86_400_000))).toMatchObject({ begun: true });
    await until(ended, 5_000);
    await db.query(
      `update job_runs set outcome = 'running', completed = false, finished_at = null where outcome = 'succeeded'`,
    );
    // Its row has ended a moment before its lock is free: until then it is joined.
    await poll(() => start(db.runner(), instantly, missed(86_400_000))).toMatchObject({ begun: true });
  });

  test('is one, however many processes start at once', async () => {
    const runners = Array.from({ length: 4 }, () => db.runner());
    const started = await Promise.all(runners.map((runner) => start(runner, instantly, missed(86_400_000))));
    expect(started.filter((one) => one?.begun)).toHaveLength(1);
    await until(ended, 5_000);
    expect(await db.runRows()).toHaveLength(1);
  });
});
