import type { KeyCounts } from '../quota-counts.js';

/**
 * Requests that were served but are not stored, minus those that are stored but were not served. Each key has one entry for
 * its newest minute, day and month, because the store keeps no older windows.
 */
export class UnreconciledCounts {
  private readonly byKey = new Map<string, KeyCounts>();

  add(counts: KeyCounts): void {
    const before = this.byKey.get(counts.keyId);
    const after = before === undefined ? counts : sum(before, counts);
    if (after.minuteCount === 0 && after.dayCount === 0 && after.monthCount === 0) this.byKey.delete(counts.keyId);
    else this.byKey.set(counts.keyId, after);
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

  /** The requests of the newest month, over all keys. Negative counts are not subtracted. */
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
