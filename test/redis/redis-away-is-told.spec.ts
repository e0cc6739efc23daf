import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMetered, type MeteredGateway } from '../support/metered-gateway.js';
import { describeWithOwnRedis, OwnRedis } from './own-redis.js';

describeWithOwnRedis('a Redis that is lost', () => {
  let redis: OwnRedis;
  let metered: MeteredGateway;
  beforeAll(async () => {
    redis = await OwnRedis.start();
    metered = await startMetered({ REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await metered.stop();
    await redis.drop();
  });

  test('is told by the metric and by readiness, while limits stay exact; and its return too', async () => {
    const { gateway } = metered;
    const up = (value: 0 | 1) => metered.scrapedUntil((now) => now.sum('gateway_redis_up') === value);
    const readiness = async () => (await gateway.call('GET', '/health/ready')).body.status;
    await up(1);
    await redis.kill();
    await up(0);
    expect(await readiness()).toBe('degraded');
    const key = await gateway.createKey({ rpd_limit: 5 });
    const answers = await Promise.all(Array.from({ length: 15 }, () => gateway.chat(key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    await redis.startAgain();
    await up(1);
    expect(await readiness()).not.toBe('degraded');
  });
});
