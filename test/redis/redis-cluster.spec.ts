import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.js';
import { OwnRedis, describeWithOwnRedis } from './own-redis.js';
import { RedisCounts } from './redis-counts.js';

const PLENTY_MS = 15_000;

describeWithOwnRedis('a server in cluster mode', () => {
  let server: OwnRedis;
  let counts: RedisCounts;

  beforeAll(async () => {
    server = await OwnRedis.start('--cluster-enabled', 'yes');
    counts = await RedisCounts.open(server.url, 1);
  });
  afterAll(async () => {
    await counts.close();
    await server.drop();
  });

  test('that does not serve a slot is left alone: PostgreSQL decides', async () => {
    const [{ store }] = counts.processes as [(typeof counts.processes)[0]];
    const key = await counts.database.addKey({ rpdLimit: 3 });
    const answers = await store.admit([{ ...key, keyId: key.id, count: 5 }]);
    expect(answers.get(key.id)).toMatchObject({ kind: 'decided', granted: 3 });
    expect(counts.processes[0]!.bySql).toBe(1);
  });

  test('that serves all slots counts: both keys of a call are in one slot', async () => {
    const [{ store, redis }] = counts.processes as [(typeof counts.processes)[0]];
    await until(() => redis.up, PLENTY_MS);
    await redis.send(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
    await until(async () => (await redis.send<string>(['CLUSTER', 'INFO'])).includes('cluster_state:ok'), PLENTY_MS);
    const key = await counts.database.addKey({ rpdLimit: 3 });
    const answers = await store.admit([{ ...key, keyId: key.id, count: 5 }]);
    expect(answers.get(key.id)).toMatchObject({ kind: 'decided', granted: 3 });
    const names = await redis.send<string[]>(['KEYS', `*${key.id}*`]);
    expect(names).toHaveLength(2);
    const slots = await Promise.all(names.map((name) => redis.send(['CLUSTER', 'KEYSLOT', name])));
    expect(new Set(slots).size).toBe(1);
  });
});
