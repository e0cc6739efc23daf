import { requestsIn, type AdmitEntry, type KeyCounts } from '../quota-counts.js';
import { dayOf, minuteOf, monthOf } from '../windows.js';
import type { StoredMark } from './reconciliation.sql.js';
import { UnreconciledCounts } from './unreconciled-counts.js';

/** How long answered entries are remembered at least, in case a server that crashed has lost them. */
const REMEMBERED_MS = 10_000;
/** Takes a statement some tens of milliseconds. */
const KEYS_PER_RECONCILIATION = 2000;
const NONE: ReadonlySet<string> = new Set();

interface JournalEntry {
  readonly number: number;
  readonly atMs: number;
  /** What the store holds if it holds the entry. The sum over all entries is what was served. */
  readonly counts: readonly KeyCounts[];
}

/** An entry that was sent and not answered yet. */
interface Pending {
  readonly number: number;
  /** null: a reconciliation. */
  readonly asked: readonly AdmitEntry[] | null;
  readonly reconciling: readonly KeyCounts[];
}

/**
 * The numbered entries of one writer: batches and reconciliations. Once the writer's row can be read, it computes what the
 * store lacks and what it has too much. Requests of an unanswered batch were refused: if the batch is stored, all of it is
 * too much. `nowMs` is of any steady clock.
 */
export class BatchJournal {
  /** Stored by reconciliations. Requests that were served without the store are added to it. */
  readonly unreconciled = new UnreconciledCounts();
  private last = 0;
  private pending: Pending | null = null;
  private recent: JournalEntry[] = [];
  private older: JournalEntry[] = [];
  private recentSinceMs = 0;

  /** @returns the number under which the batch has to be sent */
  begin(asked: readonly AdmitEntry[]): number {
    this.pending = { number: this.last + 1, asked, reconciling: [] };
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

  /** The server has reported that nothing was stored: the number is free again. */
  rolledBack(): void {
    this.pending = null;
  }

  /** @param mark null: the writer has no row, so nothing of it is stored */
  reconcile(mark: StoredMark | null, nowMs: number): void {
    const stored = mark?.batch ?? 0;
    if (this.pending !== null && mark !== null && this.pending.number === stored) this.adopt(this.pending, mark, nowMs);
    this.pending = null;
    // A number that has gone back proves that entries are lost. A missing row proves nothing about older entries, because
    // the row of an idle writer is deleted after a week.
    const sinceMs = mark === null ? nowMs - REMEMBERED_MS : -Infinity;
    const remembered = [...this.older, ...this.recent].filter((entry) => entry.atMs >= sinceMs);
    for (const entry of remembered) {
      if (entry.number > stored) for (const counts of entry.counts) this.unreconciled.add(counts);
    }
    this.older = [];
    this.recent = remembered.filter((entry) => entry.number <= stored);
    this.last = stored;
  }

  /**
   * Needed even without unreconciled counts: its number fences a batch that is still on its way.
   * @returns counts of 2000 keys at most, and the number under which they have to be sent
   */
  beginReconciliation(): { readonly number: number; readonly counts: readonly KeyCounts[] } {
    const reconciling = this.unreconciled.list(KEYS_PER_RECONCILIATION);
    this.pending = { number: this.last + 1, asked: null, reconciling };
    return { number: this.pending.number, counts: reconciling };
  }

  /** @param skipped keys whose rows were locked by others: their counts stay unreconciled */
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
