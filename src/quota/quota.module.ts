import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { Redis } from '../redis/redis.service.js';
import { RedisModule } from '../redis/redis.module.js';
import { Admission } from './admission.service.js';
import { InstanceCap } from './instance-cap.js';
import { Outage } from './outage.service.js';
import { QuotaReset } from './quota-reset.js';
import { QuotaStore } from './stores/quota-store.js';
import { RedisQuotaStore } from './stores/redis-quota-store.js';
import { RedisRecord } from './stores/redis-record.js';
import { RedisScript } from './stores/redis-script.js';
import { SqlQuotaStore } from './stores/sql-quota-store.js';

/** Counted in PostgreSQL; with `REDIS_URL` in Redis, PostgreSQL being its record and its stand-in. */
const STORE = {
  provide: QuotaStore,
  inject: [Config, Redis, DataSource],
  useFactory: (config: Config, redis: Redis, source: DataSource): QuotaStore => {
    const sql = new SqlQuotaStore(config);
    return redis.configured ? new RedisQuotaStore(redis, new RedisScript(redis), new RedisRecord(source), sql) : sql;
  },
};

/**
 * How many requests a key may make: the exact count of its minute, day and month, and the cap of this instance.
 * Apart, since it is the one place where all processes meet: nobody else touches the counters of a key.
 * While the database cannot be asked keys that this process knows are judged from memory, others are refused (503), at once
 * or within 2 s; what was served is stored, and what a lost answer had counted taken back, before the next call (D22). While
 * Redis cannot be asked PostgreSQL decides.
 */
@Module({
  imports: [RedisModule],
  providers: [Admission, InstanceCap, Outage, QuotaReset, STORE],
  exports: [Admission, InstanceCap, Outage, QuotaReset],
})
export class QuotaModule {}
