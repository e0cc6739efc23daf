import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { Database } from '../../../src/platform/database/database.service.js';
import { PeriodicTask } from '../../../src/platform/database/periodic-task.js';
import { READY_DATABASE } from '../../support/ready-database.js';

const [EACH_MS, AGAIN_MS] = [60_000, 1000];

let runs: number;
let outcome: () => Promise<void>;
let warnings: string[];
let registry: SchedulerRegistry;

beforeEach(() => {
  jest.useFakeTimers();
  [runs, outcome, warnings] = [0, () => Promise.resolve(), []];
  registry = new SchedulerRegistry();
});
afterEach(() => void jest.useRealTimers());

const taskOn = (database: Pick<Database, 'state' | 'whenReady'>) =>
  new PeriodicTask(database, registry, {
    name: 'sweeping',
    logger: { warn: (line: string) => warnings.push(line) },
    failure: 'Nothing was swept',
    run: () => {
      runs++;
      return outcome();
    },
    everyMs: EACH_MS,
    retryMs: AGAIN_MS,
  });
const fail = () => Promise.reject(new Error('no broom'));
const passed = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('PeriodicTask', () => {
  test('a started task runs immediately and at each interval, one run at a time', async () => {
    const task = taskOn(READY_DATABASE);
    const slow = Promise.withResolvers<void>();
    outcome = () => slow.promise;
    const started = task.start();
    expect(registry.getIntervals()).toEqual(['sweeping']);
    await passed(2.5 * EACH_MS);
    expect(runs).toBe(1);
    slow.resolve();
    await started;
    await passed(0.5 * EACH_MS - 1);
    expect(runs).toBe(1);
    await passed(1);
    expect(runs).toBe(2);
    await passed(EACH_MS);
    expect(runs).toBe(3);
    await task.stop();
    expect([registry.getIntervals(), registry.getTimeouts()]).toEqual([[], []]);
  });

  test('a task that is only scheduled runs for the first time after one interval', async () => {
    const task = taskOn(READY_DATABASE);
    task.schedule();
    await passed(EACH_MS - 1);
    expect(runs).toBe(0);
    await passed(1);
    expect(runs).toBe(1);
    await task.stop();
  });

  test('a task waits for a database that was never available, without delaying startup or logging', async () => {
    const contact = Promise.withResolvers<void>();
    const task = taskOn({ state: 'connecting', whenReady: () => contact.promise });
    await task.start();
    await passed(EACH_MS);
    expect([runs, warnings]).toEqual([0, []]);
    contact.resolve();
    await passed(0);
    expect(runs).toBe(1);
    await task.stop();
  });

  test('a task logs the first of consecutive failures, retries sooner, and returns to its interval', async () => {
    const task = taskOn(READY_DATABASE);
    outcome = fail;
    await task.start();
    await passed(2 * AGAIN_MS);
    expect([runs, warnings]).toEqual([3, ['Nothing was swept: no broom']]);
    outcome = () => Promise.resolve();
    await passed(AGAIN_MS);
    expect(runs).toBe(4);
    outcome = fail;
    await passed(EACH_MS - 3 * AGAIN_MS - 1);
    expect(runs).toBe(4);
    await passed(1);
    expect([runs, warnings.length]).toEqual([5, 2]);
    await task.stop();
    expect([registry.getIntervals(), registry.getTimeouts()]).toEqual([[], []]);
  });

  test('stopping a task waits for the current run and prevents further runs', async () => {
    const task = taskOn(READY_DATABASE);
    const slow = Promise.withResolvers<void>();
    outcome = () => slow.promise;
    void task.start();
    let stopped = false;
    const stopping = task.stop().then(() => (stopped = true));
    await passed(0);
    expect([stopped, task.signal.aborted]).toEqual([false, true]);
    slow.resolve();
    await stopping;
    await passed(3 * EACH_MS);
    expect(runs).toBe(1);
  });

  test('a run that fails because its task is stopped is not retried or logged', async () => {
    const task = taskOn(READY_DATABASE);
    outcome = () => new Promise((_, reject) => task.signal.addEventListener('abort', () => reject(new Error('cut'))));
    void task.start();
    await task.stop();
    await passed(3 * EACH_MS);
    expect([runs, warnings, registry.getTimeouts()]).toEqual([1, [], []]);
  });

  test('a task stopped before the database is available never runs', async () => {
    const contact = Promise.withResolvers<void>();
    const task = taskOn({ state: 'connecting', whenReady: () => contact.promise });
    await task.start();
    await task.stop();
    contact.resolve();
    await passed(EACH_MS);
    expect(runs).toBe(0);
  });
});
