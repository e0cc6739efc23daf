import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config/config.js';
import { serviceUnavailable } from '../platform/errors/error-factories.js';
import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import { FiguresRefresh, KNOWN_FOR_MS } from './figures-refresh.js';
import { LastCounts } from './last-counts.js';
import { LastLimits } from './last-limits.js';
import { NO_CLAIMS, type LimitCharge, type LimitClaim, type ReservedClaim } from './limit-claims.js';
import { QuotaStore } from './ledger/quota-store.js';
import type { LimitLine } from './ledger/unreconciled-changes.js';
import type { CurrentKey, StoredCounts, Verdict } from './verdict.rules.js';
import { requestsIn } from './utc-windows.rules.js';

/** Counts that were older at the start of the outage are not used. This includes the 2.5 s in which a database that hangs is detected. */
const AGE_MS_MAX = 10_000;

/** Admits requests by the last known counts while the store is unavailable (D22, ADR 0012). */
@Injectable()
export class Outage implements OnApplicationBootstrap, OnModuleDestroy {
  readonly refresh: FiguresRefresh;
  private readonly counts: LastCounts;
  private readonly limits: LastLimits;
  private readonly closed: boolean;
  private served = 0;
  /** The value of `served` when the current outage began to serve requests. */
  private servedBefore: number | null = null;
  private readonly logger = new Logger('Quota');

  constructor(
    config: Config,
    clock: Clock,
    private readonly store: QuotaStore,
  ) {
    this.closed = config.dbOutage === 'closed';
    this.counts = new LastCounts(clock);
    this.limits = new LastLimits((limitId) => store.unstoredOf(limitId));
    this.refresh = new FiguresRefresh(store, this.counts, this.limits);
    store.onLimitsSeen((seen, atUs) => this.limits.see(seen, atUs, performance.now()));
  }

  onApplicationBootstrap(): void {
    if (!this.closed) this.refresh.start();
  }

  onModuleDestroy(): void {
    this.refresh.stop();
  }

  /** While true, requests must not wait for the database. */
  get isActive(): boolean {
    return this.store.unavailableSinceMs !== null;
  }

  /** Like the state of the database, for the connection of admission alone. */
  get admission(): 'connecting' | 'ready' | 'away' {
    if (!this.store.hasBegun) return 'connecting';
    return this.isActive ? 'away' : 'ready';
  }

  get servedFromMemory(): number {
    return this.served;
  }

  get unreconciled(): number {
    return this.store.unreconciled;
  }

  /**
   * Decides a request from memory, and counts it if it is admitted.
   * @throws GatewayError `service_unavailable` if the key or a limit is not known, or `GW_DB_OUTAGE` is `closed`. Nothing was
   *   counted then
   */
  admit(key: KeySnapshot, cause: unknown, { items } = NO_CLAIMS): Verdict {
    this.requireKnown(key, cause);
    if (!this.limits.areKnown(items, this.sinceMs - AGE_MS_MAX)) throw serviceUnavailable(cause);
    const over = this.limits.firstOver(items, this.counts.storeNowUs());
    if (over !== null) return { kind: 'over-limit', over, figures: this.counts.figures(key.id, key) };
    const { verdict, counts } = this.counts.admit(key.id, key);
    if (verdict.kind !== 'admitted') return verdict;
    this.countServed(cause);
    this.store.addServed(requestsIn(counts, key.id, 1));
    return items.length === 0 ? verdict : { ...verdict, reserved: this.reserve(items) };
  }

  /** Treats the last known version as current. @throws GatewayError like `admit` */
  read(key: KeySnapshot, cause: unknown): CurrentKey {
    this.requireKnown(key, cause);
    return { version: key.version, figures: this.counts.figures(key.id, key) };
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

  /** Counts tokens toward the token limit during an outage. @param additionalTokens tokens that only some keys count */
  spend(keyId: string, tokens: number, additionalTokens: number): void {
    if (tokens + additionalTokens > 0 && this.isActive) this.counts.addTokens(keyId, tokens, additionalTokens);
  }

  /** Takes the counts that were read with a key. */
  learn(key: KeySnapshot, counts: StoredCounts): void {
    this.counts.learn(key, counts, this.store.hasUnreconciled(key.id), performance.now());
  }

  forget(keyId: string): void {
    this.counts.forget(keyId);
  }

  /** Takes the counts that admission read for a request, and logs the end of an outage. @param admitted requests to add to `counts` */
  see(key: KeySnapshot, counts: StoredCounts, admitted: number): void {
    this.counts.see(key, counts, admitted, performance.now());
    if (this.servedBefore !== null) this.logEnd(this.servedBefore);
  }

  private requireKnown(key: KeySnapshot, cause: unknown): void {
    const rejectsAll = this.closed || this.store.isBehindUnsafePooler;
    const { sinceMs } = this;
    if (rejectsAll || !this.counts.isKnown(key.id, sinceMs - KNOWN_FOR_MS, sinceMs - AGE_MS_MAX))
      throw serviceUnavailable(cause);
  }

  private get sinceMs(): number {
    return this.store.unavailableSinceMs ?? performance.now();
  }

  private reserve(claims: readonly LimitClaim[]): readonly ReservedClaim[] {
    const atUs = this.counts.storeNowUs();
    const reserved = this.limits.reserve(claims, atUs);
    // Claims under limits of the measure `requests` are never settled, so they are charged now.
    const counted = reserved.filter(({ holds, period }) => !holds && period !== null);
    this.store.addToLimits(
      [],
      counted.map(({ limitId, asked }) => ({ limitId, atUs, spent: asked })),
    );
    return reserved;
  }

  private countServed(cause: unknown): void {
    if (this.servedBefore === null) {
      this.servedBefore = this.served;
      this.logger.warn(`Serving known keys from memory: ${(cause as Error).message}`);
    }
    this.served += 1;
  }

  private logEnd(servedBefore: number): void {
    this.servedBefore = null;
    this.logger.warn(`The database is available again: ${this.served - servedBefore} requests were served from memory`);
  }
}
