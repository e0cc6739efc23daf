import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { serviceUnavailable } from '../errors/error-factories.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import { LastCounts, LastLimits } from './last-counts.js';
import { NO_CLAIMS, type LimitCharge, type LimitClaim, type ReservedClaim } from './limit-claims.js';
import { requestsIn, type StoredCounts } from './quota-counts.js';
import { QuotaStore } from './stores/quota-store.js';
import type { LimitLine } from './stores/unreconciled-limits.js';
import type { CurrentKey, Verdict } from './verdict.rules.js';

/** A key is known if it was read or confirmed within this time before the outage (D22). */
const KNOWN_FOR_MS = 600_000;

/** Admits requests by the last known counts while the store is unavailable (D22, ADR 0012). */
@Injectable()
export class Outage {
  private readonly counts = new LastCounts();
  private readonly limits = new LastLimits();
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
    store.onLimitsSeen((seen) => this.limits.see(seen));
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

  learn(keyId: string, counts: StoredCounts): void {
    this.counts.learn(keyId, counts, this.store.hasUnreconciled(keyId), performance.now());
  }

  forget(keyId: string): void {
    this.counts.forget(keyId);
  }

  /** @param admitted requests to add to `counts` */
  see(keyId: string, counts: StoredCounts, admitted: number): void {
    this.clockAheadMs = counts.nowMs - this.clock.now();
    this.counts.see(keyId, counts, admitted, performance.now());
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
    if (!this.limits.areKnown(items)) throw serviceUnavailable(cause);
    const over = this.limits.firstOver(items);
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
      const { limitId, asked, holds, period, servedAtUs } = claim;
      if (!holds || period === null) continue;
      this.limits.settle(claim, spent[i]!);
      if (servedAtUs !== null) charges.push({ limitId, atUs: servedAtUs, spent: spent[i]! });
      else lines.push({ limitId, period, freed: asked, spent: spent[i]! });
    }
    if (lines.length > 0 || charges.length > 0) this.store.addToLimits(lines, charges);
  }

  private reserve(claims: readonly LimitClaim[]): readonly ReservedClaim[] {
    const atUs = Math.floor(this.nowMs() * 1000);
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
    const sinceMs = (this.store.unavailableSinceMs ?? performance.now()) - KNOWN_FOR_MS;
    const refuses = this.closed || this.store.isBehindUnsafePooler;
    if (refuses || !this.counts.isConfirmedSince(key.id, sinceMs)) throw serviceUnavailable(cause);
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
}
