import { describe, expect, test } from '@jest/globals';
import { ConcurrencyLimit } from '../../../src/platform/fairness/concurrency-limit.js';

/** Creates work that runs until the test ends it. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let started = false;
  const start = () => {
    started = true;
    return promise;
  };
  return { start, end: resolve, fail: reject, isStarted: () => started };
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const BOUNDS = { atOnce: 2, waiting: 2, waitMs: 60_000 };

describe('ConcurrencyLimit', () => {
  test('runs a limited number of tasks at the same time and starts the others in order, even after a failure', async () => {
    const limit = new ConcurrencyLimit(BOUNDS);
    const works = [work(), work(), work(), work()];
    const passing = works.map(({ start }) => limit.pass(start));
    expect(works.map(({ isStarted }) => isStarted())).toEqual([true, true, false, false]);
    works[1]!.fail(new Error('wrong'));
    await expect(passing[1]).rejects.toThrow('wrong');
    await settled();
    expect(works.map(({ isStarted }) => isStarted())).toEqual([true, true, true, false]);
    works.forEach(({ end }, at) => end(`done ${at}`));
    expect(await Promise.all([passing[0], passing[2], passing[3]])).toEqual(['done 0', 'done 2', 'done 3']);
    expect(await limit.pass(() => Promise.resolve('free again'))).toBe('free again');
  });

  test('rejects a task with 503 if the queue is full', async () => {
    const limit = new ConcurrencyLimit(BOUNDS);
    const works = [work(), work(), work(), work(), work()];
    const passing = works.map(({ start }) => limit.pass(start));
    await expect(passing[4]).rejects.toMatchObject({ code: 'service_unavailable', headers: { 'retry-after': '1' } });
    works.forEach(({ end }) => end('done'));
    expect(await Promise.all(passing.slice(0, 4))).toHaveLength(4);
    expect(works[4]!.isStarted()).toBe(false);
  });

  test('rejects a task with 503 if it has waited too long, and never starts it', async () => {
    const limit = new ConcurrencyLimit({ ...BOUNDS, atOnce: 1, waitMs: 5 });
    const [long, late] = [work(), work()];
    const passing = limit.pass(long.start);
    await expect(limit.pass(late.start)).rejects.toMatchObject({ code: 'service_unavailable' });
    long.end('done');
    expect(await passing).toBe('done');
    expect(late.isStarted()).toBe(false);
    expect(await limit.pass(() => Promise.resolve('next'))).toBe('next');
  });

  test('serves holders round-robin, and the tasks of each holder in order', async () => {
    const limit = new ConcurrencyLimit({ atOnce: 1, waiting: 20, waitMs: 60_000 });
    expect(limit.enter('a')).toBeUndefined();
    const entered: string[] = [];
    const waiting = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) =>
      limit.enter(name.charAt(0))!.then(() => {
        entered.push(name);
        limit.leave();
      }),
    );
    limit.leave();
    await Promise.all(waiting);
    expect(entered).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(limit.enter('a')).toBeUndefined();
  });

  test('a holder that floods the queue leaves room for others', async () => {
    const limit = new ConcurrencyLimit({ atOnce: 1, waiting: 10, waitMs: 60_000 });
    void limit.enter('many');
    const flood = Array.from({ length: 6 }, () => limit.enter('many'));
    for (let i = 0; i < 10; i++) expect(() => limit.enter('many')).toThrow();
    const other = limit.enter('few');
    for (let i = 0; i <= flood.length; i++) limit.leave();
    await Promise.all([...flood, other]);
  });
});
