import { Injectable } from '@nestjs/common';
import { serviceUnavailable } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import { Outage } from './outage.service.js';
import type { AdmitAnswer, AdmitEntry, StoredCounts } from './quota-counts.js';
import { QuotaStore, QuotaStoreUnavailable } from './stores/quota-store.js';
import { figuresOf, STALE, verdictsOf, type CurrentKey, type Verdict } from './verdict.rules.js';
import { AdmissionQueue, type Waiter } from '../fairness/admission-queue.js';
import { METRICS } from '../telemetry/metrics/metrics.data.js';
import { Tally } from '../telemetry/metrics/tally.js';

const secondsTally = () => new Tally(METRICS.gateway_admission_batch_seconds.bounds);

const KEYS_PER_CALL = 200;
const WAITING_MAX = 20_000;
/** No request waits longer than 2 s for a store that hangs (D22): in the queue and for the call together. */
const WAIT_MS_MAX = 1900;
/** Minimum for the longest waiting requests: they have waited for two calls at most, or for a stall of this process. */
const CALL_MS_MIN = 550;
/** Requests queued behind more than three batches are rejected. */
const QUEUE_MS_MAX = 1500;

type Group<T> = readonly Waiter<T>[];
type Decide<T> = (key: KeySnapshot, cause: unknown) => T;

/**
 * Stage 6 by group commit. Requests that arrive during a call to the store wait together for the next call. So a process has
 * one call in flight, and the cost per request falls with the load. Reads are sent in the same flush. `Outage` decides if the
 * store does not answer in time (D22), and at once while the store is known to be unavailable.
 */
@Injectable()
export class Admission {
  private readonly requests = new AdmissionQueue<Verdict>();
  private readonly reads = new AdmissionQueue<CurrentKey | null>();
  private busy = false;
  /** For the metrics: the requests of each admission call, and its seconds by outcome. */
  readonly batchRequests = new Tally(METRICS.gateway_admission_batch_requests.bounds);
  readonly batchSeconds = { settled: secondsTally(), refused: secondsTally(), unknown: secondsTally() };

  constructor(
    private readonly store: QuotaStore,
    private readonly outage: Outage,
  ) {}

  /** Requests that wait for the next call. */
  get waiting(): number {
    return this.requests.size + this.reads.size;
  }

  /**
   * Counts one request of the key, if its limits allow it and its version is current.
   * @throws GatewayError `service_unavailable`, with nothing counted: the store cannot be asked within 2 s and the key is not
   * known here, its row is locked by another session, or too many requests wait
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
   * Reads version and figures without counting, by a read that begins after this call. Null: the key does not exist.
   * @throws GatewayError `service_unavailable` as above
   */
  readKey(key: KeySnapshot): Promise<CurrentKey | null> {
    if (this.store.awaySinceMs !== null) return this.withoutStore(key, this.readInMemory);
    if (this.reads.size >= WAITING_MAX) return Promise.reject(tooMany());
    const read = this.reads.enter(key, performance.now());
    this.schedule();
    return read;
  }

  private readonly admitFromMemory: Decide<Verdict> = (key, cause) => this.outage.admit(key, cause);
  private readonly readInMemory: Decide<CurrentKey | null> = (key, cause) => this.outage.read(key, cause);

  private async withoutStore<T>(key: KeySnapshot, decide: Decide<T>): Promise<T> {
    return decide(key, UNAVAILABLE);
  }

  /** Requests that arrive in the same turn of the event loop share a call, which makes calls fewer and larger. */
  private schedule(): void {
    if (this.busy) return;
    this.busy = true;
    setImmediate(() => void this.flush());
  }

  private async flush(): Promise<void> {
    const nowMs = performance.now();
    const requests = this.requests.take(KEYS_PER_CALL);
    const reads = this.reads.take(KEYS_PER_CALL);
    if (this.requests.size > 0) refuseAll(this.requests.takeOlder(nowMs - QUEUE_MS_MAX), tooMany());
    if (this.reads.size > 0) refuseAll(this.reads.takeOlder(nowMs - QUEUE_MS_MAX), tooMany());
    const oldestMs = Math.min(requests[0]?.[0]!.sinceMs ?? nowMs, reads[0]?.[0]!.sinceMs ?? nowMs);
    const withinMs = Math.max(CALL_MS_MIN, WAIT_MS_MAX - (nowMs - oldestMs));
    const admitted = requests.length === 0 ? null : this.admitAll(requests, withinMs);
    if (reads.length > 0) await this.readAll(reads, withinMs);
    if (admitted !== null) await admitted;
    this.busy = false;
    if (this.requests.size > 0 || this.reads.size > 0) this.schedule();
  }

  private async admitAll(groups: readonly Group<Verdict>[], withinMs: number): Promise<void> {
    const entries = groups.map(entryOf);
    let answers: ReadonlyMap<string, AdmitAnswer>;
    const report = this.batchReporter(groups);
    try {
      answers = await this.store.admit(entries, withinMs);
      report('settled');
    } catch (error) {
      report(error instanceof QuotaStoreUnavailable ? 'unknown' : 'refused');
      return unanswered(groups, error, this.admitFromMemory);
    }
    for (let i = 0; i < groups.length; i++) {
      const [group, entry] = [groups[i]!, entries[i]!];
      const answer = answers.get(entry.keyId);
      if (answer === undefined) {
        refuseAll([group], serviceUnavailable(new Error('Another session locked the row of the key for too long')));
        continue;
      }
      if (answer.kind === 'decided') this.outage.see(entry.keyId, answer.counts, answer.granted);
      const verdicts = verdictsOf(answer, entry, entry.count);
      for (let j = 0; j < group.length; j++) group[j]!.answer.resolve(verdicts[j]!);
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
      return unanswered(groups, error, this.readInMemory);
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

/** A group has one key and one version, so the first request stands for all. */
function entryOf(group: Group<Verdict>): AdmitEntry {
  const { id, version, rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit } = group[0]!.key;
  return { keyId: id, version, count: group.length, rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit };
}

function unanswered<T>(groups: readonly Group<T>[], error: unknown, decide: Decide<T>): void {
  // A store that answered with an error is not an outage: its counts are exact, so this process must not count by itself.
  if (!(error instanceof QuotaStoreUnavailable)) return refuseAll(groups, serviceUnavailable(error));
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

const UNAVAILABLE = new QuotaStoreUnavailable('The database is known to be unavailable');
const tooMany = () => serviceUnavailable(new Error(`${WAITING_MAX} requests wait for admission`));
