import type { KeyCounts } from './quota-store.js';

/**
 * What was served and is not stored, less what is stored and was not served: one line a key, for its newest minute, day
 * and month only, since the store keeps no older ones. Bounded by the number of keys.
 */
export class OwedCounts {
  private readonly byKey = new Map<string, KeyCounts>();

  add(counts: KeyCounts): void {
    const before = this.byKey.get(counts.keyId);
    const owed = before === undefined ? counts : sum(before, counts);
    if (owed.minuteCount === 0 && owed.dayCount === 0 && owed.monthCount === 0) this.byKey.delete(counts.keyId);
    else this.byKey.set(counts.keyId, owed);
  }

  subtract(counts: KeyCounts): void {
    this.add({
      ...counts,
      minuteCount: -counts.minuteCount,
      dayCount: -counts.dayCount,
      monthCount: -counts.monthCount,
    });
  }

  has(keyId: string): boolean {
    return this.byKey.has(keyId);
  }

  get size(): number {
    return this.byKey.size;
  }

  /** Of this month, over all keys; what is to be taken away again does not count. */
  get requests(): number {
    let requests = 0;
    for (const { monthCount } of this.byKey.values()) requests += Math.max(0, monthCount);
    return requests;
  }

  list(keysMax = Infinity): KeyCounts[] {
    const all = [...this.byKey.values()];
    return all.length <= keysMax ? all : all.slice(0, keysMax);
  }
}

function sum(a: KeyCounts, b: KeyCounts): KeyCounts {
  return {
    keyId: a.keyId,
    minute: Math.max(a.minute, b.minute),
    minuteCount: newest(a.minute, a.minuteCount, b.minute, b.minuteCount),
    day: Math.max(a.day, b.day),
    dayCount: newest(a.day, a.dayCount, b.day, b.dayCount),
    month: Math.max(a.month, b.month),
    monthCount: newest(a.month, a.monthCount, b.month, b.monthCount),
  };
}

function newest(windowA: number, countA: number, windowB: number, countB: number): number {
  if (windowA === windowB) return countA + countB;
  return windowA > windowB ? countA : countB;
}
