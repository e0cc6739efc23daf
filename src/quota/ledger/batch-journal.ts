import { requestsIn, type AdmitEntry, type KeyCounts } from '../quota-counts.js';
import { dayOf, minuteOf, monthOf } from '../windows.js';
import type { StoredMark } from './writer-epoch.js';
import { claimedRequests, claimedSums, linesOf } from './limit-batch-sums.rules.js';
import { UnreconciledCounts } from './unreconciled-counts.js';
import {
  NOTHING,
  splitBy,
  sumOfLines,
  UnreconciledLimits,
  type LimitLine,
  type LimitChanges,
} from './unreconciled-limits.js';

/** Confirmed entries are remembered at least this long, in case the database crashes and loses them. */
const REMEMBERED_MS = 10_000;
/** A statement for this many keys or limits takes tens of milliseconds. */
const ROWS_PER_RECONCILIATION = 2000;
const NONE: ReadonlySet<string> = new Set();

interface Effect {
  readonly counts: readonly KeyCounts[];
  readonly limits: LimitChanges;
}

interface JournalEntry extends Effect {
  readonly number: number;
  readonly atMs: number;
}

type Pending =
  | { readonly kind: 'batch'; readonly number: number; readonly asked: readonly AdmitEntry[] }
  | { readonly kind: 'reconciliation'; readonly number: number; readonly counts: readonly KeyCounts[] }
  | { readonly kind: 'settlement'; readonly number: number; readonly limits: LimitChanges };

/**
 * The numbered entries of one writer: batches, reconciliations of keys, and settlements of limits. When the writer's row can be read again,
 * the journal computes which changes the store lacks and which it has in excess. The requests in an unconfirmed batch were rejected, so all
 * counts of such a batch are excess. `nowMs` is monotonic.
 */
export class BatchJournal {
  /** Counts for the next reconciliation, including requests that were served without the store. */
  readonly unreconciled = new UnreconciledCounts();
  readonly limits = new UnreconciledLimits();
  private last = 0;
  private pending: Pending | null = null;
  private recent: JournalEntry[] = [];
  private older: JournalEntry[] = [];
  private recentSinceMs = 0;

  begin(asked: readonly AdmitEntry[]): number {
    return this.start({ kind: 'batch', number: this.last + 1, asked }).number;
  }

  confirmed(counts: readonly KeyCounts[], nowMs: number, limits = NOTHING): void {
    this.last += 1;
    this.pending = null;
    if (counts.length > 0) this.remember({ counts, limits }, nowMs);
  }

  /** The database has reported that nothing was stored, so the number is free again. */
  rolledBack(): void {
    if (this.pending?.kind === 'settlement') this.limits.addAll(this.pending.limits);
    this.pending = null;
  }

  /** The limits whose periods `reconcile` needs, if the number of the unconfirmed batch is stored. */
  limitsInDoubt(stored: number): readonly number[] {
    const { pending } = this;
    return pending?.kind === 'batch' && pending.number === stored
      ? [...claimedSums(claimedRequests(pending.asked)).keys()]
      : [];
  }

  /** @param mark null: the writer has no row, so no entry is known to be stored */
  reconcile(mark: StoredMark | null, nowMs: number): void {
    const stored = mark?.batch ?? 0;
    const { pending } = this;
    if (pending !== null && mark !== null && pending.number === stored) this.adopt(pending, mark, nowMs);
    else this.rolledBack();
    this.pending = null;
    // A lower number proves that the database lost entries. A missing row proves nothing about older entries, because the row
    // of an idle writer is deleted after a week.
    const sinceMs = mark === null ? nowMs - REMEMBERED_MS : -Infinity;
    const remembered = [...this.older, ...this.recent].filter((entry) => entry.atMs >= sinceMs);
    for (const entry of remembered) {
      if (entry.number <= stored) continue;
      for (const counts of entry.counts) this.unreconciled.add(counts);
      this.limits.addAll(entry.limits);
    }
    this.older = [];
    this.recent = remembered.filter((entry) => entry.number <= stored);
    this.last = stored;
  }

  beginReconciliation(): { readonly number: number; readonly counts: readonly KeyCounts[] } {
    const counts = this.unreconciled.list(ROWS_PER_RECONCILIATION);
    const { number } = this.start({ kind: 'reconciliation', number: this.last + 1, counts });
    return { number, counts };
  }

