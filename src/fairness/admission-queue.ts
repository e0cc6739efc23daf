import type { KeySnapshot } from '../request-context/key-snapshot.js';

/** One request that waits for its answer. */
export interface Waiter<T> {
  readonly key: KeySnapshot;
  readonly sinceMs: number;
  readonly answer: PromiseWithResolvers<T>;
}

/** Requests that wait for the next call, by key and in order of arrival. */
export class AdmissionQueue<T> {
  private byKey = new Map<string, Waiter<T>[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  enter(key: KeySnapshot, sinceMs: number): Promise<T> {
    const waiter: Waiter<T> = { key, sinceMs, answer: Promise.withResolvers<T>() };
    const group = this.byKey.get(key.id);
    if (group === undefined) this.byKey.set(key.id, [waiter]);
    else group.push(waiter);
    this.count += 1;
    return waiter.answer.promise;
  }

  /** The first that waits for this key. */
  first(keyId: string): Waiter<T> | undefined {
    return this.byKey.get(keyId)?.[0];
  }

  /** Those who wait for this key, who wait no longer. */
  leave(keyId: string): readonly Waiter<T>[] {
    const group = this.byKey.get(keyId) ?? [];
    this.byKey.delete(keyId);
    this.count -= group.length;
    return group;
  }

  /** The groups whose first has waited since before then; they wait no longer. */
  takeOlder(sinceMs: number): (readonly Waiter<T>[])[] {
    // In the order in which the first of each came.
    const older: string[] = [];
    for (const [keyId, [first]] of this.byKey) {
      if (first!.sinceMs >= sinceMs) break;
      older.push(keyId);
    }
    return older.map((keyId) => this.leave(keyId));
  }

  /** The groups of at most `keysMax` keys, those that came first; they wait no longer. */
  take(keysMax: number): (readonly Waiter<T>[])[] {
    if (this.byKey.size <= keysMax) {
      const all = [...this.byKey.values()];
      this.byKey = new Map();
      this.count = 0;
      return all;
    }
    return [...this.byKey.keys()].slice(0, keysMax).map((keyId) => this.leave(keyId));
  }
}
