import { describe, expect, test } from '@jest/globals';
import { ConcurrencyLimit } from '../../src/fairness/concurrency-limit.js';

/** Work that goes on until it is told to end. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = false;
  const begin = () => {
    begun = true;
    return promise;
  };
  return { begin, end: resolve, fail: reject, isBegun: () => begun };
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const BOUNDS = { atOnce: 2, waiting: 2, waitMs: 60_000 };

describe('a turnstile', () => {
  test('lets so many in at once and the others in their order, also after a failure', async () => {
    const turnstile = new ConcurrencyLimit(BOUNDS);
    const works = [work(), work(), work(), work()];
    const passing = works.map(({ begin }) => turnstile.pass(begin));
    expect(works.map(({ isBegun }) => isBegun())).toEqual([true, true, false, false]);
    works[1]!.fail(new Error('wrong'));
    await expect(passing[1]).rejects.toThrow('wrong');
    await settled();
    expect(works.map(({ isBegun }) => isBegun())).toEqual([true, true, true, false]);
    works.forEach(({ end }, at) => end(`done ${at}`));
    expect(await Promise.all([passing[0], passing[2], passing[3]])).toEqual(['done 0', 'done 2', 'done 3']);
    expect(await turnstile.pass(() => Promise.resolve('free again'))).toBe('free again');
  });

  test('refuses with 503 whom the line has no place for', async () => {
    const turnstile = new ConcurrencyLimit(BOUNDS);
    const works = [work(), work(), work(), work(), work()];
    const passing = works.map(({ begin }) => turnstile.pass(begin));
    await expect(passing[4]).rejects.toMatchObject({ code: 'service_unavailable', headers: { 'retry-after': '1' } });
    works.forEach(({ end }) => end('done'));
    expect(await Promise.all(passing.slice(0, 4))).toHaveLength(4);
    expect(works[4]!.isBegun()).toBe(false);
  });

  test('refuses with 503 who has waited too long, and forgets about it', async () => {
    const turnstile = new ConcurrencyLimit({ ...BOUNDS, atOnce: 1, waitMs: 5 });
    const [long, late] = [work(), work()];
    const passing = turnstile.pass(long.begin);
    await expect(turnstile.pass(late.begin)).rejects.toMatchObject({ code: 'service_unavailable' });
    long.end('done');
    expect(await passing).toBe('done');
    expect(late.isBegun()).toBe(false);
    expect(await turnstile.pass(() => Promise.resolve('next'))).toBe('next');
  });

  test('serves holders by turns, each in its order', async () => {
    const turnstile = new ConcurrencyLimit({ atOnce: 1, waiting: 20, waitMs: 60_000 });
    expect(turnstile.enter('a')).toBeUndefined();
    const entered: string[] = [];
    const waiting = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) =>
      turnstile.enter(name.charAt(0))!.then(() => {
        entered.push(name);
        turnstile.leave();
      }),
    );
    turnstile.leave();
    await Promise.all(waiting);
    expect(entered).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(turnstile.enter('a')).toBeUndefined();
  });

  test('a holder has no more in line than there is room left: its flood refuses itself only', async () => {
    const turnstile = new ConcurrencyLimit({ atOnce: 1, waiting: 10, waitMs: 60_000 });
    void turnstile.enter('many');
    const flood = Array.from({ length: 6 }, () => turnstile.enter('many'));
    for (let i = 0; i < 10; i++) expect(() => turnstile.enter('many')).toThrow();
    const other = turnstile.enter('few');
    for (let i = 0; i <= flood.length; i++) turnstile.leave();
    await Promise.all([...flood, other]);
  });
});
