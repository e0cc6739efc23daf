import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { serviceUnavailable } from '../errors/catalogue.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import { LastCounts } from './last-counts.js';
import { requestsIn, type StoredCounts } from './quota-counts.js';
import { QuotaStore } from './stores/quota-store.js';
import type { CurrentKey, Verdict } from './verdict.rules.js';

/** A key is known if its state was read or confirmed within this time before the store became unavailable (D22). */
const KNOWN_FOR_MS = 600_000;

/**
 * Decides while the store cannot be asked (D22). Known keys are judged from memory, each up to its limits, by the counts that
 * this process last read. The store adds the admitted requests later. Only `Admission` chooses between the two.
 */
@Injectable()
export class Outage {
  private readonly counts = new LastCounts();
  private readonly closed: boolean;
  /** The store's clock minus this machine's, milliseconds: windows follow the store's clock. */
  private clockAheadMs = 0;
  private served = 0;
  private servedBefore = 0;
  /** The begin of serving from memory was logged, and its end was not yet. */
  private logged = false;
  private readonly logger = new Logger('Quota');

  constructor(
    config: Config,
    private readonly clock: Clock,
    private readonly store: QuotaStore,
  ) {
    this.closed = config.dbOutage === 'closed';
  }

  /** The store is known to be unavailable: no request should wait for its database. */
  get away(): boolean {
    return this.store.awaySinceMs !== null;
  }

  /** Requests admitted from memory since the start of the process. */
  get servedFromMemory(): number {
    return this.served;
  }

  /** Those of them that the store does not hold yet. */
  get unreconciled(): number {
    return this.store.unreconciled;
  }

  /** A key was read, with its counts: it is known until `forget`. */
  learn(keyId: string, counts: StoredCounts): void {
    this.counts.learn(keyId, counts, this.store.hasUnreconciled(keyId), performance.now());
  }

  /** The known state of the key is outdated, or there is no room for it. */
  forget(keyId: string): void {
    this.counts.forget(keyId);
  }

  /** The store has returned counts and confirmed the version. @param admitted requests to add to `counts` */
  see(keyId: string, counts: StoredCounts, admitted: number): void {
    this.clockAheadMs = counts.nowMs - this.clock.now();
    this.counts.see(keyId, counts, admitted, performance.now());
    if (this.logged) this.logEnd();
  }

  /** Tokens of a request that has ended: the limit on tokens holds during an outage too. */
  spend(keyId: string, tokens: number): void {
    if (tokens > 0 && this.away) this.counts.addTokens(keyId, tokens);
  }

  /**
   * Decides stage 6 instead of the store.
   * @throws GatewayError `service_unavailable`: the key is not known, or `GW_DB_OUTAGE` is `closed`
   */
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

  /** The key as it was last read is treated as current. @throws GatewayError as `admit` */
  read(key: KeySnapshot, cause: unknown): CurrentKey {
    this.requireKnown(key, cause);
    return { version: key.version, figures: this.counts.figures(key.id, key, this.nowMs()) };
  }

  private requireKnown(key: KeySnapshot, cause: unknown): void {
    const sinceMs = (this.store.awaySinceMs ?? performance.now()) - KNOWN_FOR_MS;
    if (this.closed || !this.counts.isConfirmedSince(key.id, sinceMs)) throw serviceUnavailable(cause);
  }

  private logBegin(cause: unknown): void {
    this.logged = true;
    this.servedBefore = this.served;
    this.logger.warn(`Known keys are served from memory: ${(cause as Error).message}`);
  }

  private logEnd(): void {
    this.logged = false;
    this.logger.warn(
      `The database can be asked again: ${this.served - this.servedBefore} requests were served from memory`,
    );
  }

  private nowMs(): number {
    return this.clock.now() + this.clockAheadMs;
  }
}
