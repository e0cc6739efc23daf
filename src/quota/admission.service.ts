import { Injectable } from '@nestjs/common';
import { serviceUnavailable } from '../errors/catalogue.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import { QuotaStore, type AdmitAnswer, type AdmitEntry, type StoredCounts } from './stores/quota-store.js';
import { figuresOf, STALE, verdictsOf } from './verdict.rules.js';
import type { Look, Verdict } from './verdict.js';
import { WaitingRoom, type Waiter } from './waiting-room.js';

const KEYS_PER_CALL = 200;
const WAITING_MAX = 20_000;
/** Nobody waits longer than 2 s in all (D22), and a call that the store gives up on has taken 1.6 s of them. */
const QUEUED_MS_MAX = 400;

type Group<T> = readonly Waiter<T>[];

/**
 * Stage 6 by group commit: requests that arrive while a call to the store is under way wait together and go in the next
 * one, so a process has one call in flight, and each costs less the more there are. Looks go out with the same flush.
 */
@Injectable()
export class Admission {
  private readonly requests = new WaitingRoom<Verdict>();
  private readonly looks = new WaitingRoom<Look | null>();
  private busy = false;

  constructor(private readonly store: QuotaStore) {}

  /**
   * Counts one request of the key, if its limits allow it and its version is the current one.
   * @throws GatewayError `service_unavailable`: the store cannot be asked within 2 s, or too many wait; nothing is counted
   */
  admit(key: KeySnapshot): Promise<Verdict> {
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
    if (this.looks.size >= WAITING_MAX) return Promise.reject(tooMany());
    const look = this.looks.enter(key, performance.now());
    this.schedule();
    return look;
  }

  /** Not at once: what arrives in the same turn of the event loop goes in the same call, which makes calls fewer and larger. */
  private schedule(): void {
    if (this.busy) return;
    this.busy = true;
    setImmediate(() => void this.flush());
  }

  private async flush(): Promise<void> {
    const sinceMs = performance.now() - QUEUED_MS_MAX;
    const requests = withoutLate(this.requests.take(KEYS_PER_CALL), sinceMs);
    const looks = withoutLate(this.looks.take(KEYS_PER_CALL), sinceMs);
    const admitted = requests.length === 0 ? null : this.admitAll(requests);
    if (looks.length > 0) await this.lookAll(looks);
    if (admitted !== null) await admitted;
    this.busy = false;
    if (this.requests.size > 0 || this.looks.size > 0) this.schedule();
  }

  private async admitAll(groups: readonly Group<Verdict>[]): Promise<void> {
    const entries = groups.map(entryOf);
    let answers: ReadonlyMap<string, AdmitAnswer>;
    try {
      answers = await this.store.admit(entries);
    } catch (error) {
      return refuseAll(groups, error);
    }
    for (let i = 0; i < groups.length; i++) {
      const [group, entry] = [groups[i]!, entries[i]!];
      const answer = answers.get(entry.keyId);
      if (answer === undefined) {
        refuseAll([group], new Error('The row of the key was held by somebody for too long'));
        continue;
      }
      const verdicts = verdictsOf(answer, entry, entry.count);
      for (let j = 0; j < group.length; j++) group[j]!.answer.resolve(verdicts[j]!);
    }
  }

  private async lookAll(groups: readonly Group<Look | null>[]): Promise<void> {
    let found: ReadonlyMap<string, StoredCounts>;
    try {
      found = await this.store.look(groups.map((group) => group[0]!.key.id));
    } catch (error) {
      return refuseAll(groups, error);
    }
    for (const group of groups) {
      for (const { key, answer } of group) {
        const counts = found.get(key.id);
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

function withoutLate<T>(groups: Group<T>[], sinceMs: number): Group<T>[] {
  // In order of arrival: where the first is not late nobody is.
  if (groups.every((group) => group[0]!.sinceMs >= sinceMs)) return groups;
  const late = groups.map((group) => group.filter((waiter) => waiter.sinceMs < sinceMs));
  refuseAll(late, new Error('The call before took too long'));
  return groups.map((group) => group.filter((waiter) => waiter.sinceMs >= sinceMs)).filter((group) => group.length > 0);
}

function refuseAll<T>(groups: readonly Group<T>[], cause: unknown): void {
  const refusal = serviceUnavailable(cause);
  for (const group of groups) for (const { answer } of group) answer.reject(refusal);
}

const tooMany = () => serviceUnavailable(new Error(`${WAITING_MAX} requests wait for admission`));
