import type { StoredCounts } from '../stored-counts.js';
import type { StoredRow } from './redis-record.js';

/** After its last request a key's tokens may still be written. */
const WATCHED_MS = 5000;

type Counts = Omit<StoredCounts, 'nowMs'>;

interface Watched {
  /** As Redis last told. */
  seen: Counts | null;
  untilMs: number;
}

/** The keys that were asked for in the last seconds, and what was seen of them. Bounded by how many those are. */
export class WatchedKeys {
  private readonly byKey = new Map<string, Watched>();

  see(keyId: string, seen: Counts, nowMs: number): void {
    this.byKey.set(keyId, { seen, untilMs: nowMs + WATCHED_MS });
  }

  touch(keyId: string, nowMs: number): void {
    const untilMs = nowMs + WATCHED_MS;
    const watched = this.byKey.get(keyId);
    if (watched === undefined) this.byKey.set(keyId, { seen: null, untilMs });
    else watched.untilMs = untilMs;
  }

  /** Those that are still watched; the others are forgotten. */
  current(nowMs: number): string[] {
    for (const [keyId, { untilMs }] of this.byKey) if (untilMs < nowMs) this.byKey.delete(keyId);
    return [...this.byKey.keys()];
  }

  /** Whether the row holds anything that Redis may not know. */
  isBehind(keyId: string, row: StoredRow): boolean {
    const seen = this.byKey.get(keyId)?.seen ?? null;
    if (seen === null) return true;
    return (
      row.version > seen.version ||
      (row.tokensMonth === seen.month && row.tokens > seen.tokens) ||
      isAhead(row.minute, row.minuteUsed, seen.minute, seen.minuteUsed) ||
      isAhead(row.day, row.dayUsed, seen.day, seen.dayUsed) ||
      isAhead(row.month, row.monthUsed, seen.month, seen.monthUsed)
    );
  }
}

const isAhead = (window: number, used: number, seenWindow: number, seenUsed: number): boolean =>
  window > seenWindow || (window === seenWindow && used > seenUsed);
