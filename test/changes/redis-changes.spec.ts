import { afterAll, beforeAll, test } from 'vitest';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Changes, type ChangeListener, type ChangeTopic } from '../../src/changes/changes.js';
import { RedisChanges } from '../../src/changes/redis-changes.js';
import { Config } from '../../src/config/config.js';
import { CHANNEL_OF } from '../../src/redis/channel.data.js';
import { Redis } from '../../src/redis/redis.service.js';
import { until } from '../support/until.js';
import { describeWithRedis, testRedisUrl } from '../redis/test-redis.js';

const PLENTY_MS = 10_000;

/** As the notices of a database: told when the test says so. */
class DatabaseNotices extends Changes implements OnModuleInit, OnModuleDestroy {
  private readonly listeners: [ChangeTopic, ChangeListener][] = [];
  subscribe(topic: ChangeTopic, listener: ChangeListener): void {
    this.listeners.push([topic, listener]);
  }
  tell(topic: ChangeTopic, id: string | null): void {
    for (const [of, listener] of this.listeners) if (of === topic) listener(id);
  }
  onModuleInit(): void {}
  onModuleDestroy(): void {}
}

describeWithRedis('notices over Redis', () => {
  const database = new DatabaseNotices();
  let redis: Redis[];
  let one: RedisChanges;
  /** By the other process. */
  const heard: string[] = [];

  beforeAll(async () => {
    redis = [1, 2].map(() => new Redis(Config.from({ REDIS_URL: testRedisUrl() })));
    one = new RedisChanges(redis[0]!, new DatabaseNotices());
    const other = new RedisChanges(redis[1]!, database);
    for (const topic of ['key', 'policy', 'catalog'] as const) {
      other.subscribe(topic, (id) => heard.push(`${topic} ${id}`));
    }
    redis.forEach((process) => process.onModuleInit());
    await Promise.all(redis.map((process) => process.settled(PLENTY_MS)));
    // What is published before the other has subscribed is not heard.
    await until(() => {
      one.announce('catalog');
      return heard.length > 0;
    }, PLENTY_MS);
  });
  afterAll(() => Promise.all(redis.map((process) => process.onApplicationShutdown())));

  test.each([
    ['policy', () => one.announce('policy', 'gpt-4o'), 'policy gpt-4o'],
    ['catalog', () => one.announce('catalog'), 'catalog null'],
    ['key', () => redis[0]!.publish(CHANNEL_OF.key, 'an-id'), 'key an-id'],
    ['what the database tells', () => database.tell('key', null), 'key null'],
  ])('reach every process: %s', async (_what, tell, expected) => {
    heard.length = 0;
    tell();
    await until(() => heard.includes(expected), PLENTY_MS);
  });
});
