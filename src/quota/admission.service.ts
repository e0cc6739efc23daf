import { Injectable } from '@nestjs/common';
import { serviceUnavailable } from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import {
  NO_CLAIMS,
  type LimitCharge,
  type LimitClaims,
  type LimitLedger,
  type OverLimit,
  type ReservedClaim,
} from './limit-claims.js';
import { Outage } from './outage.service.js';
import {
  figuresOf,
  STALE,
  STALE_LIMITS,
  verdictsOf,
  type AdmitResult,
  type AdmitEntry,
  type StoredCounts,
  type CurrentKey,
  type Verdict,
} from './verdict.rules.js';
import { QuotaStoreUnavailable } from './ledger/quota-connection.js';
import { QuotaStore } from './ledger/quota-store.js';
import { METRICS } from '../platform/telemetry/metrics/metrics.data.js';
import { Tally } from '../platform/telemetry/metrics/tally.js';

const secondsTally = () => new Tally(METRICS.gateway_admission_batch_seconds.bounds);

const KEYS_PER_CALL = 200;
const WAITING_MAX = 20_000;
/** Limits the total time of queueing and the store call. No request waits longer than 2 s for a store that hangs (D22). */
const WAIT_MS_MAX = 1900;
/** Every call gets this time, even if its oldest requests have waited for two calls or during a stall of this process. */
const CALL_MS_MIN = 550;
/** Requests queued behind more than three batches are rejected. */
const QUEUE_MS_MAX = 1500;

type Decide<T> = (key: KeySnapshot, cause: unknown, claims: LimitClaims) => T;

/**
 * Stage 6 by group commit (ADR 0002): requests that arrive during a store call wait together for the next one. If the store is
 * unavailable or does not respond in time, `Outage` decides (D22).
 */
@Injectable()
export class Admission implements LimitLedger {
  private readonly requests = new AdmissionQueue<Verdict>();
  private readonly reads = new AdmissionQueue<CurrentKey | null>();
  private busy = false;
  readonly batchRequests = new Tally(METRICS.gateway_admission_batch_requests.bounds);
  readonly batchSeconds = { settled: secondsTally(), refused: secondsTally(), unknown: secondsTally() };

  constructor(
    private readonly store: QuotaStore,
    private readonly outage: Outage,
  ) {}

  get waiting(): number {
    return this.requests.size + this.reads.size;
  }

  /**
   * Counts one request if the key's limits allow it, and all limits of `claims`. The caller must settle the reservations of these claims.
   * @throws GatewayError `service_unavailable`, with nothing counted
   */
  admit(key: KeySnapshot, claims = NO_CLAIMS): Promise<Verdict> {
    if (this.store.unavailableSinceMs !== null) return this.withoutStore(key, this.admitFromMemory, claims);
    if (this.requests.size >= WAITING_MAX) return Promise.reject(tooManyWaiting());
    const first = this.requests.first(key.id);
    if (first !== undefined && first.key.version !== key.version) {
      // The lower of two key versions is stale.
      if (first.key.version > key.version) return Promise.resolve(STALE);
      for (const older of this.requests.leave(key.id)) older.outcome.resolve(STALE);
    }
    const verdict = this.requests.enter(key, performance.now(), claims);
    this.schedule();
    return verdict;
  }

  /** Whether only reservations exceed the limit, and the end of some of them is waiting to be stored. */
  isSettling({ limitId, used, asked, amount }: OverLimit): boolean {
    return used + BigInt(asked) <= amount && this.store.isSettling(limitId);
  }

  /** Resolves when all earlier settlements of this process are stored, or cannot be stored now. */
  settled(): Promise<void> {
    return this.store.settled();
  }

  /** Reads without counting. The read starts after this call. Null if the key does not exist. @throws like `admit` */
  readKey(key: KeySnapshot): Promise<CurrentKey | null> {
    if (this.store.unavailableSinceMs !== null) return this.withoutStore(key, this.readInMemory, NO_CLAIMS);
    if (this.reads.size >= WAITING_MAX) return Promise.reject(tooManyWaiting());
    const read = this.reads.enter(key, performance.now(), NO_CLAIMS);
    this.schedule();
    return read;
  }

  settle(reserved: readonly ReservedClaim[], spent: readonly number[]): void {
    this.outage.settle(reserved, spent);
  }

  charge(charges: readonly LimitCharge[]): void {
    this.store.addToLimits([], charges);
  }

  private readonly admitFromMemory: Decide<Verdict> = (key, cause, claims) => this.outage.admit(key, cause, claims);
  private readonly readInMemory: Decide<CurrentKey | null> = (key, cause) => this.outage.read(key, cause);

  private async withoutStore<T>(key: KeySnapshot, decide: Decide<T>, claims: LimitClaims): Promise<T> {
    return decide(key, UNAVAILABLE, claims);
  }

