import type { Clock } from '../platform/clock.js';
import type { KeySnapshot, QuotaFigures } from '../platform/request-context/key-snapshot.js';
import {
  countedTokens,
  figuresOf,
  verdictsOf,
  type AdmitResult,
  type QuotaLimits,
  type StoredCounts,
  type Verdict,
} from './verdict.rules.js';
import { dayNumberOf, minuteOf, monthOf } from './utc-windows.rules.js';

interface Seen {
  key: KeySnapshot;
  counts: StoredCounts;
  /** Requests to add to `counts`. */
  admitted: number;
  /** The last request of the key, or the last read of the key itself. */
  usedAtMs: number;
  readAtMs: number;
}

/**
 * The last stored counts of each known key, at about 250 bytes each, and the clock of the store. During an outage, counting continues from
 * them. Arguments `…Ms` are `performance.now()`.
 */
export class LastCounts {
  private readonly byKey = new Map<string, Seen>();
  /** The store's clock minus this machine's clock. Windows follow the store's clock. */
  private storeAheadMs = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * Takes the counts that were read with a key, and makes the key known.
   * @param unreconciled true if this process has admitted requests of the key that `counts` does not include yet
   */
  learn(key: KeySnapshot, counts: StoredCounts, unreconciled: boolean, nowMs: number): void {
    const seen = this.byKey.get(key.id);
    if (seen === undefined) {
      this.byKey.set(key.id, { key, counts, admitted: 0, usedAtMs: nowMs, readAtMs: nowMs });
      return;
    }
    seen.key = key;
    seen.usedAtMs = nowMs;
    // An older read lacks the requests that were counted while it ran.
    if (!unreconciled && counts.nowMs > seen.counts.nowMs)
      Object.assign(seen, { counts, admitted: 0, readAtMs: nowMs });
    // The key might count all tokens from now on. Earlier admissions did not read the additional tokens.
    else if (seen.counts.month === counts.month && seen.counts.additionalTokens < counts.additionalTokens)
      seen.counts = { ...seen.counts, additionalTokens: counts.additionalTokens };
  }

  /** Takes counts that were read without a request, in order with the calls of admission. They can lack a call that ended meanwhile. */
  refresh(keyId: string, counts: StoredCounts, unreconciled: boolean, beganAtMs: number): void {
    this.storeAheadMs = counts.nowMs - this.clock.now();
    const seen = this.byKey.get(keyId);
    if (seen === undefined || unreconciled || seen.readAtMs > beganAtMs) return;
    Object.assign(seen, { counts, admitted: 0, readAtMs: beganAtMs });
  }

  /** Takes the counts that admission read for a request of a known key. @param admitted requests to add to `counts` */
  see(key: KeySnapshot, counts: StoredCounts, admitted: number, nowMs: number): void {
    this.storeAheadMs = counts.nowMs - this.clock.now();
    const seen = this.byKey.get(key.id);
    if (seen === undefined) return;
    seen.key = key;
    seen.counts = counts;
    seen.admitted = admitted;
    seen.usedAtMs = nowMs;
    seen.readAtMs = nowMs;
  }

  /** The keys that were used at or after this time. */
  *usedSince(sinceMs: number): Iterable<{ readonly key: KeySnapshot; readonly readAtMs: number }> {
    for (const seen of this.byKey.values()) if (seen.usedAtMs >= sinceMs) yield seen;
  }

  forget(keyId: string): void {
    this.byKey.delete(keyId);
  }

  isKnown(keyId: string, usedSinceMs: number, readSinceMs: number): boolean {
    const seen = this.byKey.get(keyId);
    return seen !== undefined && seen.usedAtMs >= usedSinceMs && seen.readAtMs >= readSinceMs;
  }

  /** Counts one request of a known key if its limits allow it. */
  admit(keyId: string, limits: QuotaLimits): { verdict: Verdict; counts: StoredCounts } {
    const seen = this.byKey.get(keyId)!;
    const counts = countsAt(seen.counts, seen.admitted, this.storeNowMs());
    const granted = grantedOf(counts, limits, 1);
    seen.counts = counts;
    seen.admitted = granted;
    const result: AdmitResult = { kind: 'decided', granted, counts };
    return { verdict: verdictsOf(result, limits, 1)[0]!, counts };
  }

  /** The figures of a known key now. Counts nothing. */
  figures(keyId: string, limits: QuotaLimits): QuotaFigures {
    const seen = this.byKey.get(keyId)!;
    return figuresOf(countsAt(seen.counts, seen.admitted, this.storeNowMs()), limits);
  }

  storeNowUs(): number {
    return Math.floor(this.storeNowMs() * 1000);
  }

  private storeNowMs(): number {
    return this.clock.now() + this.storeAheadMs;
  }

  addTokens(keyId: string, tokens: number, additionalTokens: number): void {
    const seen = this.byKey.get(keyId);
    if (seen === undefined) return;
    const { counts } = seen;
    seen.counts = {
      ...counts,
      tokens: counts.tokens + tokens,
      additionalTokens: counts.additionalTokens + additionalTokens,
    };
  }
}

/** Returns the counts that the store would hold now if no other process had counted since `seen`. `nowMs` is its clock. */
export function countsAt(seen: StoredCounts, admitted: number, nowMs: number): StoredCounts {
  const [minute, day, month] = [minuteOf(nowMs), dayNumberOf(nowMs), monthOf(nowMs)];
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
    additionalTokens: keeps.month ? seen.additionalTokens : 0,
  };
}

/** A request counts in all windows or in none, as in the store's SQL statement. */
export function grantedOf(counts: StoredCounts, limits: QuotaLimits, requested: number): number {
  const { rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit } = limits;
  if (monthlyTokenLimit !== null && countedTokens(counts, limits) >= monthlyTokenLimit) return 0;
  const monthLeft = monthlyLimit === null ? Infinity : monthlyLimit - counts.monthUsed;
  return Math.max(0, Math.min(requested, rpmLimit - counts.minuteUsed, rpdLimit - counts.dayUsed, monthLeft));
}

/** A window also continues if the clock was set back into the previous window. */
const isKept = (seen: number, now: number): boolean => seen === now || seen === now + 1;
