import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from '../../redis/redis.service.js';
import type { StoredCounts } from '../stored-counts.js';
import { QuotaStore, type AdmitAnswer, type AdmitEntry, type KeyCounts } from './quota-store.js';
import { RecordAway, RedisCounters } from './redis-counters.js';
import { tellRedisOfChange } from './redis-key-change.js';
import type { RedisRecord, StoredRow } from './redis-record.js';
import type { RedisScript } from './redis-script.js';
import { WatchedKeys } from './watched-keys.js';

/** A call in all, as the store that it falls back to has it by default. */
const CALL_MS_MAX = 1350;
/** Of it for Redis, waiting for a connection that was lost a moment ago included: the rest is for PostgreSQL. */
const REDIS_MS_MAX = 400;
const SQL_MS_MIN = 250;
const TRIES = 2;
/** How much later PostgreSQL knows what Redis granted, and a statement: so lost counts come from figures at most 1 s old (D22). */
const TICK_MS = 500;
const KEYS_A_TICK = 1000;

type Fallback = QuotaStore & OnModuleInit & OnApplicationShutdown;

/**
 * Counters in Redis or Valkey, PostgreSQL being their record, and what decides where Redis cannot be asked (ADR 0014). While
 * the database is away Redis is not asked either: nobody could tell whether a key still is what it was (D22).
 */
export class RedisQuotaStore extends QuotaStore implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Quota');
  private readonly counters: RedisCounters;
  private readonly watched = new WatchedKeys();
  private timer: NodeJS.Timeout | undefined;
  private ticking: Promise<void> | null = null;

  /** @param sql where the record's rows are counted in directly; started and stopped by this one */
  constructor(
    private readonly redis: Redis,
    script: RedisScript,
    private readonly record: RedisRecord,
    private readonly sql: Fallback,
  ) {
    super();
    this.counters = new RedisCounters(redis, script, record);
  }

  onModuleInit(): void {
    this.sql.onModuleInit();
    this.timer = setInterval(() => {
      this.ticking ??= this.tick()
        .catch(() => undefined) // Whoever is away says so elsewhere; what is not written waits.
        .finally(() => (this.ticking = null));
    }, TICK_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.ticking;
    // Over the connection that writes what is owed: the general pool may be closed by now.
    for (const granted of this.record.takeUnwritten()) this.sql.owe(granted);
    const { inDoubt } = this.record;
    if (inDoubt > 0) this.logger.error(`Perhaps not stored at the stop: ${inDoubt} requests that Redis granted`);
    await this.sql.onApplicationShutdown();
  }

  get awaySinceMs(): number | null {
    return this.sql.awaySinceMs;
  }

  get owed(): number {
    return this.sql.owed;
  }

  /** What Redis granted and the record may lack. */
  override get inDoubt(): number {
    return this.record.inDoubt;
  }

  owes(keyId: string): boolean {
    return this.sql.owes(keyId);
  }

  owe(served: KeyCounts): void {
    // It comes to the record by another way, and from there to Redis.
    this.counters.distrust();
    this.sql.owe(served);
  }

  override spent(keyId: string): void {
    this.watched.touch(keyId, performance.now());
  }

  async admit(entries: readonly AdmitEntry[], withinMs = CALL_MS_MAX): Promise<ReadonlyMap<string, AdmitAnswer>> {
    const beganAtMs = performance.now();
    const answers = await this.byRedis(withinMs, (endsAtMs) => this.counters.admit(entries, endsAtMs));
    if (answers === null) return this.sql.admit(entries, leftOf(withinMs, beganAtMs));
    for (const [keyId, answer] of answers) {
      if (answer.kind === 'decided') this.note(keyId, answer.counts, answer.granted);
    }
    return answers;
  }

  async look(keyIds: readonly string[], withinMs = CALL_MS_MAX): Promise<ReadonlyMap<string, StoredCounts>> {
    const beganAtMs = performance.now();
    const found = await this.byRedis(withinMs, (endsAtMs) => this.counters.look(keyIds, endsAtMs));
    if (found === null) return this.sql.look(keyIds, leftOf(withinMs, beganAtMs));
    for (const [keyId, counts] of found) this.note(keyId, counts, 0);
    return found;
  }

  override raise(keyIds: readonly string[]): Promise<void> {
    return tellRedisOfChange(keyIds, { redis: this.redis, counters: this.counters, record: this.record });
  }

  /** @returns null: PostgreSQL has to decide. What Redis has counted by then is taken back before it is asked again. */
  private async byRedis<T>(withinMs: number, ask: (endsAtMs: number) => Promise<T>): Promise<T | null> {
    const endsAtMs = performance.now() + Math.min(REDIS_MS_MAX, withinMs / 2);
    for (let tries = 0; tries < TRIES; tries++) {
      await this.redis.settled(endsAtMs - performance.now());
      if (!this.redis.up) break;
      const { generation } = this.redis;
      try {
        return await ask(endsAtMs);
      } catch (error) {
        if (error instanceof RecordAway) break;
        // One that has answered by refusing is left alone for a while; a connection that was lost may be back at once.
        if (this.redis.generation === generation) this.redis.giveUp(error as Error);
      }
    }
    await this.flushFor(Math.max(1, endsAtMs - performance.now()));
    return null;
  }

  /** So that PostgreSQL decides by all that Redis granted here; where that takes long it decides without. */
  private async flushFor(ms: number): Promise<void> {
    const flushed = this.record.flush().catch(() => undefined);
    await Promise.race([flushed, pause(ms, undefined, { ref: false })]);
  }

  private note(keyId: string, counts: StoredCounts, granted: number): void {
    const { version, minute, minuteUsed, day, dayUsed, month, monthUsed } = counts;
    const used = { minuteUsed: minuteUsed + granted, dayUsed: dayUsed + granted, monthUsed: monthUsed + granted };
    this.watched.see(keyId, { ...counts, ...used }, performance.now());
    if (granted === 0) return;
    this.record.add({
      keyId,
      version,
      minute,
      minuteCount: granted,
      day,
      dayCount: granted,
      month,
      monthCount: granted,
    });
  }

  /** What Redis granted goes to PostgreSQL; what PostgreSQL has beyond it, tokens above all, to Redis. */
  private async tick(): Promise<void> {
    await this.record.flush();
    const keyIds = this.watched.current(performance.now());
    for (let from = 0; from < keyIds.length && this.redis.up; from += KEYS_A_TICK) {
      const rows = await this.record.read(keyIds.slice(from, from + KEYS_A_TICK));
      const behind = new Map<string, StoredRow>([...rows].filter(([keyId, row]) => this.watched.isBehind(keyId, row)));
      if (behind.size > 0) await this.counters.tell(behind, performance.now() + REDIS_MS_MAX);
    }
  }
}

const leftOf = (withinMs: number, beganAtMs: number): number =>
  Math.max(SQL_MS_MIN, withinMs - (performance.now() - beganAtMs));