  /** @param skipped keys whose rows other sessions locked. Their counts stay unreconciled */
  reconciled(nowMs: number, skipped = NONE): void {
    const { pending } = this;
    this.last += 1;
    this.pending = null;
    if (pending?.kind === 'reconciliation') this.adoptCounts(pending.counts, skipped, nowMs);
  }

  isSettling(limitId: number): boolean {
    return this.limits.lineOf(limitId) !== null || this.sentLineOf(limitId) !== null;
  }

  /** The sum of the waiting line and the sent one. If their periods differ, it is the newer line. */
  unstoredOf(limitId: number): LimitLine | null {
    const [waiting, sent] = [this.limits.lineOf(limitId), this.sentLineOf(limitId)];
    return waiting === null || sent === null ? (waiting ?? sent) : sumOfLines(waiting, sent);
  }

  private sentLineOf(limitId: number): LimitLine | null {
    const { pending } = this;
    if (pending?.kind !== 'settlement') return null;
    return pending.limits.lines.find((line) => line.limitId === limitId) ?? null;
  }

  beginSettlement(): { readonly number: number; readonly limits: LimitChanges } {
    const limits = this.limits.take(ROWS_PER_RECONCILIATION);
    const { number } = this.start({ kind: 'settlement', number: this.last + 1, limits });
    return { number, limits };
  }

  /** @param skipped limits whose rows other sessions locked. Their changes are settled later */
  settled(nowMs: number, skipped: ReadonlySet<number>): void {
    const { pending } = this;
    this.last += 1;
    this.pending = null;
    if (pending?.kind === 'settlement') this.adoptSettlement(pending.limits, skipped, nowMs);
  }

  private start(pending: Pending): Pending {
    this.pending = pending;
    return pending;
  }

  /** Adds an entry with the last number. Two arrays rotate, so that old entries are dropped without shifting elements. */
  private remember(effect: Effect, nowMs: number): void {
    if (nowMs - this.recentSinceMs > REMEMBERED_MS) {
      this.older = this.recent;
      this.recent = [];
      this.recentSinceMs = nowMs;
    }
    this.recent.push({ ...effect, number: this.last, atMs: nowMs });
  }

  private adopt(pending: Pending, mark: StoredMark, nowMs: number): void {
    this.last = pending.number;
    if (pending.kind === 'reconciliation') this.adoptCounts(pending.counts, new Set(mark.granted.keys()), nowMs);
    else if (pending.kind === 'settlement') this.adoptSettlement(pending.limits, new Set(mark.refused), nowMs);
    else this.adoptBatch(pending.asked, mark, nowMs);
  }

  private adoptBatch(asked: readonly AdmitEntry[], mark: StoredMark, nowMs: number): void {
    const windows = { minute: minuteOf(mark.atMs), day: dayOf(mark.atMs), month: monthOf(mark.atMs) };
    const counts = asked
      .map(({ keyId, count }) => requestsIn(windows, keyId, mark.granted.get(keyId) ?? count))
      .filter((key) => key.monthCount > 0);
    const lines = linesOf(claimedSums(claimedRequests(asked), new Set(mark.refused)), mark.periods);
    this.remember({ counts, limits: { lines, charges: [] } }, nowMs);
    for (const key of counts) this.unreconciled.subtract(key);
    for (const line of lines) this.takeBack(line, mark.atMs);
  }

  /** Requests that count at once are taken from the part of a rolling period in which the batch was counted. */
  private takeBack({ limitId, period, freed, spent, overdraft }: LimitLine, countedAtMs: number): void {
    if (freed !== 0) this.limits.add({ limitId, period, freed: -freed, spent: 0, overdraft: 0 - overdraft });
    if (spent !== 0) this.limits.addCharge({ limitId, atUs: Math.floor(countedAtMs * 1000), spent: -spent });
  }

  private adoptSettlement(settlement: LimitChanges, skipped: ReadonlySet<number>, nowMs: number): void {
    const [limits, left] = splitBy(settlement, ({ limitId }) => !skipped.has(limitId));
    this.remember({ counts: [], limits }, nowMs);
    this.limits.addAll(left);
  }

  private adoptCounts(reconciling: readonly KeyCounts[], skipped: ReadonlySet<string>, nowMs: number): void {
    const counts = reconciling.filter(({ keyId }) => !skipped.has(keyId));
    this.remember({ counts, limits: NOTHING }, nowMs);
    for (const key of counts) this.unreconciled.subtract(key);
  }
}