  /** Waits one turn of the event loop, so that requests which arrive together share a call. */
  private schedule(): void {
    if (this.busy) return;
    this.busy = true;
    setImmediate(() => void this.flush());
  }

  private async flush(): Promise<void> {
    const nowMs = performance.now();
    const requests = withNewestSet(this.requests.take(KEYS_PER_CALL));
    const reads = this.reads.take(KEYS_PER_CALL);
    rejectLate(this.requests, nowMs - QUEUE_MS_MAX);
    rejectLate(this.reads, nowMs - QUEUE_MS_MAX);
    const oldestMs = Math.min(requests[0]?.[0]!.sinceMs ?? nowMs, reads[0]?.[0]!.sinceMs ?? nowMs);
    const withinMs = Math.max(CALL_MS_MIN, WAIT_MS_MAX - (nowMs - oldestMs));
    const admitted = requests.length === 0 ? null : this.admitAll(requests, withinMs);
    if (reads.length > 0) await this.readAll(reads, withinMs);
    if (admitted !== null) await admitted;
    this.busy = false;
    if (this.waiting > 0) this.schedule();
  }

  private async admitAll(groups: readonly Group<Verdict>[], withinMs: number): Promise<void> {
    const entries = groups.map(entryOf);
    let results: ReadonlyMap<string, AdmitResult>;
    const report = this.batchReporter(groups);
    try {
      results = await this.store.admit(entries, withinMs, groups[0]![0]!.claims.setVersion);
      report('settled');
    } catch (error) {
      report(error instanceof QuotaStoreUnavailable ? 'unknown' : 'refused');
      return decideWithoutStore(groups, error, this.admitFromMemory);
    }
    for (let i = 0; i < groups.length; i++) {
      const [group, entry] = [groups[i]!, entries[i]!];
      const outcome = results.get(entry.keyId);
      if (outcome === undefined) {
        rejectAll([group], serviceUnavailable(new Error('Another session locked the row of this key for too long')));
        continue;
      }
      if (outcome.kind === 'decided') this.outage.see(group[0]!.key, outcome.counts, outcome.granted);
      const verdicts = verdictsOf(outcome, entry, entry.count);
      for (let j = 0; j < group.length; j++) group[j]!.outcome.resolve(verdicts[j]!);
    }
  }

  private batchReporter(groups: readonly Group<Verdict>[]): (outcome: keyof Admission['batchSeconds']) => void {
    const beganAtMs = performance.now();
    return (outcome) => {
      const requests = groups.reduce((sum, group) => sum + group.length, 0);
      this.batchRequests.observe(requests);
      this.batchSeconds[outcome].observe((performance.now() - beganAtMs) / 1000);
    };
  }

  private async readAll(groups: readonly Group<CurrentKey | null>[], withinMs: number): Promise<void> {
    let found: ReadonlyMap<string, StoredCounts>;
    try {
      const keyIds = groups.map((group) => group[0]!.key.id);
      found = await this.store.readCounts(keyIds, withinMs);
    } catch (error) {
      return decideWithoutStore(groups, error, this.readInMemory);
    }
    for (const group of groups) {
      for (const { key, outcome } of group) {
        const counts = found.get(key.id);
        if (counts?.version === key.version) this.outage.see(key, counts, 0);
        outcome.resolve(counts === undefined ? null : { version: counts.version, figures: figuresOf(counts, key) });
      }
    }
  }
}

/**
 * A batch has one version of the set of limits. Requests with an older version get a verdict at once. Versions are compared
 * within a batch only, because they decrease if the database is restored from a backup.
 */
function withNewestSet(groups: readonly Group<Verdict>[]): readonly Group<Verdict>[] {
  let [oldest, newest] = [Infinity, 0];
  for (const group of groups) {
    for (const { claims } of group) {
      oldest = Math.min(oldest, claims.setVersion);
      newest = Math.max(newest, claims.setVersion);
    }
  }
  if (oldest === newest) return groups;
  const isCurrent = ({ claims }: Waiter<Verdict>) => claims.setVersion === newest;
  for (const { outcome } of groups.flat().filter((waiter) => !isCurrent(waiter))) outcome.resolve(STALE_LIMITS);
  return groups.map((group) => group.filter(isCurrent)).filter(({ length }) => length > 0);
}

/** All requests of a group have the same key and version. */
function entryOf(group: Group<Verdict>): AdmitEntry {
  const { id, version, rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit, tokenCounting } = group[0]!.key;
  const limits = { rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit, tokenCounting };
  const entry = { keyId: id, version, count: group.length, ...limits };
  if (!group.some(({ claims }) => claims.items.length > 0)) return entry;
  return { ...entry, requests: group.map(({ order, claims }) => ({ order, items: claims.items })) };
}

