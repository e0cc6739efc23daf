import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { type Transaction, Transactions } from '../platform/database/transactions.js';
import { serviceUnavailable } from '../platform/errors/error-factories.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import { OperatorPrices } from './operator-prices.service.js';
import { formatNanos } from './pricing/price-text.rules.js';
import { RecomputeRequests } from './recompute-requests.service.js';
import type { Recomputed, UnpricedFilter } from './unpriced-usage.js';
import { dayOf } from './days.rules.js';
import type { DayCost } from './report/backfill-cost.rules.js';
import { BackfillPrices, NOON_MS } from './report/backfill-prices.service.js';
import { CostBackfillStore, type DayFilter } from './stores/cost-backfill.store.js';

interface RecomputedDay extends Recomputed {
  readonly day: string;
}

/**
 * Prices the usage of days before costs were recorded, as `CostBackfill` does. The rows stay marked as backfilled. Their upstream is
 * unknown, so a filter by upstream matches usage with a price of this upstream.
 */
@Injectable()
export class RecomputeDays {
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

export interface Recomputation extends Recomputed {
  /** Those of `recomputed` that are from days before costs were recorded. */
  readonly backfilled: number;
}

/**
 * Prices past requests that had no complete price, with the prices that apply to their own time. About 500 requests, or a day before
 * costs were recorded, are one transaction with its part of the audit row. So an interrupted run counts nothing twice, and the next run
 * continues.
 */
@Injectable()
export class RecomputeCosts {
  constructor(
    private readonly requests: RecomputeRequests,
    private readonly days: RecomputeDays,
    private readonly prices: OperatorPrices,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /** @throws GatewayError `service_unavailable` if the operators' prices cannot be read */
  async run(filter: UnpricedFilter, actor: AdminActor): Promise<Recomputation> {
    await this.prices.refresh();
    if (!this.prices.known) throw serviceUnavailable();
    const run = new Run(randomUUID(), filter, actor);
    while (await this.step(run, (transaction) => this.nextRequests(transaction, run)));
    while (await this.step(run, (transaction) => this.nextDay(transaction, run)));
    return run;
  }

  /** Returns false after the last one. A rolled back transaction leaves the run as it was, because its error ends the run. */
  private step(run: Run, next: (transaction: Transaction) => Promise<boolean>): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      await transaction.query(LOCK);
      const before = run.recomputed;
      const found = await next(transaction);
      if (run.recomputed > before) await this.writeAudit(transaction, run, before === 0);
      return found;
    });
  }

  private async nextRequests(transaction: Transaction, run: Run): Promise<boolean> {
    const done = await this.requests.next(transaction, run, run.afterId);
    if (done === null) return false;
    run.afterId = done.id;
    run.add(done);
    return true;
  }

  private async nextDay(transaction: Transaction, run: Run): Promise<boolean> {
    const done = await this.days.next(transaction, run.filter, run.afterDay);
    if (done === null) return false;
    run.afterDay = done.day;
    run.add(done);
    run.backfilled += done.recomputed;
    return true;
  }

  private async writeAudit(transaction: Transaction, run: Run, isFirst: boolean): Promise<void> {
    const { recomputed, backfilled } = run;
    const figures = { recomputed, backfilled, amount: formatNanos(run.nanos), currency: 'USD' };
    if (isFirst)
      await this.audit.write(transaction, {
        action: 'costs.recomputed',
        actor: run.actor,
        targetType: 'costs',
        targetId: run.id,
        metadata: { ...filterMetadata(run.filter), ...figures },
      });
    else await transaction.query(UPDATE_AUDIT, [run.id, JSON.stringify(figures)]);
  }
}

/** Recomputations wait for each other until the transaction ends, so that each sees what the others have left. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('recompute-costs', 0))`;

const UPDATE_AUDIT = `
update audit_logs set metadata = metadata || $2::jsonb where target_id = $1 and action = 'costs.recomputed'`;

const filterMetadata = ({ model, provider, sinceMs, untilMs }: UnpricedFilter) => ({
  ...(model !== null && { model }),
  ...(provider !== null && { provider }),
  ...(sinceMs !== null && { since: new Date(sinceMs).toISOString() }),
  ...(untilMs !== null && { until: new Date(untilMs).toISOString() }),
});

/** The progress of one run. */
class Run implements Recomputation {
  readonly startedAt = new Date().toISOString();
  recomputed = 0;
  backfilled = 0;
  nanos = 0n;
  stillUnpriced = 0;
  afterId: string | null = null;
  afterDay: string | null = null;

  constructor(
    readonly id: string,
    readonly filter: UnpricedFilter,
    readonly actor: AdminActor,
  ) {}

  add({ recomputed, nanos, stillUnpriced }: Recomputed): void {
    this.recomputed += recomputed;
    this.nanos += nanos;
    this.stillUnpriced += stillUnpriced;
  }
}
