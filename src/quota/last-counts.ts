import { countsAt, grantedOf } from './outage.rules.js';
import type { AdmitAnswer } from './stores/quota-store.js';
import type { StoredCounts } from './stored-counts.js';
import { figuresOf, verdictsOf, type QuotaLimits } from './verdict.rules.js';
import type { QuotaFigures } from '../request-context/key-snapshot.js';
import type { Verdict } from './verdict.js';

interface Seen {
  counts: StoredCounts;
  /** Requests counted on top of them. */
  admitted: number;
  /** When state or counts were last read or confirmed, by `performance.now()`. */
  confirmedAtMs: number;
}

/**
 * What this process last saw of the counts of the keys that it knows, and goes on counting by while the store is away. One
 * entry of some 200 bytes a key, from when it is read until it is forgotten: bounded by whoever keeps the keys.
 */
export class LastCounts {
  private readonly byKey = new Map<string, Seen>();

  /**
   * A key was read, its counts with it.
   * @param owed whether requests of the key were counted here that the store does not hold: they are not in what was read
   */
  learn(keyId: string, counts: StoredCounts, owed: boolean, nowMs: number): void {
    const seen = this.byKey.get(keyId);
    if (seen === undefined) {
      this.byKey.set(keyId, { counts, admitted: 0, confirmedAtMs: nowMs });
      return;
    }
    seen.confirmedAtMs = nowMs;
    // Nor is what was counted while the key was being read.
    if (owed || counts.nowMs <= seen.counts.nowMs) return;
    Object.assign(seen, { counts, admitted: 0 });
  }

  /** The store has told; of a key that is not known here nothing is kept. */
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

  /** Whether its state was read or confirmed since then, by `performance.now()`. */
  isConfirmedSince(keyId: string, sinceMs: number): boolean {
    const seen = this.byKey.get(keyId);
    return seen !== undefined && seen.confirmedAtMs >= sinceMs;
  }

  /** Judges one request of a key that is known, and counts it here where it passes. */
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

  /** Tokens that were used since the store last told. */
  addTokens(keyId: string, tokens: number): void {
    const seen = this.byKey.get(keyId);
    if (seen !== undefined) seen.counts = { ...seen.counts, tokens: seen.counts.tokens + tokens };
  }
}
