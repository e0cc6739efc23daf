import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { serviceUnavailable } from '../errors/catalogue.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import { LastCounts } from './last-counts.js';
import { KNOWN_FOR_MS } from './outage.rules.js';
import { QuotaStore } from './stores/quota-store.js';
import type { StoredCounts } from './stored-counts.js';
import type { Look, Verdict } from './verdict.js';

/**
 * What is decided while the store cannot be asked (D22): known keys are judged from memory, each up to its limits, by the
 * counts that this process last saw; what passes is owed to the store. `Admission` alone chooses between the two.
 */
@Injectable()
export class Outage {
  private readonly counts = new LastCounts();
  private readonly closed: boolean;
  /** The store's clock less this machine's, milliseconds: the windows are the store's. */
  private clockAheadMs = 0;
  private served = 0;
  private servedBefore = 0;
  /** That keys are served from memory was told, and that it is over not yet. */
  private told = false;
  private readonly logger = new Logger('Quota');

  constructor(
    config: Config,
    private readonly clock: Clock,
    private readonly store: QuotaStore,
  ) {
    this.closed = config.dbOutage === 'closed';
  }

  /** The store is known to be away: nobody should wait for the database it is in. */
  get away(): boolean {
    return this.store.awaySinceMs !== null;
  }

  /** Requests admitted from memory since the start of the process. */
  get servedFromMemory(): number {
    return this.served;
  }

  /** Of those, how many the store does not hold yet. */
  get owed(): number {
    return this.store.owed;
  }

  /** The same, and what the store itself has granted and is still storing. */
  get unstored(): number {
    return this.store.owed + this.store.inDoubt;
  }

  /** A key was read, with its counts: from now on it is known, until it is forgotten. */
  learn(keyId: string, counts: StoredCounts): void {
    this.counts.learn(keyId, counts, this.store.owes(keyId), performance.now());
  }

  /** What was known of the key is known not to hold any more, or there is no room for it. */
  forget(keyId: string): void {
    this.counts.forget(keyId);
  }

  /** The store has told of a key that is as it is here. @param admitted requests counted on top of `counts` */
  see(keyId: string, counts: StoredCounts, admitted: number): void {
    this.clockAheadMs = counts.nowMs - this.clock.now();
    this.counts.see(keyId, counts, admitted, performance.now());
    if (this.told) this.tellEnd();
  }

  /** Tokens of a request, as it ends: the limit on tokens holds in an outage too. */
  spend(keyId: string, tokens: number): void {
    if (tokens === 0) return;
    this.store.spent(keyId);
    if (this.away) this.counts.addTokens(keyId, tokens);
  }

  /**
   * Stage 6 in place of the store.
   * @throws GatewayError `service_unavailable`: the key is not known, or `GW_DB_OUTAGE` is `closed`
   */
  admit(key: KeySnapshot, cause: unknown): Verdict {
    this.demandKnown(key, cause);
    const { verdict, counts } = this.counts.admit(key.id, key, this.nowMs());
    if (verdict.kind === 'admitted') {
      if (!this.told) this.tellBegin(cause);
      this.served += 1;
      const { minute, day, month } = counts;
      this.store.owe({ keyId: key.id, minute, minuteCount: 1, day, dayCount: 1, month, monthCount: 1 });
    }
    return verdict;
  }

  /** The key as it was last read counts as current. @throws GatewayError as `admit` */
  look(key: KeySnapshot, cause: unknown): Look {
    this.demandKnown(key, cause);
    return { version: key.version, figures: this.counts.figures(key.id, key, this.nowMs()) };
  }

  private demandKnown(key: KeySnapshot, cause: unknown): void {
    const sinceMs = (this.store.awaySinceMs ?? performance.now()) - KNOWN_FOR_MS;
    if (this.closed || !this.counts.isConfirmedSince(key.id, sinceMs)) throw serviceUnavailable(cause);
  }

  private tellBegin(cause: unknown): void {
    this.told = true;
    this.servedBefore = this.served;
    this.logger.warn(`Known keys are served from memory: ${(cause as Error).message}`);
  }

  private tellEnd(): void {
    this.told = false;
    this.logger.warn(
      `The database can be asked again: ${this.served - this.servedBefore} requests were served from memory`,
    );
  }

  private nowMs(): number {
    return this.clock.now() + this.clockAheadMs;
  }
}
