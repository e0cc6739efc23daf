import { RecentEntries, REMEMBERED_MS } from '../../platform/database/recent-entries.js';
import type { AdmitEntry } from '../verdict.rules.js';
import { requestsIn, dayNumberOf, minuteOf, monthOf, type KeyCounts } from '../utc-windows.rules.js';
import type { StoredMark } from './writer-epoch.js';
import { claimedRequests, claimedSums, linesOf } from './limit-batch-sums.rules.js';
import {
  NOTHING,
  splitBy,
  sumOfLines,
  UnreconciledCounts,
  UnreconciledLimits,
  type LimitChanges,
  type LimitLine,
} from './unreconciled-changes.js';

/** A statement for this many keys or limits takes tens of milliseconds. */
const ROWS_PER_ENTRY = 2000;
const NONE: ReadonlySet<string> = new Set();

type SentEntry =
  | { readonly kind: 'batch'; readonly number: number; readonly asked: readonly AdmitEntry[] }
  | { readonly kind: 'reconciliation'; readonly number: number; readonly counts: readonly KeyCounts[] }
  | { readonly kind: 'settlement'; readonly number: number; readonly limits: LimitChanges };

/**
 * Numbers the entries of one writer: batches, reconciliations of keys, and settlements of limits. One entry is sent at a time. It is
 * confirmed or rolled back. If its connection is lost, `reconcile` finds out from the number in the writer's row whether it is stored.
 * `nowMs` is monotonic.
 */
export class BatchJournal {
  /** Counts for the next reconciliation, including requests that were served without the store. */
  readonly unreconciled = new UnreconciledCounts();
  readonly limits = new UnreconciledLimits();
  private lastNumber = 0;
  private sent: SentEntry | null = null;
  private readonly stored = new RecentEntries<StoredEntry>();

  begin(asked: readonly AdmitEntry[]): number {
    return this.send({ kind: 'batch', number: this.lastNumber + 1, asked });
  }

  confirmed(counts: readonly KeyCounts[], nowMs: number, limits = NOTHING): void {
    this.confirm();
    if (counts.length > 0) this.stored.add({ number: this.lastNumber, atMs: nowMs, counts, limits });
  }

  beginReconciliation(): { readonly number: number; readonly counts: readonly KeyCounts[] } {
    const counts = this.unreconciled.list(ROWS_PER_ENTRY);
    return { number: this.send({ kind: 'reconciliation', number: this.lastNumber + 1, counts }), counts };
  }

  /** @param skipped keys whose rows other sessions locked. Their counts stay unreconciled */
  reconciled(nowMs: number, skipped = NONE): void {
    const entry = this.confirm();
    if (entry?.kind === 'reconciliation') this.adoptCounts(entry.counts, skipped, nowMs);
  }

  beginSettlement(): { readonly number: number; readonly limits: LimitChanges } {
    const limits = this.limits.take(ROWS_PER_ENTRY);
    return { number: this.send({ kind: 'settlement', number: this.lastNumber + 1, limits }), limits };
  }

  /** @param skipped limits whose rows other sessions locked. Their changes are settled later */
  settled(nowMs: number, skipped: ReadonlySet<number>): void {
    const entry = this.confirm();
    if (entry?.kind === 'settlement') this.adoptLimits(entry.limits, skipped, nowMs);
  }

  /** The database has reported that nothing was stored, so the number is free again. */
  rolledBack(): void {
    if (this.sent?.kind === 'settlement') this.limits.addAll(this.sent.limits);
    this.sent = null;
  }

  /** The limits whose periods `reconcile` needs, if the sent batch is stored. */
  limitsInDoubt(storedNumber: number): readonly number[] {
    const { sent } = this;
    if (sent?.kind !== 'batch' || sent.number !== storedNumber) return [];
    return [...claimedSums(claimedRequests(sent.asked)).keys()];
  }

