import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config/config.js';
import { serviceUnavailable } from '../platform/errors/error-factories.js';
import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import { LastCounts } from './last-counts.js';
import { LastLimits } from './last-limits.js';
import { NO_CLAIMS, type LimitCharge, type LimitClaim, type ReservedClaim } from './limit-claims.js';
import { requestsIn, type StoredCounts } from './quota-counts.js';
import { QuotaStore } from './ledger/quota-store.js';
import type { LimitLine } from './ledger/unreconciled-limits.js';
import type { CurrentKey, Verdict } from './verdict.rules.js';

/** A key is known if it was used within this time before the outage (D22). */
const KNOWN_FOR_MS = 600_000;
/** Counts that were older at the start of the outage are not used. This includes the 2.5 s in which a database that hangs is detected. */
const AGE_MS_MAX = 10_000;
/** While the database is available, the counts of known keys and of their limits are read again this often. */
const REFRESH_MS = 1000;
/** Together with the age, this bounds the number of known keys and limits to about 40,000 each. */
const ROWS_PER_REFRESH = 5000;
/** Admission waits about a millisecond for a read of this many rows. */
const ROWS_PER_READ = 200;

/** Finding the limits of a key takes about 4 µs, unless the key and the set are the same as before. */
const SEARCHES_PER_REFRESH = 2000;

/** All limits that can apply to requests of a key. They change only with the key or with the version. */
interface LimitsOfKeys {
  readonly version: number;
  allOf(key: KeySnapshot): readonly { readonly id: number }[];
}

interface FoundLimits {
  readonly version: number;
  readonly limits: ReturnType<LimitsOfKeys['allOf']>;
}

