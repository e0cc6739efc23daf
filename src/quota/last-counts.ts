import type { QuotaFigures } from '../request-context/key-snapshot.js';
import type { AdmitResult, QuotaLimits, StoredCounts } from './quota-counts.js';
import { countedTokens, figuresOf, verdictsOf, type Verdict } from './verdict.rules.js';
import { dayOf, minuteOf, monthOf } from './windows.js';
import type { LimitClaim, OverLimit, ReservedClaim } from './limit-claims.js';
import { withClaim, type SeenLimit } from './stores/limit-admission-call.sql.js';
import { LruCache } from '../fairness/lru-cache.js';

interface Seen {
  counts: StoredCounts;
  /** Requests to add to `counts`. */
  admitted: number;
  confirmedAtMs: number;
}

/** The last stored counts of each known key, at about 200 bytes each. During an outage, counting continues from them. */
export class LastCounts {
  private readonly byKey = new Map<string, Seen>();

  /** @param unreconciled true if this process has admitted requests of the key that `counts` does not include yet */
  learn(keyId: string, counts: StoredCounts, unreconciled: boolean, nowMs: number): void {
    const seen = this.byKey.get(keyId);
    if (seen === undefined) {
      this.byKey.set(keyId, { counts, admitted: 0, confirmedAtMs: nowMs });
      return;
    }
    seen.confirmedAtMs = nowMs;
    // An older read lacks the requests that were counted while it ran.
    if (!unreconciled && counts.nowMs > seen.counts.nowMs) Object.assign(seen, { counts, admitted: 0 });
    // The key might count all tokens from now on. Earlier admissions did not read the additional tokens.
    else if (seen.counts.month === counts.month && seen.counts.additionalTokens < counts.additionalTokens)
      seen.counts = { ...seen.counts, additionalTokens: counts.additionalTokens };
  }

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

  isConfirmedSince(keyId: string, sinceMs: number): boolean {
    const seen = this.byKey.get(keyId);
    return seen !== undefined && seen.confirmedAtMs >= sinceMs;
  }

  admit(keyId: string, limits: QuotaLimits, nowMs: number): { verdict: Verdict; counts: StoredCounts } {
    const seen = this.byKey.get(keyId)!;
    const counts = countsAt(seen.counts, seen.admitted, nowMs);
    const granted = grantedOf(counts, limits, 1);
    seen.counts = counts;
    seen.admitted = granted;
    const result: AdmitResult = { kind: 'decided', granted, counts };
    return { verdict: verdictsOf(result, limits, 1)[0]!, counts };
  }

  figures(keyId: string, limits: QuotaLimits, nowMs: number): QuotaFigures {
    const seen = this.byKey.get(keyId)!;
    return figuresOf(countsAt(seen.counts, seen.admitted, nowMs), limits);
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

/** The database also replaces an impossible figure by the reserved amount. */
const usageOf = (spent: number, asked: number): bigint => BigInt(Number.isSafeInteger(spent) ? spent : asked);

/** About 150 bytes each. */
const LIMITS_MAX = 100_000;

/**
 * The last figures of each limit that this process has received. While the database is unavailable, requests must fit into the
 * remaining amount (D22). A period that ends meanwhile does not raise it, because the usage of other processes is unknown.
 */
export class LastLimits {
  private readonly byId = new LruCache<number, SeenLimit>(LIMITS_MAX);

  see(seen: ReadonlyMap<number, SeenLimit>): void {
    for (const [limitId, figures] of seen) this.byId.set(limitId, figures);
  }

  areKnown(claims: readonly LimitClaim[]): boolean {
    return claims.every(({ limitId }) => this.byId.has(limitId));
  }

  /** Null if all claims fit. `untilMs` is null, because usage stays until the database is available again. */
  firstOver(claims: readonly LimitClaim[]): OverLimit | null {
    for (const { limitId, asked } of claims) {
      const { period, amount, used, held } = this.byId.get(limitId)!;
      if (period !== null && amount !== null && BigInt(asked) > amount - used - held)
        return { limitId, asked, amount, used, held, untilMs: null };
    }
    return null;
  }

  reserve(claims: readonly LimitClaim[], servedAtUs: number): readonly ReservedClaim[] {
    return claims.map((claim) => {
      const { limitId, asked, holds } = claim;
      const seen = this.byId.get(limitId)!;
      this.byId.set(limitId, withClaim(seen, claim));
      return { limitId, asked, holds, period: seen.period, servedAtUs };
    });
  }

  settle({ limitId, asked, period }: ReservedClaim, spent: number): void {
    const seen = this.byId.get(limitId);
    if (seen === undefined || seen.period !== period) return;
    const held = seen.held - BigInt(asked);
    this.byId.set(limitId, { ...seen, held: held > 0n ? held : 0n, used: seen.used + usageOf(spent, asked) });
  }
}
