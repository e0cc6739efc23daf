/** Confirmed entries are remembered at least this long, in case the database crashes or a failover loses them. */
export const REMEMBERED_MS = 10_000;

interface Entry {
  /** Entries of one writer have increasing numbers. */
  readonly number: number;
  /** Monotonic. */
  readonly atMs: number;
}

/** The entries of the last 10 to 20 s. Two arrays rotate, so that old entries are dropped without shifting elements. */
export class RecentEntries<T extends Entry> {
  private recent: T[] = [];
  private older: T[] = [];
  private recentSinceMs = 0;

  get isEmpty(): boolean {
    return this.recent.length === 0 && this.older.length === 0;
  }

  add(entry: T): void {
    if (entry.atMs - this.recentSinceMs > REMEMBERED_MS) this.rotate(entry.atMs);
    this.recent.push(entry);
  }

  /** Forgets the older half of the entries. */
  rotate(nowMs: number): void {
    this.older = this.recent;
    this.recent = [];
    this.recentSinceMs = nowMs;
  }

  /** Removes all entries that are older than `sinceMs` or lost. @returns the lost ones, whose numbers are above the stored one */
  takeLost(storedNumber: number, sinceMs: number): T[] {
    const entries = [...this.older, ...this.recent].filter(({ atMs }) => atMs >= sinceMs);
    this.older = [];
    this.recent = entries.filter(({ number }) => number <= storedNumber);
    return entries.filter(({ number }) => number > storedNumber);
  }
}
