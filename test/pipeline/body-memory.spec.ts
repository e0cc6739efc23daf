import { afterEach, describe, expect, vi, test } from 'vitest';
import { Config } from '../../src/config/config.js';
import { BodyMemory } from '../../src/pipeline/body/body-memory.js';

const MIB = 1_048_576;
const memory = (mebibytes: number) => new BodyMemory(Config.from({ GW_BODY_MEMORY_BYTES: String(mebibytes * MIB) }));

describe('memory for request bodies', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('one key holds a quarter of it at most; others go on', async () => {
    const pool = memory(4);
    expect(pool.take('a', MIB)).toBeUndefined();
    const waiting = pool.take('a', 1);
    expect(waiting).toBeInstanceOf(Promise);
    expect(pool.take('b', MIB)).toBeUndefined();
    pool.release('a', MIB);
    await waiting;
  });

  test('all together hold the whole of it at most, and a release lets the next in', async () => {
    const pool = memory(4);
    for (const key of ['a', 'b', 'c', 'd']) expect(pool.take(key, MIB)).toBeUndefined();
    const waiting = pool.take('e', MIB);
    expect(waiting).toBeDefined();
    pool.release('c', MIB);
    await waiting;
    const next = pool.take('c', 1);
    expect(next).toBeDefined();
    pool.release('e', MIB);
    await next;
  });

  test('who has waited ten seconds gets 503 and holds nothing', async () => {
    vi.useFakeTimers();
    const pool = memory(4);
    void pool.take('a', MIB);
    const waiting = pool.take('a', MIB);
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    vi.advanceTimersByTime(10_000);
    await outcome;
    pool.release('a', MIB);
    expect(pool.take('a', MIB)).toBeUndefined();
  });
});
