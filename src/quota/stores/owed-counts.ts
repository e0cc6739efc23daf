/** Requests of one key, by the windows in which they count. Negative: too much was stored. */
export interface KeyCounts {
  readonly keyId: string;
  readonly minute: number;
  readonly minuteCount: number;
  readonly day: number;
  readonly dayCount: number;
  readonly month: number;
  readonly monthCount: number;
}

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

  list(): KeyCounts[] {
    return [...this.byKey.values()];
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
