import { LRUCache } from 'lru-cache';
import type { LimitClaim, OverLimit, ReservedClaim } from './limit-claims.js';
import type { SeenLimit } from './stores/limit-admission.sql.js';

/** About 150 bytes each. */
const LIMITS_MAX = 100_000;

/**
 * The last figures of each limit that this process has received. While the database is unavailable, requests must fit into the
 * remaining amount (D22). A period that ends meanwhile does not raise it, because the usage of other processes is unknown.
 */
export class LastLimits {
  private readonly byId = new LRUCache<number, SeenLimit>({ max: LIMITS_MAX });

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
      if (period !== null && amount !== null && asked > amount - used - held)
        return { limitId, asked, amount, used, held, untilMs: null };
    }
    return null;
  }

  reserve(claims: readonly LimitClaim[], servedAtUs: number): readonly ReservedClaim[] {
    return claims.map(({ limitId, asked, holds }) => {
      const seen = this.byId.get(limitId)!;
      this.byId.set(limitId, holds ? { ...seen, held: seen.held + asked } : { ...seen, used: seen.used + asked });
      return { limitId, asked, holds, period: seen.period, servedAtUs };
    });
  }

  settle({ limitId, asked, period }: ReservedClaim, spent: number): void {
    const seen = this.byId.get(limitId);
    if (seen === undefined || seen.period !== period) return;
    this.byId.set(limitId, { ...seen, held: Math.max(0, seen.held - asked), used: seen.used + spent });
  }
}
