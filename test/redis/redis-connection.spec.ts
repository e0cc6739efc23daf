import { expect, test } from 'vitest';
import { Config } from '../../src/config/config.js';
import { Redis, RedisAway } from '../../src/redis/redis.service.js';

const open = (env: Record<string, string>) => {
  const redis = new Redis(Config.from(env));
  redis.onModuleInit();
  return redis;
};

test('without REDIS_URL there is none, and nobody waits for it', async () => {
  const redis = open({});
  expect([redis.configured, redis.up, redis.away]).toEqual([false, false, true]);
  await redis.settled(60_000);
  await expect(redis.send(['PING'])).rejects.toThrow(RedisAway);
  await redis.onApplicationShutdown();
});

test('an address that nobody listens at is away, and stops at once', async () => {
  const redis = open({ REDIS_URL: 'redis://127.0.0.1:1' });
  await redis.settled(60_000);
  expect([redis.configured, redis.up, redis.away]).toEqual([true, false, true]);
  await expect(redis.send(['PING'])).rejects.toThrow(RedisAway);
  await redis.onApplicationShutdown();
});