  /**
   * Adds to `unreconciled` and `limits` what the store lacks, and subtracts what it has in excess.
   * @param mark null if the writer has no row, so that no entry is known to be stored
   * @returns the number of confirmed entries that the database has lost
   */
  reconcile(mark: StoredMark | null, nowMs: number): number {
    const { sent } = this;
    this.lastNumber = mark?.batch ?? 0;
    if (sent !== null && sent.number === mark?.batch) this.adopt(sent, mark, nowMs);
    else this.rolledBack();
    this.sent = null;
    // A lower number proves that the database lost entries. A missing row proves nothing about older entries, because the row
    // of an idle writer is deleted after a week.
    const sinceMs = mark === null ? nowMs - REMEMBERED_MS : -Infinity;
    const lost = this.stored.takeLost(this.lastNumber, sinceMs);
    for (const { counts, limits } of lost) {
      this.unreconciled.addAll(counts);
      this.limits.addAll(limits);
    }
    return lost.length;
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
    if (this.sent?.kind !== 'settlement') return null;
    return this.sent.limits.lines.find((line) => line.limitId === limitId) ?? null;
  }

  private send(entry: SentEntry): number {
    this.sent = entry;
    return entry.number;
  }

  private confirm(): SentEntry | null {
    const entry = this.sent;
    this.lastNumber += 1;
    this.sent = null;
    return entry;
  }

  private adopt(entry: SentEntry, mark: StoredMark, nowMs: number): void {
    switch (entry.kind) {
      case 'batch':
        return this.adoptRejectedBatch(entry.asked, mark, nowMs);
      case 'reconciliation':
        return this.adoptCounts(entry.counts, new Set(mark.granted.keys()), nowMs);
      case 'settlement':
        return this.adoptLimits(entry.limits, new Set(mark.rejected), nowMs);
      default:
        return entry satisfies never;
    }
  }

  private adoptCounts(sent: readonly KeyCounts[], skipped: ReadonlySet<string>, nowMs: number): void {
    const counts = sent.filter(({ keyId }) => !skipped.has(keyId));
    this.stored.add({ number: this.lastNumber, atMs: nowMs, counts, limits: NOTHING });
    this.unreconciled.subtractAll(counts);
  }

  private adoptLimits(sent: LimitChanges, skipped: ReadonlySet<number>, nowMs: number): void {
    const [limits, left] = splitBy(sent, ({ limitId }) => !skipped.has(limitId));
    this.stored.add({ number: this.lastNumber, atMs: nowMs, counts: [], limits });
    this.limits.addAll(left);
  }

  /** The requests of a batch without a response were rejected, so everything that the batch counted is in excess. */
  private adoptRejectedBatch(asked: readonly AdmitEntry[], mark: StoredMark, nowMs: number): void {
    const windows = { minute: minuteOf(mark.atMs), day: dayNumberOf(mark.atMs), month: monthOf(mark.atMs) };
    const counts = asked
      .map(({ keyId, count }) => requestsIn(windows, keyId, mark.granted.get(keyId) ?? count))
      .filter((key) => key.monthCount > 0);
    const lines = linesOf(claimedSums(claimedRequests(asked), new Set(mark.rejected)), mark.periods);
    this.stored.add({ number: this.lastNumber, atMs: nowMs, counts, limits: { lines, charges: [] } });
    this.unreconciled.subtractAll(counts);
    for (const line of lines) this.takeBack(line, mark.atMs);
  }

  /** Requests that count at once are taken from the part of a rolling period in which the batch was counted. */
  private takeBack({ limitId, period, freed, spent, overdraft }: LimitLine, countedAtMs: number): void {
    if (freed !== 0) this.limits.add({ limitId, period, freed: -freed, spent: 0, overdraft: 0 - overdraft });
    if (spent !== 0) this.limits.addCharge({ limitId, atUs: Math.floor(countedAtMs * 1000), spent: -spent });
  }
}

interface StoredEntry {
  readonly number: number;
  readonly atMs: number;
  readonly counts: readonly KeyCounts[];
  readonly limits: LimitChanges;
}
