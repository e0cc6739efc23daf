import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { type Transaction, Transactions } from '../platform/database/transactions.js';
import { serviceUnavailable } from '../platform/errors/error-factories.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import { OperatorPrices } from './operator-prices.service.js';
import { formatNanos } from './pricing/price-text.rules.js';
import { RecomputeBackfilledDays } from './recompute-backfilled-days.service.js';
import { RecomputeUnpricedRequests } from './recompute-unpriced-requests.service.js';
import type { Recomputed, UnpricedFilter } from './unpriced-usage.js';

export interface Recomputation extends Recomputed {
  /** Those of `recomputed` that are from days before costs were recorded. */
  readonly backfilled: number;
}

/**
 * Prices past usage that had no complete price: first requests, then the days before costs were recorded. About 500 requests, or a day,
 * are one transaction with its part of the audit row. An interrupted run therefore counts nothing twice, and the next run continues.
 */
@Injectable()
export class RecomputeCosts {
  constructor(
    private readonly requests: RecomputeUnpricedRequests,
    private readonly days: RecomputeBackfilledDays,
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
