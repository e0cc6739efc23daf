import { requestsIn, type AdmitEntry, type KeyCounts } from '../quota-counts.js';
import { dayOf, minuteOf, monthOf } from '../windows.js';
import type { StoredMark } from './reconciliation.sql.js';
import { UnreconciledCounts } from './unreconciled-counts.js';

/** Answered entries are remembered at least this long, in case the database crashes and loses them. */
const REMEMBERED_MS = 10_000;
/** A statement for this many keys takes some tens of milliseconds. */
const KEYS_PER_RECONCILIATION = 2000;
const NONE: ReadonlySet<string> = new Set();

interface JournalEntry {
  readonly number: number;
  readonly atMs: number;
  /** The store holds these if it holds the entry. */
  readonly counts: readonly KeyCounts[];
}

interface Pending {
  readonly number: number;
  /** null: a reconciliation. */
  readonly asked: readonly AdmitEntry[] | null;
  readonly reconciling: readonly KeyCounts[];
}

/**
 * The numbered entries of one writer: batches and reconciliations. When the writer's row can be read again, the journal
 * computes which counts the store lacks and which it has in excess. The requests in an unanswered batch were rejected, so all
 * counts of such a batch are excess. `nowMs` is monotonic.
 */
export class BatchJournal {
  /** Counts for the next reconciliation, including requests that were served without the store. */
  readonly unreconciled = new UnreconciledCounts();
  private last = 0;
  private pending: Pending | null = null;
  private recent: JournalEntry[] = [];
  private older: JournalEntry[] = [];
  private recentSinceMs = 0;

  begin(asked: readonly AdmitEntry[]): number {
    this.pending = { number: this.last + 1, asked, reconciling: [] };
    return this.pending.number;
  }

  answered(counts: readonly KeyCounts[], nowMs: number): void {
    this.last += 1;
    this.pending = null;
    // Two arrays rotate, so that old entries are dropped without shifting elements.
    if (nowMs - this.recentSinceMs > REMEMBERED_MS) {
      this.older = this.recent;
      this.recent = [];
      this.recentSinceMs = nowMs;
    }
    if (counts.length > 0) this.recent.push({ number: this.last, atMs: nowMs, counts });
  }

  /** The database has reported that nothing was stored, so the number is free again. */
  rolledBack(): void {
    this.pending = null;
  }

  /** @param mark null: the writer has no row, so no entry is known to be stored */
  reconcile(mark: StoredMark | null, nowMs: number): void {
    const stored = mark?.batch ?? 0;
    if (this.pending !== null && mark !== null && this.pending.number === stored) this.adopt(this.pending, mark, nowMs);
    this.pending = null;
    // A lower number proves that the database lost entries. A missing row proves nothing about older entries, because the row
    // of an idle writer is deleted after a week.
    const sinceMs = mark === null ? nowMs - REMEMBERED_MS : -Infinity;
    const remembered = [...this.older, ...this.recent].filter((entry) => entry.atMs >= sinceMs);
    for (const entry of remembered) {
      if (entry.number > stored) for (const counts of entry.counts) this.unreconciled.add(counts);
    }
    this.older = [];
    this.recent = remembered.filter((entry) => entry.number <= stored);
    this.last = stored;
  }

  /** Even without unreconciled counts, a reconciliation fences a batch that is still in transit. */
  beginReconciliation(): { readonly number: number; readonly counts: readonly KeyCounts[] } {
    const reconciling = this.unreconciled.list(KEYS_PER_RECONCILIATION);
    this.pending = { number: this.last + 1, asked: null, reconciling };
    return { number: this.pending.number, counts: reconciling };
  }

  /** @param skipped keys whose rows others locked. Their counts stay unreconciled */
  reconciled(nowMs: number, skipped = NONE): void {
    if (this.pending !== null) this.adoptReconciliation(this.pending, skipped, nowMs);
    this.pending = null;
  }

  private adopt(pending: Pending, mark: StoredMark, nowMs: number): void {
    if (pending.asked === null) return this.adoptReconciliation(pending, new Set(mark.granted.keys()), nowMs);
    const windows = { minute: minuteOf(mark.atMs), day: dayOf(mark.atMs), month: monthOf(mark.atMs) };
    const counts = pending.asked
      .map(({ keyId, count }) => requestsIn(windows, keyId, mark.granted.get(keyId) ?? count))
      .filter((key) => key.monthCount > 0);
    this.recent.push({ number: pending.number, atMs: nowMs, counts });
    for (const key of counts) this.unreconciled.subtract(key);
  }

  private adoptReconciliation({ number, reconciling }: Pending, skipped: ReadonlySet<string>, nowMs: number): void {
    const counts = reconciling.filter(({ keyId }) => !skipped.has(keyId));
    this.recent.push({ number, atMs: nowMs, counts });
    for (const key of counts) this.unreconciled.subtract(key);
    this.last = number;
  }
}
