import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Config } from '../../src/config/config.js';
import type { ResettableWindow } from '../../src/quota/quota-reset.js';
import { RedisQuotaStore } from '../../src/quota/stores/redis-quota-store.js';
import { RedisRecord } from '../../src/quota/stores/redis-record.js';
import { RedisScript } from '../../src/quota/stores/redis-script.js';
import { SqlQuotaStore } from '../../src/quota/stores/sql-quota-store.js';
import type { QuotaLimits } from '../../src/quota/verdict.rules.js';
import type { Redis } from '../../src/redis/redis.service.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';
import { until } from '../support/until.js';
import { untilReachable } from '../support/open-store.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { forgetKeys, openRedis, scriptWithClock, setRedisNow } from './test-redis.js';

/** A process's own part of it. */
export interface Process {
  readonly redis: Redis;
  readonly record: RedisRecord;
  readonly sql: SqlQuotaStore;
  readonly store: RedisQuotaStore;
  /** Batches that PostgreSQL has decided in the place of Redis. */
  bySql: number;
}

const PLENTY_MS = 15_000;

/** Keys and counters of a database, counted in a Redis by as many stores as a test has processes. */
export class RedisCounts {
  readonly processes: Process[] = [];
  private readonly clockKey = `test:clock:${randomUUID()}`;
  private readonly keyIds: string[] = [];
  private readonly sources: DataSource[] = [];

  private constructor(
    readonly database: QuotaDatabase,
    private readonly redisUrl: string,
  ) {}

  static async open(redisUrl: string, processes: number): Promise<RedisCounts> {
    const counts = new RedisCounts(await QuotaDatabase.create(), redisUrl);
    for (let i = 0; i < processes; i++) await counts.startProcess();
    return counts;
  }

  async startProcess(redisUrl = this.redisUrl): Promise<Process> {
    const { url } = this.database;
    const redis = await openRedis(redisUrl);
    const source = await new DataSource({ type: 'postgres', url, installExtensions: false }).initialize();
    const record = new RedisRecord(source);
    const sql = new SqlQuotaStore(Config.from({ DATABASE_URL: url }));
    const store = new RedisQuotaStore(redis, new RedisScript(redis, scriptWithClock(this.clockKey)), record, sql);
    store.onModuleInit();
    await untilReachable(sql);
    this.sources.push(source);
    const process: Process = { redis, record, sql, store, bySql: 0 };
    const admitBySql = sql.admit.bind(sql);
    sql.admit = (...asked) => {
      process.bySql += 1;
      return admitBySql(...asked);
    };
    this.processes.push(process);
    return process;
  }

  get redis(): Redis {
    return this.processes[0]!.redis;
  }

  async setNow(ms: number | null): Promise<void> {
    await this.database.setNow(ms);
    await setRedisNow(this.redis, this.clockKey, ms);
  }

  async addKey(limits?: Partial<QuotaLimits>): Promise<KeySnapshot> {
    const key = await this.database.addKey(limits);
    this.keyIds.push(key.id);
    return key;
  }

  /** As an admin does it, his answer included. */
  async changeKey(key: KeySnapshot, at = this.processes[0]!): Promise<KeySnapshot> {
    const changed = await this.database.changeKey(key);
    await at.store.raise([key.id]);
    return changed;
  }

  async resetKey(key: KeySnapshot, window: ResettableWindow, at = this.processes[0]!): Promise<KeySnapshot> {
    const reset = await this.database.resetKey(key, window);
    await at.store.raise([key.id]);
    return reset;
  }

  /** What Redis holds of a key, in letters as the script has them. */
  async hash(key: KeySnapshot): Promise<Record<string, number>> {
    const fields = await this.redis.send<string[]>(['HGETALL', `gw:{${key.id}}:quota`]);
    const entries: [string, number][] = [];
    for (let i = 0; i < fields.length; i += 2) entries.push([fields[i]!, Number(fields[i + 1])]);
    return Object.fromEntries(entries);
  }

  /** Until Redis and PostgreSQL both hold exactly so many requests of the key in this month. */
  async untilBothHold(key: KeySnapshot, requests: number): Promise<void> {
    const both = async () => [(await this.hash(key)).moc, (await this.database.stored(key.id)).monthUsed];
    const isSo = async () => (await both()).every((held) => held === requests);
    await until(isSo, PLENTY_MS).catch(async () => {
      throw new Error(`Redis and PostgreSQL hold ${String(await both())}, not ${requests}`);
    });
  }

  async close(): Promise<void> {
    for (const { store } of this.processes) await store.onApplicationShutdown();
    if (this.redis.up) {
      await setRedisNow(this.redis, this.clockKey, null);
      await forgetKeys(this.redis, this.keyIds);
    }
    for (const { redis } of this.processes) await redis.onApplicationShutdown();
    for (const source of this.sources) await source.destroy();
    await this.database.drop();
  }
}
