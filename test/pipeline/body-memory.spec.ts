import { afterEach, describe, expect, vi, test } from 'vitest';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Config } from '../../src/config/config.js';
import { BodyMemory, ParsedMemory } from '../../src/pipeline/body/body-memory.js';

/** The longest body that there is: a transcription's form. */
const QUARTER = 26 * 1_048_576;
const memory = () => new BodyMemory(Config.from({ GW_BODY_MEMORY_BYTES: String(4 * QUARTER) }));

describe('memory for request bodies', () => {
  afterEach(() => {
    vi.useRealTimers();
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
    vi.useFakeTimers();
    const pool = memory();
    void pool.take('a', QUARTER);
    const waiting = pool.take('a', QUARTER);
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    vi.advanceTimersByTime(10_000);
    await outcome;
    pool.release('a', QUARTER);
    expect(pool.take('a', QUARTER)).toBeUndefined();
  });
});

describe('memory for parsed bodies', () => {
  test('what is parsed slowly has a turn of the event loop for itself; the rest waits for none', async () => {
    const pool = new ParsedMemory(Config.from({ GW_BODY_MEMORY_BYTES: String(4 * QUARTER) }));
    const parsed: string[] = [];
    const parse = async (key: string) => {
      await pool.take(key, QUARTER);
      parsed.push(key);
    };
    for (const key of ['a', 'a', 'b', 'c']) void parse(key);
    expect(pool.take('d', 1000)).toBeUndefined();
    const turns: string[][] = [];
    for (let turn = 0; turn < 5; turn++) {
      await nextTurn();
      turns.push(parsed.splice(0));
    }
    expect(turns.flat()).toEqual(['a', 'b', 'c']);
    expect(turns.every((keys) => keys.length <= 1)).toBe(true);
    pool.release('a', QUARTER);
    await nextTurn();
    await nextTurn();
    expect(parsed).toEqual(['a']);
  });
});
