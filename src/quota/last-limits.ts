import { LruCache } from '../platform/fairness/lru-cache.js';
import type { LimitClaim, OverLimit, ReservedClaim } from './limit-claims.js';
import { PeriodStarts } from './period-starts.js';
import {
  figuresAt,
  fits,
  overLimitOf,
  withClaim,
  withLine,
  type LimitTimes,
  type SeenLimit,
} from './seen-limit.rules.js';
import type { LimitLine } from './ledger/unreconciled-changes.js';

/** About 300 bytes each. */
const LIMITS_MAX = 100_000;

export interface ReadLimit {
  readonly seen: SeenLimit;
  /** By the database's clock. */
  readonly atUs: number;
  /** Null if the limit is disabled. */
  readonly times: LimitTimes | null;
}

interface Known {
  seen: SeenLimit;
  atUs: number;
  /** When figures were read from the database (`performance.now()`). */
  readAtMs: number;
  /** Null until the limit was read, and not only decided. Without the times, no period begins during an outage. */
  times: LimitTimes | null;
}

/**
 * The last figures of each limit. While the database is unavailable, requests must fit into the remaining amount (D22). A period that ends
 * meanwhile begins again with nothing used.
 */
export class LastLimits {
  readonly periods = new PeriodStarts();
  private readonly byId = new LruCache<number, Known>(LIMITS_MAX);

  /** @param unstoredOf the settlement of a limit that the database does not have yet */
  constructor(private readonly unstoredOf: (limitId: number) => LimitLine | null) {}

  /** Takes the figures that admission read for requests. */
  see(figures: ReadonlyMap<number, SeenLimit>, atUs: number, readAtMs: number): void {
    for (const [limitId, seen] of figures)
      this.keep(limitId, { seen, atUs, times: this.byId.get(limitId)?.times ?? null }, readAtMs);
  }

  /** Takes figures that were read without a request, in order with the batches. They can lack a batch that ended meanwhile. */
  refresh(read: ReadonlyMap<number, ReadLimit>, beganAtMs: number): void {
    for (const [limitId, limit] of read) {
      const known = this.byId.get(limitId);
      if (known !== undefined && known.readAtMs > beganAtMs) known.times = limit.times;
      else this.keep(limitId, limit, beganAtMs);
    }
  }

  private keep(limitId: number, { seen, atUs, times }: ReadLimit, readAtMs: number): void {
    this.byId.set(limitId, { seen: withLine(seen, this.unstoredOf(limitId)), atUs, readAtMs, times });
  }

  readAtMs(limitId: number): number {
    return this.byId.get(limitId)?.readAtMs ?? -Infinity;
  }

  /** Whether the figures of all limits were read at or after this time (`performance.now()`). */
  areKnown(claims: readonly LimitClaim[], sinceMs: number): boolean {
    return claims.every(({ limitId }) => this.readAtMs(limitId) >= sinceMs);
  }

  /** Null if all claims fit. All of their limits are known. */
  firstOver(claims: readonly LimitClaim[], nowUs: number): OverLimit | null {
    for (const claim of claims) {
      const { limitId } = claim;
      const seen = this.figuresNow(limitId, nowUs);
      if (!fits(seen, claim)) return overLimitOf(seen, claim, this.untilMs(limitId, nowUs));
    }
    return null;
  }

  /** Adds the claims to the figures. All of their limits are known. */
  reserve(claims: readonly LimitClaim[], servedAtUs: number): readonly ReservedClaim[] {
    return claims.map((claim) => {
      const { limitId } = claim;
      const seen = this.figuresNow(limitId, servedAtUs);
      if (seen.period !== null) this.byId.get(limitId)!.seen = withClaim(seen, claim);
      return { ...claim, period: seen.period, servedAtUs };
    });
  }

  /** Replaces a reserved amount by the used amount. */
  settle({ limitId, asked, overdraft, period }: ReservedClaim, spent: number): void {
    const known = this.byId.get(limitId);
    if (known === undefined || period === null) return;
    // The database also replaces an impossible figure by the reserved amount.
    const usage = Number.isSafeInteger(spent) ? spent : asked;
    known.seen = withLine(known.seen, { limitId, period, freed: asked, spent: usage, overdraft });
  }

  /** Also stores the figures, because a new period can have begun. */
  private figuresNow(limitId: number, nowUs: number): SeenLimit {
    const known = this.byId.get(limitId)!;
    if (known.times === null) return known.seen;
    const { seen, atUs, times } = known;
    known.seen = figuresAt({ seen, atUs, times }, this.periods.around(times, nowUs), nowUs);
    known.atUs = nowUs;
    return known.seen;
  }

  private untilMs(limitId: number, nowUs: number): OverLimit['untilMs'] {
    const { times } = this.byId.get(limitId)!;
    if (times === null) return 'unknown';
    if (times.per === 'total') return times.endsUs === null ? null : times.endsUs / 1000;
    const { endUs } = this.periods.around(times, nowUs);
    return endUs === null ? 'unknown' : Math.min(endUs, times.endsUs ?? Infinity) / 1000;
  }
}
