import { describe } from 'vitest';
import { Config } from '../../src/config/config.js';
import { REDIS_ADMIT } from '../../src/quota/stores/redis-admit.lua.js';
import { Redis } from '../../src/redis/redis.service.js';

/** A database number that nobody else is likely to use, where the address names none. */
const DATABASE = '/9';

/** Set by `npm run test:services`, where a Redis answers. */
const given = process.env.TEST_REDIS_URL;

/** For specs that need a Redis: skipped, and reported as such, where none was named. */
export const describeWithRedis = given ? describe : describe.skip;

export function testRedisUrl(): string {
  const url = new URL(given!);
  if (url.pathname.length < 2) url.pathname = DATABASE;
  return url.href;
}

/** As a process has it, connected. */
export async function openRedis(url: string): Promise<Redis> {
  const redis = new Redis(Config.from({ REDIS_URL: url }));
  redis.onModuleInit();
  await redis.settled(5000);
  if (!redis.up) throw new Error('Redis did not answer');
  return redis;
}

/** Production's script, but for the instant, which it reads from a key of the test's own. */
export const scriptWithClock = (clockKey: string): string => {
  const text = REDIS_ADMIT.replace(
    "redis.call('TIME')",
    `(redis.call('EXISTS', '${clockKey}') == 1 and redis.call('HMGET', '${clockKey}', 's', 'us') or redis.call('TIME'))`,
  );
  if (text === REDIS_ADMIT) throw new Error('The script does not read TIME');
  return text;
};

/** null: the real time again. */
export async function setRedisNow(redis: Redis, clockKey: string, ms: number | null): Promise<void> {
  if (ms === null) await redis.send(['DEL', clockKey]);
  else await redis.send(['HSET', clockKey, 's', String(Math.floor(ms / 1000)), 'us', String((ms % 1000) * 1000)]);
}

/** What the keys of a test have left. */
export async function forgetKeys(redis: Redis, keyIds: readonly string[]): Promise<void> {
  for (const keyId of keyIds) {
    const names = await redis.send<string[]>(['KEYS', `gw:{${keyId}}:*`]);
    if (names.length > 0) await redis.send(['DEL', ...names]);
  }
}
