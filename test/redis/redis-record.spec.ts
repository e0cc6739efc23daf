import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AdmitAnswer } from '../../src/quota/stores/quota-store.js';
import { dayOf, minuteOf, monthOf } from '../../src/quota/windows.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';
import { FickleProxy } from '../support/fickle-proxy.js';
import { until } from '../support/until.js';
import { admissionOf } from '../support/open-store.js';
import { RedisCounts, type Process } from './redis-counts.js';
import { describeWithRedis, testRedisUrl } from './test-redis.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const PLENTY_MS = 15_000;
/** In which every process has heard of a change from PostgreSQL. */
const WAIT_MS = 2000;

describeWithRedis('Redis counts, PostgreSQL is the record', () => {
  let counts: RedisCounts;
  /** Behind a proxy that can cut it off from Redis. */
  let far: Process;
  let near: Process;
  let proxy: FickleProxy;

  beforeAll(async () => {
    counts = await RedisCounts.open(testRedisUrl(), 1);
    near = counts.processes[0]!;
    proxy = await FickleProxy.start(testRedisUrl());
    far = await counts.startProcess(proxy.url);
  });
  beforeEach(() => counts.setNow(NOON));
  afterAll(async () => {
    await counts.close();
    await proxy.goAway();
  });

  async function ask(key: KeySnapshot, count: number, by = near): Promise<AdmitAnswer> {
    return (await by.store.admit([{ ...key, keyId: key.id, count }])).get(key.id)!;
  }
  const asked = async (...by: Parameters<typeof ask>) => {
    const answer = await ask(...by);
    if (answer.kind !== 'decided') throw new Error(`Not decided: ${answer.kind}`);
    return { granted: answer.granted, used: answer.counts.dayUsed };
  };
  async function cutOff<T>(work: () => Promise<T>): Promise<T> {
    await proxy.goAway();
    await until(() => far.redis.away, PLENTY_MS);
    try {
      return await work();
    } finally {
      await proxy.comeBack();
      await until(() => far.redis.up, PLENTY_MS);
    }
  }

  test('what one process was granted is in the record within a second, without a further request', async () => {
    const key = await counts.addKey();
    await asked(key, 3);
    await asked(key, 4, far);
    const ms = await until(async () => (await counts.database.stored(key.id)).monthUsed === 7, PLENTY_MS);
    expect(ms).toBeLessThan(2000);
    expect(await counts.database.stored(key.id)).toMatchObject({ minute: minuteOf(NOON), minuteUsed: 7, dayUsed: 7 });
  });

  test('a hash that was evicted is filled again, with what was granted a moment ago', async () => {
    const key = await counts.addKey({ rpdLimit: 10 });
    expect(await asked(key, 8)).toEqual({ granted: 8, used: 0 });
    await counts.redis.send(['DEL', `gw:{${key.id}}:quota`]);
    expect(await asked(key, 8)).toEqual({ granted: 2, used: 8 });
  });

  test('one process alone is cut off: what it counts in PostgreSQL comes to the others, and nothing counts twice', async () => {
    const key = await counts.addKey({ rpdLimit: 20 });
    expect(await asked(key, 5)).toEqual({ granted: 5, used: 0 });
    await counts.untilBothHold(key, 5);
    await cutOff(async () => {
      expect(await asked(key, 6, far)).toEqual({ granted: 6, used: 5 });
      await counts.untilBothHold(key, 11);
      expect(await asked(key, 2)).toEqual({ granted: 2, used: 11 });
    });
    expect(await asked(key, 20, far)).toEqual({ granted: 7, used: 13 });
    expect((await asked(key, 1)).granted).toBe(0);
    await counts.untilBothHold(key, 20);
  });

  test('what was served from memory while the database was away is counted in Redis too', async () => {
    const key = await counts.addKey({ rpdLimit: 10 });
    await asked(key, 3);
    const [minute, day, month] = [minuteOf(NOON), dayOf(NOON), monthOf(NOON)];
    near.store.owe({ keyId: key.id, minute, minuteCount: 4, day, dayCount: 4, month, monthCount: 4 });
    await until(() => near.store.owed === 0, PLENTY_MS);
    expect(await asked(key, 9)).toEqual({ granted: 3, used: 7 });
    await counts.untilBothHold(key, 10);
  });

  test('tokens that are recorded after a request refuse the next ones within a second or so', async () => {
    const key = await counts.addKey({ monthlyTokenLimit: 100 });
    await asked(key, 1);
    near.store.spent(key.id);
    await counts.database.recordTokens(key.id, monthOf(NOON), 100);
    await until(async () => (await asked(key, 1)).granted === 0, 3000);
  });

  describe('an admin change', () => {
    test('is told to Redis before its answer: the version before is stale at every process', async () => {
      const key = await counts.addKey();
      await asked(key, 1);
      await asked(key, 1, far);
      const changed = await counts.changeKey(key);
      for (const by of [near, far]) expect(await ask(key, 1, by)).toEqual({ kind: 'stale', version: changed.version });
      expect(await asked(changed, 1, far)).toEqual({ granted: 1, used: 2 });
    });

    test('is told even where Redis holds nothing of the key', async () => {
      const key = await counts.addKey();
      const changed = await counts.changeKey(key);
      expect(await counts.hash(key)).toMatchObject({ v: changed.version });
    });

    test('that cannot be told waits 2 s; whoever has heard of it otherwise makes it known', async () => {
      const key = await counts.addKey();
      await asked(key, 1);
      const changed = await cutOff(async () => {
        const begun = performance.now();
        const changed = await counts.changeKey(key, far);
        expect(performance.now() - begun).toBeGreaterThanOrEqual(WAIT_MS - 5);
        return changed;
      });
      expect(await asked(changed, 1)).toEqual({ granted: 1, used: 1 });
      expect(await ask(key, 1)).toEqual({ kind: 'stale', version: changed.version });
    });

    test('that nobody could tell is told by a request that knows of it and is to be refused', async () => {
      const key = await counts.addKey();
      await asked(key, 1);
      const changed = await counts.database.changeKey(key);
      expect(await admissionOf(near.store).look(changed)).toMatchObject({ version: changed.version });
      expect(await ask(key, 1, far)).toEqual({ kind: 'stale', version: changed.version });
    });

    test('that the database has lost in a failover does not lock the key out', async () => {
      const key = await counts.addKey();
      await asked(key, 2);
      await counts.untilBothHold(key, 2);
      await counts.changeKey(key);
      await counts.database.client.query('update key_quota set version = $2 where key_id = $1', [key.id, key.version]);
      expect(await asked(key, 1)).toEqual({ granted: 1, used: 2 });
    });
  });

  describe('a reset', () => {
    test('holds where Redis could not be told, and drops what had been granted before and not recorded', async () => {
      const key = await counts.addKey({ rpdLimit: 5 });
      expect(await asked(key, 5)).toEqual({ granted: 5, used: 0 });
      const fresh = await cutOff(() => counts.resetKey(key, 'day', far));
      expect(await asked(fresh, 9)).toEqual({ granted: 5, used: 0 });
      await until(async () => (await counts.database.stored(key.id)).monthUsed === 10, PLENTY_MS);
      expect(await counts.database.stored(key.id)).toMatchObject({ dayUsed: 5, minuteUsed: 10 });
    });
  });
});
