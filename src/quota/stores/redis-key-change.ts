import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { CHANNEL_OF } from '../../redis/channel.data.js';
import type { Redis } from '../../redis/redis.service.js';
import type { RedisCounters } from './redis-counters.js';
import type { RedisRecord } from './redis-record.js';

/** Of one try. */
const TELL_MS_MAX = 400;
/** By when every process has heard of a change from PostgreSQL itself. D3, D22 */
const TOLD_WITHIN_MS = 2000;
const PAUSE_MS = 100;

const logger = new Logger('Quota');

interface Told {
  readonly redis: Redis;
  readonly counters: RedisCounters;
  readonly record: RedisRecord;
}

/**
 * Tells Redis, and by it every process, of keys that were changed. The change is done: one that Redis cannot be told within 2 s
 * is answered all the same, for by then PostgreSQL has told of it. Never rejects.
 */
export async function tellRedisOfChange(keyIds: readonly string[], { redis, counters, record }: Told): Promise<void> {
  if (keyIds.length === 0) return;
  const endsAtMs = performance.now() + TOLD_WITHIN_MS;
  for (let warned = false; ;) {
    try {
      await redis.settled(PAUSE_MS);
      await counters.tell(await record.read(keyIds), performance.now() + TELL_MS_MAX);
      for (const keyId of keyIds) redis.publish(CHANNEL_OF.key, keyId);
      return;
    } catch (error) {
      const leftMs = endsAtMs - performance.now();
      if (leftMs <= 0) return;
      if (!warned) logger.warn(`A change of keys waits 2 s, for Redis cannot be told: ${(error as Error).message}`);
      warned = true;
      await pause(Math.min(PAUSE_MS, leftMs));
    }
  }
}
