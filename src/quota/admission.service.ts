import { Injectable } from '@nestjs/common';
import { serviceUnavailable } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import { Outage } from './outage.service.js';
import { QuotaStore, QuotaStoreAway, type AdmitAnswer, type AdmitEntry } from './stores/quota-store.js';
import type { StoredCounts } from './stored-counts.js';
import { figuresOf, STALE, verdictsOf } from './verdict.rules.js';
import type { Look, Verdict } from './verdict.js';
import { AdmissionQueue, type Waiter } from '../fairness/admission-queue.js';

const KEYS_PER_CALL = 200;
const WAITING_MAX = 20_000;
/** Nobody waits longer than 2 s in all for a store that hangs (D22): in the line and for the call together. */
const WAIT_MS_MAX = 1900;
/** What even those get who have waited longest: two calls at most, or a stall of this process, lie behind them. */
const CALL_MS_MIN = 550;
/** Whom more keys stand before than three calls can take is refused. */
const LINE_MS_MAX = 1500;

type Group<T> = readonly Waiter<T>[];
type Decide<T> = (key: KeySnapshot, cause: unknown) => T;

/**
 * Stage 6 by group commit: requests that arrive while a call to the store is under way wait together and go in the next
 * one, so a process has one call in flight, and each costs less the more there are. Looks go out with the same flush.
 * Whom the store cannot answer in time, `Outage` does (D22), at once where the store is known to be away.
 */
@Injectable()
export class Admission {
  private readonly requests = new AdmissionQueue<Verdict>();
  private readonly looks = new AdmissionQueue<Look | null>();
  private busy = false;
  /** Told of each admission call to the store: its requests, its milliseconds, and how it went. For the metrics. */
  onBatch: (requests: number, tookMs: number, outcome: 'settled' | 'refused' | 'unknown') => void = () => {};

  constructor(
    private readonly store: QuotaStore,
    private readonly outage: Outage,
  ) {}

  /** Requests that wait for the next call. */
  get waiting(): number {
    return this.requests.size + this.looks.size;
  }

  /**
   * Counts one request of the key, if its limits allow it and its version is the current one.
   * @throws GatewayError `service_unavailable`: the store cannot be asked within 2 s and the key is not known here, its row
   * is held by somebody, or too many wait; nothing is counted
   */
  admit(key: KeySnapshot): Promise<Verdict> {
    if (this.store.awaySinceMs !== null) return this.withoutStore(key, this.admitFromMemory);
    if (this.requests.size >= WAITING_MAX) return Promise.reject(tooMany());
    const first = this.requests.first(key.id);
    if (first !== undefined && first.key.version !== key.version) {
      // Two versions of one key: the lower one is known to be stale without asking.
      if (first.key.version > key.version) return Promise.resolve(STALE);
      for (const older of this.requests.leave(key.id)) older.answer.resolve(STALE);
    }
    const verdict = this.requests.enter(key, performance.now());
    this.schedule();
    return verdict;
  }

  /**
   * Reads without counting; the read begins after this call does. Null: the store does not know the key.
   * @throws GatewayError `service_unavailable` as above
   */
  look(key: KeySnapshot): Promise<Look | null> {
    if (this.store.awaySinceMs !== null) return this.withoutStore(key, this.lookInMemory);
    if (this.looks.size >= WAITING_MAX) return Promise.reject(tooMany());
    const look = this.looks.enter(key, performance.now());
    this.schedule();
    return look;
  }

  /** Keys were changed, and it is committed: resolves when no process judges by what was before (D3). */
  raise(keyIds: readonly string[]): Promise<void> {
    return this.store.raise(keyIds);
  }

  private readonly admitFromMemory: Decide<Verdict> = (key, cause) => this.outage.admit(key, cause);
  private readonly lookInMemory: Decide<Look | null> = (key, cause) => this.outage.look(key, cause);

  private async withoutStore<T>(key: KeySnapshot, decide: Decide<T>): Promise<T> {
    return decide(key, AWAY);
  }

  /** Not at once: what arrives in the same turn of the event loop goes in the same call, which makes calls fewer and larger. */
  private schedule(): void {
    if (this.busy) return;
    this.busy = true;
    setImmediate(() => void this.flush());
  }

