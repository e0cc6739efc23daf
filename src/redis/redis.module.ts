import { Module } from '@nestjs/common';
import { Redis } from './redis.service.js';

/**
 * The connection to Redis or Valkey, where `REDIS_URL` names one. Apart, because counting and notices both use it and
 * whether it is there is told to probes and metrics. It fails quietly: who finds it away goes by PostgreSQL (D22).
 */
@Module({ providers: [Redis], exports: [Redis] })
export class RedisModule {}
