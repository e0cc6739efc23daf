import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.js';
import { OwnRedis, describeWithOwnRedis } from './own-redis.js';
import { QuotaLoad } from './quota-load.js';
import { RedisCounts } from './redis-counts.js';

/** Less than the 2 s that a request may wait in all, on a machine that has something to spare. */
const ANSWER_MS_MAX = 2500;
const BACK_MS_MAX = 5000;
const PLENTY_MS = 15_000;

describeWithOwnRedis('Redis is lost, and', () => {
  let server: OwnRedis;
  let counts: RedisCounts;
  let load: QuotaLoad | undefined;

  beforeAll(async () => {
    server = await OwnRedis.start();
    counts = await RedisCounts.open(server.url, 2);
  });
  afterEach(() => load?.stop());
  afterAll(async () => {
    server.signal('SIGCONT');
    await counts.close();
    await server.drop();
  });

  const stores = () => counts.processes.map(({ store }) => store);
  const granted = (number: number) => until(() => load!.granted >= number, PLENTY_MS);
  const bySql = () => counts.processes.map((process) => process.bySql);
  const back = () => until(() => counts.processes.every(({ redis }) => redis.up), BACK_MS_MAX);

  /** PostgreSQL decides meanwhile, nobody waits for long, and in the end both hold what was granted. */
  async function survives(lose: () => void | Promise<void>, comeBack: () => Promise<void>): Promise<void> {
    await back();
    const key = await counts.addKey();
    load = new QuotaLoad(stores(), key);
    await granted(200);
    const before = bySql();
    await lose();
    await until(() => bySql().every((calls, i) => calls > before[i]! + 20), PLENTY_MS);
    await comeBack();
    await back();
    const after = bySql();
    const grantedByThen = load.granted;
    await granted(grantedByThen + 200);
    await load.stop();
    // One that had begun by PostgreSQL when Redis came back, at each.
    bySql().forEach((calls, i) => expect(calls).toBeLessThanOrEqual(after[i]! + 1));
    expect(load.longestMs).toBeLessThan(ANSWER_MS_MAX);
    await counts.untilBothHold(key, load.granted);
  }

  test('killed under load and started again empty: PostgreSQL decides, and every request is counted once', () =>
    survives(
      () => server.kill(),
      () => server.startAgain(),
    ));

  test('hangs under load: PostgreSQL decides, and what Redis had not read yet counts nothing later', () =>
    survives(
      () => server.signal('SIGSTOP'),
      async () => server.signal('SIGCONT'),
    ));

  test('loses its connections again and again under load: exactly so many pass', async () => {
    const key = await counts.addKey({ rpdLimit: 4000 });
    await back();
    const before = bySql();
    load = new QuotaLoad(stores(), key);
    const begun = performance.now();
    for (let at = 400; at < 4000; at += 400) {
      await granted(at);
      await counts.redis.send(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']).catch(() => undefined);
    }
    await granted(4000);
    const perSecond = (4000 / (performance.now() - begun)) * 1000;
    await until(() => counts.processes.every(({ redis }) => redis.up), PLENTY_MS);
    const { calls } = load;
    await until(() => load!.calls > calls + 20, PLENTY_MS);
    await load.stop();
    // On a machine that is short of breath a connection may take longer than it is waited for.
    const byRedisAlone = bySql().every((calls, i) => calls === before[i]);
    expect(load.granted - 4000).toBeGreaterThanOrEqual(0);
    expect(load.granted - 4000).toBeLessThanOrEqual(byRedisAlone ? 0 : perSecond);
    await counts.untilBothHold(key, load.granted);
  });

  test('emptied six times under load: what passes beyond the limit is what was granted within a second, at most', async () => {
    const limit = 6000;
    const key = await counts.addKey({ rpdLimit: limit });
    load = new QuotaLoad(stores(), key);
    const begun = performance.now();
    for (let at = 1; at <= 6; at++) {
      await granted((at * limit) / 7);
      await counts.redis.send(['FLUSHDB']);
    }
    await granted(limit);
    const perSecond = (limit / (performance.now() - begun)) * 1000;
    const { calls } = load;
    await until(() => load!.calls > calls + 40, PLENTY_MS);
    await load.stop();
    expect(load.granted).toBeGreaterThanOrEqual(limit);
    expect(load.granted - limit).toBeLessThan(perSecond);
    await counts.untilBothHold(key, load.granted);
  });

  test('a replica that was behind takes over: old counts are not believed', async () => {
    const key = await counts.addKey({ rpdLimit: 100 });
    const ask = async (count: number) => (await stores()[0]!.admit([{ ...key, keyId: key.id, count }])).get(key.id);
    expect(await ask(10)).toMatchObject({ granted: 10 });
    const old = await counts.redis.send<string[]>(['HGETALL', `gw:{${key.id}}:quota`]);
    expect(await ask(70)).toMatchObject({ granted: 70 });
    const { generation } = counts.redis;
    await counts.redis.send(['HSET', `gw:{${key.id}}:quota`, ...old]);
    await counts.redis.send(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'no']).catch(() => undefined);
    await until(() => counts.redis.up && counts.redis.generation > generation, BACK_MS_MAX);
    expect(await ask(70)).toMatchObject({ granted: 20, counts: { dayUsed: 80 } });
    await counts.untilBothHold(key, 100);
  });
});
