import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transactions.js';
import { dayOf } from './days.rules.js';
import type { DayCost } from './report/backfill-cost.rules.js';
import { BackfillPrices, NOON_MS } from './report/backfill-prices.service.js';
import { CostBackfillStore, type DayFilter } from './stores/cost-backfill.store.js';
import type { Recomputed, UnpricedFilter } from './unpriced-usage.js';

interface RecomputedDay extends Recomputed {
  readonly day: string;
}

/**
 * Prices the usage of days before costs were recorded, as `CostBackfill` does. The rows stay marked as backfilled. Their upstream is
 * unknown, so a filter by upstream matches usage with a price of this upstream.
 */
@Injectable()
export class RecomputeBackfilledDays {
  constructor(
    private readonly store: CostBackfillStore,
    private readonly prices: BackfillPrices,
  ) {}

  /** Prices the next day with usage that matches the filter. Returns null after the last day. @param after null at the start */
  async next(transaction: Transaction, filter: UnpricedFilter, after: string | null): Promise<RecomputedDay | null> {
    const day = await this.store.nextDay(transaction, daysOf(filter), after);
    if (day === null) return null;
    const usages = await this.store.unpriced(transaction, day, filter.model);
    const priced: DayCost[] = [];
    let [recomputed, nanos, stillUnpriced] = [0, 0n, 0];
    for (const usage of usages) {
      const provider = this.prices.priceOf(usage.model, day)?.provider ?? null;
      if (filter.provider !== null && provider !== filter.provider) continue;
      const cost = this.prices.costOf(usage, day);
      if (cost.unpricedRequests > 0) stillUnpriced += usage.requests;
      else {
        priced.push(cost);
        recomputed += usage.requests;
        nanos += cost.nanos - usage.nanos;
      }
    }
    if (priced.length > 0) await this.store.setCosts(transaction, day, priced);
    return { day, recomputed, nanos, stillUnpriced };
  }
}

/** The days that both the database and ISO 8601 write with a four-digit year. */
const [FIRST_MS, LAST_MS] = [Date.parse('0001-01-01'), Date.parse('9999-12-31')];

/** The price of a day is that of noon, so its noon must be within the range of the filter. */
const daysOf = ({ model, sinceMs, untilMs }: UnpricedFilter): DayFilter => ({
  model,
  from: sinceMs === null ? null : dayOf(Math.min(LAST_MS, sinceMs + NOON_MS - 1)),
  to: untilMs === null ? null : dayOf(Math.max(FIRST_MS, untilMs - NOON_MS)),
});
