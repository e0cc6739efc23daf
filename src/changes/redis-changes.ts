import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { CHANNEL_OF } from '../redis/channel.data.js';
import type { Redis } from '../redis/redis.service.js';
import { Changes, type ChangeListener, type ChangeTopic } from './changes.js';

const TOPICS = Object.keys(CHANNEL_OF) as ChangeTopic[];

/**
 * Notices over Redis beside those of PostgreSQL: whichever comes first. What is published while Redis is away is lost, and
 * heard from PostgreSQL. Changed keys are published by the quota store, which tells Redis of them anyway.
 */
export class RedisChanges extends Changes implements OnModuleInit, OnModuleDestroy {
  private readonly listeners = new Map<ChangeTopic, ChangeListener[]>(TOPICS.map((topic) => [topic, []]));

  /** @param postgres started and stopped by this one */
  constructor(
    private readonly redis: Redis,
    private readonly postgres: Changes & OnModuleInit & OnModuleDestroy,
  ) {
    super();
    for (const topic of TOPICS) redis.subscribe(CHANNEL_OF[topic], (message) => this.tell(topic, message));
  }

  subscribe(topic: ChangeTopic, listener: ChangeListener): void {
    this.listeners.get(topic)!.push(listener);
    this.postgres.subscribe(topic, listener);
  }

  override announce(topic: ChangeTopic, id = ''): void {
    this.redis.publish(CHANNEL_OF[topic], id);
  }

  onModuleInit(): void {
    this.postgres.onModuleInit();
  }

  onModuleDestroy(): void {
    this.postgres.onModuleDestroy();
  }

  private tell(topic: ChangeTopic, message: string): void {
    for (const listener of this.listeners.get(topic)!) listener(message || null);
  }
}
