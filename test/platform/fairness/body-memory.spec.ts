import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Config } from '../../../src/platform/config/config.js';
import { BodyMemory } from '../../../src/platform/fairness/body-memory.js';
import { ParseQueue } from '../../../src/platform/fairness/parse-queue.js';

/** The largest body that a route accepts, the form of a transcription. */
const QUARTER = 26 * 1_048_576;
const memory = () => new BodyMemory(Config.from({ GW_BODY_MEMORY_BYTES: String(4 * QUARTER) }));

describe('BodyMemory', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('one key holds at most a quarter of the memory, and other keys still get theirs', async () => {
    const pool = memory();
    expect(pool.take('a', QUARTER)).toBeUndefined();
    const waiting = pool.take('a', 1);
    expect(waiting).toBeInstanceOf(Promise);
    expect(pool.take('b', QUARTER)).toBeUndefined();
    pool.release('a', QUARTER);
    await waiting;
  });

  test('all keys together hold at most the whole memory, and a release admits the next body', async () => {
    const pool = memory();
    for (const key of ['a', 'b', 'c', 'd']) expect(pool.take(key, QUARTER)).toBeUndefined();
    const waiting = pool.take('e', QUARTER);
    expect(waiting).toBeDefined();
    pool.release('c', QUARTER);
    await waiting;
    const next = pool.take('c', 1);
    expect(next).toBeDefined();
    pool.release('e', QUARTER);
    await next;
  });

  test('rejects a GW_BODY_MEMORY_BYTES of less than four of the largest bodies', () => {
    expect(() => Config.from({ GW_BODY_MEMORY_BYTES: String(4 * QUARTER - 1) })).toThrow('GW_BODY_MEMORY_BYTES');
  });

  test('a body that has waited 10 s returns 503 and holds no memory', async () => {
    jest.useFakeTimers();
    const pool = memory();
    void pool.take('a', QUARTER);
    const waiting = pool.take('a', QUARTER);
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    jest.advanceTimersByTime(10_000);
    await outcome;
    pool.release('a', QUARTER);
    expect(pool.take('a', QUARTER)).toBeUndefined();
  });
});

describe('ParseQueue', () => {
  const SLOW = 5 * 1_048_576;
  const parseQueue = () => new ParseQueue(Config.from({ GW_BODY_MEMORY_BYTES: String(4 * QUARTER) }));

  test('each slow body gets its own turn of the event loop, and other bodies do not wait', async () => {
    const pool = parseQueue();
    const parsedIn: number[] = [];
    let turn = 0;
    const parse = async (key: string) => {
      const parsing = await pool.take(key, SLOW);
      parsedIn.push(turn);
      parsing!.end();
    };
    const all = Promise.all(['a', 'a', 'b', 'c'].map(parse));
    expect(pool.take('d', 1000)).toBeUndefined();
    for (; parsedIn.length < 4; turn++) await nextTurn();
    await all;
    expect(new Set(parsedIn).size).toBe(4);
  });

  test('one key holds at most a quarter of the memory for parsed bodies', async () => {
    const pool = parseQueue();
    (await pool.take('a', QUARTER))!.end();
    const waiting = pool.take('a', QUARTER);
    (await pool.take('b', QUARTER))!.end();
    pool.release('a', QUARTER);
    await waiting;
  });

  test('the next slow body waits until the turn of the one before it has ended', async () => {
    const pool = parseQueue();
    const first = await pool.take('a', SLOW);
    let isNextParsed = false;
    const next = pool.take('b', SLOW)!.then(() => (isNextParsed = true));
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(isNextParsed).toBe(false);
    first!.end();
    await next;
  });

  test('slow bodies use at most a fifth of the time', async () => {
    const pool = parseQueue();
    const next = [pool.take('a', SLOW), pool.take('b', SLOW), pool.take('c', SLOW)];
    for (let i = 0; i < 2; i++) {
      const parsing = await next[i];
      const beganAtMs = performance.now();
      while (performance.now() - beganAtMs < 30);
      parsing!.end();
      await next[i + 1];
      expect(performance.now() - beganAtMs).toBeGreaterThanOrEqual(5 * 30 - 2);
    }
  });

  test('the slow bodies of all keys are parsed round-robin', async () => {
    const pool = parseQueue();
    const turns: string[] = [];
    const parse = (key: string) =>
      pool.take(key, SLOW)!.then((parsing) => {
        turns.push(key);
        parsing.end();
      });
    await Promise.all(['a', 'a', 'a', 'b', 'b', 'b', 'c'].map(parse));
    expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'b']);
  });
});
