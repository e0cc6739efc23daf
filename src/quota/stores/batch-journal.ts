import { dayOf, minuteOf, monthOf } from '../windows.js';
import { OwedCounts } from './owed-counts.js';
import type { AdmitEntry, KeyCounts } from './quota-store.js';

/** How long, at least, what was answered is remembered, in case a server that stopped hard has forgotten it. */
const REMEMBERED_MS = 10_000;
/** Some tens of milliseconds of a statement. */
const KEYS_A_SETTLEMENT = 2000;
const NONE: ReadonlySet<string> = new Set();

/** The writer's row as a new connection finds it. */
export interface StoredMark {
  /** The last number committed. */
  readonly batch: number;
  /**
   * Of a batch: the instant it was decided, and the keys that got less than they asked for. Of a settlement: the keys that
   * it passed over.
   */
  readonly atMs: number;
  readonly granted: ReadonlyMap<string, number>;
}

interface JournalEntry {
  readonly number: number;
  readonly atMs: number;
  /** What is in the store if the entry is. The sum over all entries is what was served. */
  readonly counts: readonly KeyCounts[];
}

/** Sent, and no answer yet. */
interface Pending {
  readonly number: number;
  readonly asked: readonly AdmitEntry[] | null;
  readonly settling: readonly KeyCounts[];
}

/**
 * The numbered entries of one writer: batches and settlements. Tells, once the store's own mark can be read, what the
 * store lacks and what it has too much. The requests of a batch whose answer never came were refused: of a stored one
 * all is too much. `nowMs` is of any steady clock.
 */
export class BatchJournal {
  /** Carried from here into the store by settlements; what was served without asking is added to it. */
  readonly owed = new OwedCounts();
  private last = 0;
  private pending: Pending | null = null;
  private recent: JournalEntry[] = [];
  private older: JournalEntry[] = [];
  private recentSinceMs = 0;

  /** @returns the number under which the batch is to be sent */
  begin(asked: readonly AdmitEntry[]): number {
    this.pending = { number: this.last + 1, asked, settling: [] };
    return this.pending.number;
  }

  answered(counts: readonly KeyCounts[], nowMs: number): void {
    this.last += 1;
    this.pending = null;
    // Two halves that take turns, so that nothing is shifted.
    if (nowMs - this.recentSinceMs > REMEMBERED_MS) {
      this.older = this.recent;
      this.recent = [];
      this.recentSinceMs = nowMs;
    }
    if (counts.length > 0) this.recent.push({ number: this.last, atMs: nowMs, counts });
  }

  /** The server has told that nothing was stored: the number is free again. */
  rolledBack(): void {
    this.pending = null;
  }

  /** @param mark null: the writer has no row, so that nothing of it is stored */
  reconcile(mark: StoredMark | null, nowMs: number): void {
    const stored = mark?.batch ?? 0;
    if (this.pending !== null && mark !== null && this.pending.number === stored) this.adopt(this.pending, mark, nowMs);
    this.pending = null;
    // A number that has gone back tells that entries are lost. A row that is gone tells nothing of older ones: that of
    // an idle writer is deleted after a week without use.
    const sinceMs = mark === null ? nowMs - REMEMBERED_MS : -Infinity;
    const remembered = [...this.older, ...this.recent].filter((entry) => entry.atMs >= sinceMs);
    for (const entry of remembered) {
      if (entry.number > stored) for (const counts of entry.counts) this.owed.add(counts);
    }
    this.older = [];
    this.recent = remembered.filter((entry) => entry.number <= stored);
    this.last = stored;
  }

  /**
   * Even with nothing owed: its number shuts the door on a batch that is still on its way.
   * @returns what to send: of 2000 keys at most
   */
  beginSettlement(): { readonly number: number; readonly counts: readonly KeyCounts[] } {
    const settling = this.owed.list(KEYS_A_SETTLEMENT);
    this.pending = { number: this.last + 1, asked: null, settling };
    return { number: this.pending.number, counts: settling };
  }

  /** @param passedOver keys whose rows were held by others: they stay owed */
  settled(nowMs: number, passedOver = NONE): void {
    if (this.pending !== null) this.adoptSettlement(this.pending, passedOver, nowMs);
    this.pending = null;
  }

  private adopt(pending: Pending, mark: StoredMark, nowMs: number): void {
    if (pending.asked === null) return this.adoptSettlement(pending, new Set(mark.granted.keys()), nowMs);
    const counts = pending.asked
      .map((entry) => countsAt(mark.atMs, entry.keyId, mark.granted.get(entry.keyId) ?? entry.count))
      .filter((key) => key.monthCount > 0);
    this.recent.push({ number: pending.number, atMs: nowMs, counts });
    for (const key of counts) this.owed.subtract(key);
  }

  private adoptSettlement({ number, settling }: Pending, passedOver: ReadonlySet<string>, nowMs: number): void {
    const counts = settling.filter(({ keyId }) => !passedOver.has(keyId));
    this.recent.push({ number, atMs: nowMs, counts });
    for (const key of counts) this.owed.subtract(key);
    this.last = number;
  }
}

function countsAt(atMs: number, keyId: string, count: number): KeyCounts {
  const [minute, day, month] = [minuteOf(atMs), dayOf(atMs), monthOf(atMs)];
  return { keyId, minute, minuteCount: count, day, dayCount: count, month, monthCount: count };
}
