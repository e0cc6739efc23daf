import type { QuotaFigures } from '../request-context/key-snapshot.js';
import type { AdmitAnswer, StoredCounts } from './quota-counts.js';
import { figuresOf, verdictsOf, type QuotaLimits, type Verdict } from './verdict.rules.js';
import { dayOf, minuteOf, monthOf } from './windows.js';

interface Seen {
  counts: StoredCounts;
  /** Requests counted on top of them. */
  admitted: number;
  /** When state or counts were last read or confirmed, by `performance.now()`. */
  confirmedAtMs: number;
}

/**
 * The last counts that this process has read of each known key. It continues to count from them while the store is
 * unavailable. One entry of about 200 bytes per key, from the first read until `forget`: bounded by the cache of keys.
 */
export class LastCounts {
  private readonly byKey = new Map<string, Seen>();

  /**
   * A key was read, with its counts.
   * @param unreconciled whether requests of the key were counted here that the store does not hold: `counts` lacks them
   */
  learn(keyId: string, counts: StoredCounts, unreconciled: boolean, nowMs: number): void {
    const seen = this.byKey.get(keyId);
    if (seen === undefined) {
      this.byKey.set(keyId, { counts, admitted: 0, confirmedAtMs: nowMs });
      return;
    }
    seen.confirmedAtMs = nowMs;
    // It also lacks requests that were counted while the key was being read.
    if (unreconciled || counts.nowMs <= seen.counts.nowMs) return;
    Object.assign(seen, { counts, admitted: 0 });
  }

  /** The store has returned these counts. A key that is not known here is ignored. */
  see(keyId: string, counts: StoredCounts, admitted: number, nowMs: number): void {
    const seen = this.byKey.get(keyId);
    if (seen === undefined) return;
    seen.counts = counts;
    seen.admitted = admitted;
    seen.confirmedAtMs = nowMs;
  }

  forget(keyId: string): void {
    this.byKey.delete(keyId);
  }

  /** @param sinceMs by `performance.now()` */
  isConfirmedSince(keyId: string, sinceMs: number): boolean {
    const seen = this.byKey.get(keyId);
    return seen !== undefined && seen.confirmedAtMs >= sinceMs;
  }

  /** Judges one request of a known key, and counts it here if it passes. */
  admit(keyId: string, limits: QuotaLimits, nowMs: number): { verdict: Verdict; counts: StoredCounts } {
    const seen = this.byKey.get(keyId)!;
    const counts = countsAt(seen.counts, seen.admitted, nowMs);
    const granted = grantedOf(counts, limits, 1);
    seen.counts = counts;
    seen.admitted = granted;
    const answer: AdmitAnswer = { kind: 'decided', granted, counts };
    return { verdict: verdictsOf(answer, limits, 1)[0]!, counts };
  }

  figures(keyId: string, limits: QuotaLimits, nowMs: number): QuotaFigures {
    const seen = this.byKey.get(keyId)!;
    return figuresOf(countsAt(seen.counts, seen.admitted, nowMs), limits);
  }

  /** Tokens that were used since the counts were read. */
  addTokens(keyId: string, tokens: number): void {
    const seen = this.byKey.get(keyId);
    if (seen !== undefined) seen.counts = { ...seen.counts, tokens: seen.counts.tokens + tokens };
  }
}

/**
 * The counts that the store would hold now if no other process had counted since.
 * @param seen as last read from the store
 * @param admitted requests to add
 * @param nowMs by the store's clock
 */
export function countsAt(seen: StoredCounts, admitted: number, nowMs: number): StoredCounts {
  const [minute, day, month] = [minuteOf(nowMs), dayOf(nowMs), monthOf(nowMs)];
  const keeps = { minute: isKept(seen.minute, minute), day: isKept(seen.day, day), month: isKept(seen.month, month) };
  return {
    version: seen.version,
    nowMs,
    minute: keeps.minute ? seen.minute : minute,
    minuteUsed: keeps.minute ? seen.minuteUsed + admitted : 0,
    day: keeps.day ? seen.day : day,
    dayUsed: keeps.day ? seen.dayUsed + admitted : 0,
    month: keeps.month ? seen.month : month,
    monthUsed: keeps.month ? seen.monthUsed + admitted : 0,
    tokens: keeps.month ? seen.tokens : 0,
  };
}

/** How many of `asked` requests pass: in all windows of a key or in none, as in the store's own statement. */
export function grantedOf(counts: StoredCounts, limits: QuotaLimits, asked: number): number {
  const { rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit } = limits;
  if (monthlyTokenLimit !== null && counts.tokens >= monthlyTokenLimit) return 0;
  const monthLeft = monthlyLimit === null ? Infinity : monthlyLimit - counts.monthUsed;
  return Math.max(0, Math.min(asked, rpmLimit - counts.minuteUsed, rpdLimit - counts.dayUsed, monthLeft));
}

/** A window is kept if it is this one or the next (the clock was set back), otherwise it restarts. */
const isKept = (seen: number, now: number): boolean => seen === now || seen === now + 1;
