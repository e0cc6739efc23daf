import type { KeySnapshot } from '../request-context/key-snapshot.js';

export interface Waiter<T> {
  readonly key: KeySnapshot;
  readonly sinceMs: number;
  readonly answer: PromiseWithResolvers<T>;
}

/** Requests that wait for the next database call, grouped by key, in the order of each key's first request. */
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

  first(keyId: string): Waiter<T> | undefined {
    return this.byKey.get(keyId)?.[0];
  }

  leave(keyId: string): readonly Waiter<T>[] {
    const group = this.byKey.get(keyId) ?? [];
    this.byKey.delete(keyId);
    this.count -= group.length;
    return group;
  }

  /** Removes and returns the groups whose oldest request has waited since before `sinceMs`. */
  takeOlder(sinceMs: number): (readonly Waiter<T>[])[] {
    const older: string[] = [];
    for (const [keyId, [first]] of this.byKey) {
      if (first!.sinceMs >= sinceMs) break;
      older.push(keyId);
    }
    return older.map((keyId) => this.leave(keyId));
  }

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
