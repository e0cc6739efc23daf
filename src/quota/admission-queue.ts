import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';

/** @typeParam C what the request claims */
export interface Waiter<T, C = undefined> {
  readonly key: KeySnapshot;
  readonly claims: C;
  readonly order: number;
  readonly sinceMs: number;
  readonly outcome: PromiseWithResolvers<T>;
}

/** Requests that wait for the next database call, grouped by key, in the order of each key's first request. */
export class AdmissionQueue<T, C = undefined> {
  private byKey = new Map<string, Waiter<T, C>[]>();
  private count = 0;
  private entered = 0;

  get size(): number {
    return this.count;
  }

  enter(key: KeySnapshot, sinceMs: number, claims: C): Promise<T> {
    this.entered += 1;
    const waiter: Waiter<T, C> = { key, claims, order: this.entered, sinceMs, outcome: Promise.withResolvers<T>() };
    const group = this.byKey.get(key.id);
    if (group === undefined) this.byKey.set(key.id, [waiter]);
    else group.push(waiter);
    this.count += 1;
    return waiter.outcome.promise;
  }

  first(keyId: string): Waiter<T, C> | undefined {
    return this.byKey.get(keyId)?.[0];
  }

  leave(keyId: string): readonly Waiter<T, C>[] {
    const group = this.byKey.get(keyId) ?? [];
    this.byKey.delete(keyId);
    this.count -= group.length;
    return group;
  }

  /** Removes and returns the groups whose oldest request has waited since before `sinceMs`. */
  takeOlder(sinceMs: number): (readonly Waiter<T, C>[])[] {
    const older: string[] = [];
    for (const [keyId, [first]] of this.byKey) {
      if (first!.sinceMs >= sinceMs) break;
      older.push(keyId);
    }
    return older.map((keyId) => this.leave(keyId));
  }

  /** @param requestsMax above it, further requests stay in the queue */
  take(keysMax: number, requestsMax = Infinity): (readonly Waiter<T, C>[])[] {
    if (this.byKey.size <= keysMax && this.count <= requestsMax) {
      const all = [...this.byKey.values()];
      this.byKey = new Map();
      this.count = 0;
      return all;
    }
    const taken: (readonly Waiter<T, C>[])[] = [];
    let room = requestsMax;
    for (const [keyId, group] of [...this.byKey].slice(0, keysMax)) {
      if (room === 0) break;
      const first = this.leave(keyId);
      taken.push(first.length <= room ? first : first.slice(0, room));
      if (first.length > room) this.putBack(keyId, group.slice(room));
      room -= Math.min(room, first.length);
    }
    return taken;
  }

  /** The key moves to the end of the order, so that it does not delay other keys. */
  private putBack(keyId: string, group: Waiter<T, C>[]): void {
    this.byKey.set(keyId, group);
    this.count += group.length;
  }
}