/** Admits requests by the last known counts while the store is unavailable (D22, ADR 0012). */
@Injectable()
export class Outage implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly counts = new LastCounts();
  private readonly limits: LastLimits;
  private limitsOfKeys: LimitsOfKeys = { version: 0, allOf: () => [] };
  private readonly found = new WeakMap<KeySnapshot, FoundLimits>();
  private refreshTimer: NodeJS.Timeout | undefined;
  private refreshing = false;
  private readonly closed: boolean;
  /** The store's clock minus this machine's clock. Windows follow the store's clock. */
  private clockAheadMs = 0;
  private served = 0;
  private servedBefore = 0;
  private logged = false;
  private readonly logger = new Logger('Quota');

  constructor(
    config: Config,
    private readonly clock: Clock,
    private readonly store: QuotaStore,
  ) {
    this.closed = config.dbOutage === 'closed';
    this.limits = new LastLimits((limitId) => store.unstoredOf(limitId));
    store.onLimitsSeen((seen, atUs) => this.limits.see(seen, atUs, performance.now()));
  }

  onApplicationBootstrap(): void {
    this.refreshTimer = setInterval(() => void this.refresh(), REFRESH_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.refreshTimer);
  }

  /** Makes this process read the figures of these limits, too. */
  readLimitsOf(limitsOfKeys: LimitsOfKeys): void {
    this.limitsOfKeys = limitsOfKeys;
  }

  /**
   * Reads the counts of recently used keys and of their limits again, because other processes change them. Otherwise, an idle process
   * would admit requests by an old remainder when an outage begins. Never rejects.
   * @param olderThanMs newer counts are not read
   */
  async refresh(olderThanMs = REFRESH_MS / 2): Promise<void> {
    if (this.refreshing || this.closed || this.isActive) return;
    this.refreshing = true;
    try {
      const [keyIds, limitIds] = this.outdated(performance.now(), olderThanMs);
      for (const some of pagesOf(keyIds)) await this.refreshCounts(some);
      for (const some of pagesOf(limitIds)) await this.refreshLimits(some);
    } catch {
      // The next request gets the error.
    }
    this.refreshing = false;
  }

  /** While true, requests must not wait for the database. */
  get isActive(): boolean {
    return this.store.unavailableSinceMs !== null;
  }

  get servedFromMemory(): number {
    return this.served;
  }

  get unreconciled(): number {
    return this.store.unreconciled;
  }

  learn(key: KeySnapshot, counts: StoredCounts): void {
    this.counts.learn(key, counts, this.store.hasUnreconciled(key.id), performance.now());
  }

  forget(keyId: string): void {
    this.counts.forget(keyId);
  }

  /** @param admitted requests to add to `counts` */
  see(key: KeySnapshot, counts: StoredCounts, admitted: number): void {
    this.clockAheadMs = counts.nowMs - this.clock.now();
    this.counts.see(key, counts, admitted, performance.now());
    if (this.logged) this.logEnd();
  }

  /** Makes the token limit hold during an outage. @param additionalTokens tokens that only some keys count */
  spend(keyId: string, tokens: number, additionalTokens: number): void {
    if (tokens + additionalTokens > 0 && this.isActive) this.counts.addTokens(keyId, tokens, additionalTokens);
  }

  /**
   * @throws GatewayError `service_unavailable` if the key or a limit is not known, or `GW_DB_OUTAGE` is `closed`. Nothing was
   *   counted then
   */
  admit(key: KeySnapshot, cause: unknown, { items } = NO_CLAIMS): Verdict {
    this.requireKnown(key, cause);
    if (!this.limits.areKnown(items, this.sinceMs - AGE_MS_MAX)) throw serviceUnavailable(cause);
    const over = this.limits.firstOver(items, this.nowUs());
    if (over !== null) return { kind: 'over-limit', over, figures: this.counts.figures(key.id, key, this.nowMs()) };
    const { verdict, counts } = this.counts.admit(key.id, key, this.nowMs());
    if (verdict.kind !== 'admitted') return verdict;
    if (!this.logged) this.logBegin(cause);
    this.served += 1;
    this.store.addServed(requestsIn(counts, key.id, 1));
    return items.length === 0 ? verdict : { ...verdict, reserved: this.reserve(items) };
  }

  /** Like `LimitLedger.settle`. Requests that were served from memory are charged, because the database has no reservation. */
  settle(reserved: readonly ReservedClaim[], spent: readonly number[]): void {
    const lines: LimitLine[] = [];
    const charges: LimitCharge[] = [];
    for (const [i, claim] of reserved.entries()) {
      const { limitId, asked, overdraft, holds, period, servedAtUs } = claim;
      if (!holds || period === null) continue;
      this.limits.settle(claim, spent[i]!);
      if (servedAtUs !== null) charges.push({ limitId, atUs: servedAtUs, spent: spent[i]! });
      else lines.push({ limitId, period, freed: asked, spent: spent[i]!, overdraft });
    }
    if (lines.length > 0 || charges.length > 0) this.store.addToLimits(lines, charges);
  }

  private reserve(claims: readonly LimitClaim[]): readonly ReservedClaim[] {
    const atUs = this.nowUs();
    const reserved = this.limits.reserve(claims, atUs);
    // Claims under limits of the measure `requests` are never settled, so they are charged now.
    const counted = reserved.filter(({ holds, period }) => !holds && period !== null);
    this.store.addToLimits(
      [],
      counted.map(({ limitId, asked }) => ({ limitId, atUs, spent: asked })),
    );
    return reserved;
  }

  /** Treats the last known version as current. @throws GatewayError like `admit` */
  read(key: KeySnapshot, cause: unknown): CurrentKey {
    this.requireKnown(key, cause);
    return { version: key.version, figures: this.counts.figures(key.id, key, this.nowMs()) };
  }

  private requireKnown(key: KeySnapshot, cause: unknown): void {
    const refuses = this.closed || this.store.isBehindUnsafePooler;
    const { sinceMs } = this;
    if (refuses || !this.counts.isKnown(key.id, sinceMs - KNOWN_FOR_MS, sinceMs - AGE_MS_MAX))
      throw serviceUnavailable(cause);
  }

  private get sinceMs(): number {
    return this.store.unavailableSinceMs ?? performance.now();
  }

  /** The keys and limits with older counts, the oldest first. */
  private outdated(nowMs: number, olderThanMs: number): [keyIds: string[], limitIds: number[]] {
    const beforeMs = nowMs - olderThanMs;
    const keys: { readonly id: string; readonly readAtMs: number }[] = [];
    const limits = new Map<number, { readonly id: number; readonly readAtMs: number }>();
    let searches = 0;
    for (const { key, readAtMs } of this.counts.usedSince(nowMs - KNOWN_FOR_MS)) {
      if (readAtMs <= beforeMs) keys.push({ id: key.id, readAtMs });
      let found = this.found.get(key);
      if (found?.version !== this.limitsOfKeys.version && searches < SEARCHES_PER_REFRESH) {
        searches += 1;
        found = { version: this.limitsOfKeys.version, limits: this.limitsOfKeys.allOf(key) };
        this.found.set(key, found);
      }
      for (const { id } of found?.limits ?? [])
        if (!limits.has(id)) limits.set(id, { id, readAtMs: this.limits.readAtMs(id) });
    }
    return [oldest(keys), oldest([...limits.values()].filter((limit) => limit.readAtMs <= beforeMs))];
  }

  private async refreshCounts(keyIds: readonly string[]): Promise<void> {
    const beganAtMs = performance.now();
    for (const [keyId, counts] of await this.store.readCounts(keyIds)) {
      this.clockAheadMs = counts.nowMs - this.clock.now();
      this.counts.refresh(keyId, counts, this.store.hasUnreconciled(keyId), beganAtMs);
    }
  }

  private async refreshLimits(limitIds: readonly number[]): Promise<void> {
    const beganAtMs = performance.now();
    const read = await this.store.readLimits(limitIds);
    this.limits.refresh(read, beganAtMs);
    const times = [...read.values()].flatMap((limit) => (limit.times === null ? [] : [limit.times]));
    const missing = this.limits.periods.missing(times, this.nowUs());
    if (missing.length === 0) return;
    for (const { startsUs, ...calendar } of await this.store.readPeriodStarts(missing))
      this.limits.periods.set(calendar, startsUs);
  }

  private logBegin(cause: unknown): void {
    this.logged = true;
    this.servedBefore = this.served;
    this.logger.warn(`Serving known keys from memory: ${(cause as Error).message}`);
  }

  private logEnd(): void {
    this.logged = false;
    this.logger.warn(
      `The database is available again: ${this.served - this.servedBefore} requests were served from memory`,
    );
  }

  private nowMs(): number {
    return this.clock.now() + this.clockAheadMs;
  }

  private nowUs(): number {
    return Math.floor(this.nowMs() * 1000);
  }
}

function oldest<T>(rows: { readonly id: T; readonly readAtMs: number }[]): T[] {
  const first = rows.length <= ROWS_PER_REFRESH ? rows : rows.sort((a, b) => a.readAtMs - b.readAtMs);
  return first.slice(0, ROWS_PER_REFRESH).map(({ id }) => id);
}

function* pagesOf<T>(rows: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_PER_READ) yield rows.slice(from, from + ROWS_PER_READ);
}
