import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { serviceUnavailable } from '../errors/error-catalog.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import { LastCounts } from './last-counts.js';
import { requestsIn, type StoredCounts } from './quota-counts.js';
import { QuotaStore } from './stores/quota-store.js';
import type { CurrentKey, Verdict } from './verdict.rules.js';

/** A key is known if it was read or confirmed within this time before the outage (D22). */
const KNOWN_FOR_MS = 600_000;

/** Decides admission by the last known counts while the store is unavailable (D22, ADR 0012). */
@Injectable()
export class Outage {
  private readonly counts = new LastCounts();
  private readonly closed: boolean;
  /** The store's clock minus this machine's. Windows follow the store's clock. */
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

  /** Makes the token limit hold during an outage. @param additionalTokens those that only some keys count */
  spend(keyId: string, tokens: number, additionalTokens: number): void {
    if (tokens + additionalTokens > 0 && this.isActive) this.counts.addTokens(keyId, tokens, additionalTokens);
  }

  /** @throws GatewayError `service_unavailable` if the key is not known or `GW_DB_OUTAGE` is `closed` */
  admit(key: KeySnapshot, cause: unknown): Verdict {
    this.requireKnown(key, cause);
    const { verdict, counts } = this.counts.admit(key.id, key, this.nowMs());
    if (verdict.kind === 'admitted') {
      if (!this.logged) this.logBegin(cause);
      this.served += 1;
      this.store.addServed(requestsIn(counts, key.id, 1));
    }
    return verdict;
  }

  /** Treats the last known version as current. @throws GatewayError as `admit` */
  read(key: KeySnapshot, cause: unknown): CurrentKey {
    this.requireKnown(key, cause);
    return { version: key.version, figures: this.counts.figures(key.id, key, this.nowMs()) };
  }

  private requireKnown(key: KeySnapshot, cause: unknown): void {
    const sinceMs = (this.store.unavailableSinceMs ?? performance.now()) - KNOWN_FOR_MS;
    if (this.closed || !this.counts.isConfirmedSince(key.id, sinceMs)) throw serviceUnavailable(cause);
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