  private async flush(): Promise<void> {
    const nowMs = performance.now();
    const requests = this.requests.take(KEYS_PER_CALL);
    const looks = this.looks.take(KEYS_PER_CALL);
    if (this.requests.size > 0) refuseAll(this.requests.takeOlder(nowMs - LINE_MS_MAX), tooMany());
    if (this.looks.size > 0) refuseAll(this.looks.takeOlder(nowMs - LINE_MS_MAX), tooMany());
    const oldestMs = Math.min(requests[0]?.[0]!.sinceMs ?? nowMs, looks[0]?.[0]!.sinceMs ?? nowMs);
    const withinMs = Math.max(CALL_MS_MIN, WAIT_MS_MAX - (nowMs - oldestMs));
    const admitted = requests.length === 0 ? null : this.admitAll(requests, withinMs);
    if (looks.length > 0) await this.lookAll(looks, withinMs);
    if (admitted !== null) await admitted;
    this.busy = false;
    if (this.requests.size > 0 || this.looks.size > 0) this.schedule();
  }

  private async admitAll(groups: readonly Group<Verdict>[], withinMs: number): Promise<void> {
    const entries = groups.map(entryOf);
    let answers: ReadonlyMap<string, AdmitAnswer>;
    const tell = this.teller(groups);
    try {
      answers = await this.store.admit(entries, withinMs);
      tell('settled');
    } catch (error) {
      tell(error instanceof QuotaStoreAway ? 'unknown' : 'refused');
      return unanswered(groups, error, this.admitFromMemory);
    }
    for (let i = 0; i < groups.length; i++) {
      const [group, entry] = [groups[i]!, entries[i]!];
      const answer = answers.get(entry.keyId);
      if (answer === undefined) {
        refuseAll([group], serviceUnavailable(new Error('The row of the key was held by somebody for too long')));
        continue;
      }
      if (answer.kind === 'decided') this.outage.see(entry.keyId, answer.counts, answer.granted);
      const verdicts = verdictsOf(answer, entry, entry.count);
      for (let j = 0; j < group.length; j++) group[j]!.answer.resolve(verdicts[j]!);
    }
  }

  private teller(groups: readonly Group<Verdict>[]): (outcome: 'settled' | 'refused' | 'unknown') => void {
    const beganAtMs = performance.now();
    return (outcome) => {
      const requests = groups.reduce((sum, group) => sum + group.length, 0);
      this.onBatch(requests, performance.now() - beganAtMs, outcome);
    };
  }

  private async lookAll(groups: readonly Group<Look | null>[], withinMs: number): Promise<void> {
    let found: ReadonlyMap<string, StoredCounts>;
    try {
      const keyIds = groups.map((group) => group[0]!.key.id);
      found = await this.store.look(keyIds, withinMs);
      // Whoever made the change could not tell the store of it; these requests know better.
      const behind = groups.flatMap((group) =>
        group.filter(({ key }) => key.version > (found.get(key.id)?.version ?? Infinity)),
      );
      if (behind.length > 0) {
        await this.store.raise(behind.map(({ key }) => key.id));
        found = await this.store.look(keyIds, withinMs);
      }
    } catch (error) {
      return unanswered(groups, error, this.lookInMemory);
    }
    for (const group of groups) {
      for (const { key, answer } of group) {
        const counts = found.get(key.id);
        if (counts?.version === key.version) this.outage.see(key.id, counts, 0);
        answer.resolve(counts === undefined ? null : { version: counts.version, figures: figuresOf(counts, key) });
      }
    }
  }
}

/** Of one key and one version, so the first speaks for all. */
function entryOf(group: Group<Verdict>): AdmitEntry {
  const { id, version, rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit } = group[0]!.key;
  return { keyId: id, version, count: group.length, rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit };
}

function unanswered<T>(groups: readonly Group<T>[], error: unknown, decide: Decide<T>): void {
  // A store that is there and could not do it is no outage: what it counts is exact, so nobody counts beside it.
  if (!(error instanceof QuotaStoreAway)) return refuseAll(groups, serviceUnavailable(error));
  for (const group of groups) {
    for (const { key, answer } of group) {
      try {
        answer.resolve(decide(key, error));
      } catch (refusal) {
        answer.reject(refusal);
      }
    }
  }
}

function refuseAll<T>(groups: readonly Group<T>[], refusal: GatewayError): void {
  for (const group of groups) for (const { answer } of group) answer.reject(refusal);
}

const AWAY = new QuotaStoreAway('The database is known to be away');
const tooMany = () => serviceUnavailable(new Error(`${WAITING_MAX} requests wait for admission`));
