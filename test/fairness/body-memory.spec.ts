import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Config } from '../../src/config/config.js';
import { BodyMemory } from '../../src/fairness/body-memory.js';
import { ParseQueue } from '../../src/fairness/parse-queue.js';

/** The longest body that there is: a transcription's form. */
const QUARTER = 26 * 1_048_576;
const memory = () => new BodyMemory(Config.from({ GW_BODY_MEMORY_BYTES: String(4 * QUARTER) }));

describe('memory for request bodies', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('one key holds a quarter of it at most; others go on', async () => {
    const pool = memory();
    expect(pool.take('a', QUARTER)).toBeUndefined();
    const waiting = pool.take('a', 1);
    expect(waiting).toBeInstanceOf(Promise);
    expect(pool.take('b', QUARTER)).toBeUndefined();
    pool.release('a', QUARTER);
    await waiting;
  });

  test('all together hold the whole of it at most, and a release lets the next in', async () => {
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

  test('less than four of the longest body is no setting: such a body would never get its key’s quarter', () => {
    expect(() => Config.from({ GW_BODY_MEMORY_BYTES: String(4 * QUARTER - 1) })).toThrow('GW_BODY_MEMORY_BYTES');
  });

  test('who has waited ten seconds gets 503 and holds nothing', async () => {
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

describe('memory for parsed bodies', () => {
  const SLOW = 5 * 1_048_576;
  const parseTurns = () => new ParseQueue(Config.from({ GW_BODY_MEMORY_BYTES: String(4 * QUARTER) }));

  test('what is parsed slowly has a turn of the event loop for itself; the rest waits for none', async () => {
    const pool = parseTurns();
    const parsedIn: number[] = [];
    let turn = 0;
    const parse = async (key: string) => {
      await pool.take(key, SLOW);
      parsedIn.push(turn);
    };
    const all = Promise.all(['a', 'a', 'b', 'c'].map(parse));
    expect(pool.take('d', 1000)).toBeUndefined();
    for (; parsedIn.length < 4; turn++) await nextTurn();
    await all;
    expect(new Set(parsedIn).size).toBe(4);
  });

  test('one key holds its quarter of it at most, slow or not', async () => {
    const pool = parseTurns();
    await pool.take('a', QUARTER);
    const waiting = pool.take('a', QUARTER);
    await pool.take('b', QUARTER);
    pool.release('a', QUARTER);
    await waiting;
  });

  test('slow ones together have a fifth of the time: who comes next waits four times as long as the one before took', async () => {
    const pool = parseTurns();
    const next = [pool.take('a', SLOW), pool.take('b', SLOW), pool.take('c', SLOW)];
    for (let i = 0; i < 2; i++) {
      await next[i];
      const beganAtMs = performance.now();
      while (performance.now() - beganAtMs < 30);
      await next[i + 1];
      expect(performance.now() - beganAtMs).toBeGreaterThanOrEqual(5 * 30 - 2);
    }
  });

  test('who sends many holds up nobody else’s', async () => {
    const pool = parseTurns();
    const turns: string[] = [];
    const parse = (key: string) => pool.take(key, SLOW)!.then(() => void turns.push(key));
    await Promise.all(['a', 'a', 'a', 'b', 'b', 'b', 'c'].map(parse));
    expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'b']);
  });
});