function decideWithoutStore<T>(groups: readonly Group<T>[], error: unknown, decide: Decide<T>): void {
  // If the database reported the error, the stored counts are exact, so the counts in memory must not be used.
  if (!(error instanceof QuotaStoreUnavailable)) return rejectAll(groups, serviceUnavailable(error));
  for (const group of groups) {
    for (const { key, claims, outcome } of group) {
      try {
        outcome.resolve(decide(key, error, claims));
      } catch (rejection) {
        outcome.reject(rejection);
      }
    }
  }
}

function rejectAll<T>(groups: readonly Group<T>[], error: GatewayError): void {
  for (const group of groups) for (const { outcome } of group) outcome.reject(error);
}

function rejectLate<T>(queue: AdmissionQueue<T>, sinceMs: number): void {
  if (queue.size === 0) return;
  const late = queue.takeOlder(sinceMs);
  if (late.length > 0) rejectAll(late, tooManyWaiting());
}

const UNAVAILABLE = new QuotaStoreUnavailable('The database is unavailable');
const tooManyWaiting = () => serviceUnavailable(new Error('Too many requests are waiting for admission'));

/** If limits apply, and not all requests of a call fit, the database decides request by request. */
const LIMITED_REQUESTS_PER_CALL = 1000;
/** A call with this many claims takes tens of milliseconds. */
const CLAIMS_PER_CALL = 10_000;

interface Waiter<T> {
  readonly key: KeySnapshot;
  readonly claims: LimitClaims;
  /** Orders all requests by arrival. */
  readonly order: number;
  readonly sinceMs: number;
  readonly outcome: PromiseWithResolvers<T>;
}

type Group<T> = readonly Waiter<T>[];

/** Requests that wait for the next database call, grouped by key, in the order of each key's first request. */
class AdmissionQueue<T> {
  private byKey = new Map<string, Waiter<T>[]>();
  private count = 0;
  private entered = 0;
  /** The number of waiting requests to which limits apply, and the most claims that one of them has. */
  private limited = 0;
  private claimsMost = 1;

  get size(): number {
    return this.count;
  }

  enter(key: KeySnapshot, sinceMs: number, claims: LimitClaims): Promise<T> {
    this.entered += 1;
    const waiter: Waiter<T> = { key, claims, order: this.entered, sinceMs, outcome: Promise.withResolvers<T>() };
    this.count += 1;
    const { length } = claims.items;
    if (length > 0) {
      this.claimsMost = this.limited === 0 ? length : Math.max(this.claimsMost, length);
      this.limited += 1;
    }
    const group = this.byKey.get(key.id);
    if (group === undefined) this.byKey.set(key.id, [waiter]);
    else group.push(waiter);
    return waiter.outcome.promise;
  }

  first(keyId: string): Waiter<T> | undefined {
    return this.byKey.get(keyId)?.[0];
  }

  leave(keyId: string): Group<T> {
    const group = this.byKey.get(keyId) ?? [];
    this.byKey.delete(keyId);
    this.subtract(group);
    return group;
  }

  /** Removes and returns the groups whose oldest request has waited since before `sinceMs`. */
  takeOlder(sinceMs: number): Group<T>[] {
    const older: string[] = [];
    for (const [keyId, [first]] of this.byKey) {
      if (first!.sinceMs >= sinceMs) break;
      older.push(keyId);
    }
    return older.map((keyId) => this.leave(keyId));
  }

  /** Removes and returns the requests of the next call. */
  take(keysMax: number): readonly Group<T>[] {
    let room = this.requestsMax;
    if (this.byKey.size <= keysMax && this.count <= room) return this.takeAll();
    const taken: Group<T>[] = [];
    for (const [keyId, group] of [...this.byKey].slice(0, keysMax)) {
      if (room === 0) break;
      const part = group.slice(0, room);
      this.byKey.delete(keyId);
      // The key moves to the end of the order, so that it does not delay other keys.
      if (part.length < group.length) this.byKey.set(keyId, group.slice(room));
      this.subtract(part);
      taken.push(part);
      room -= part.length;
    }
    return taken;
  }

  private get requestsMax(): number {
    if (this.limited === 0) return Infinity;
    return Math.max(1, Math.min(LIMITED_REQUESTS_PER_CALL, Math.floor(CLAIMS_PER_CALL / this.claimsMost)));
  }

  private takeAll(): readonly Group<T>[] {
    const all = [...this.byKey.values()];
    this.byKey = new Map();
    this.count = 0;
    this.limited = 0;
    return all;
  }

  private subtract(group: Group<T>): void {
    this.count -= group.length;
    if (this.limited > 0) for (const { claims } of group) if (claims.items.length > 0) this.limited -= 1;
  }
}
