import { describe, expect, test } from 'vitest';
import { Turnstile } from '../../src/operators/turnstile.js';

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
    const turnstile = new Turnstile(BOUNDS);
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
    const turnstile = new Turnstile(BOUNDS);
    const works = [work(), work(), work(), work(), work()];
    const passing = works.map(({ begin }) => turnstile.pass(begin));
    await expect(passing[4]).rejects.toMatchObject({ code: 'service_unavailable', headers: { 'retry-after': '1' } });
    works.forEach(({ end }) => end('done'));
    expect(await Promise.all(passing.slice(0, 4))).toHaveLength(4);
    expect(works[4]!.isBegun()).toBe(false);
  });

  test('refuses with 503 who has waited too long, and forgets about it', async () => {
    const turnstile = new Turnstile({ ...BOUNDS, atOnce: 1, waitMs: 5 });
    const [long, late] = [work(), work()];
    const passing = turnstile.pass(long.begin);
    await expect(turnstile.pass(late.begin)).rejects.toMatchObject({ code: 'service_unavailable' });
    long.end('done');
    expect(await passing).toBe('done');
    expect(late.isBegun()).toBe(false);
    expect(await turnstile.pass(() => Promise.resolve('next'))).toBe('next');
  });
});
