import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { serviceUnavailable } from '../errors/error-catalog.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { costRecordOf } from './cost-record.rules.js';
import { OperatorPrices } from './operator-prices.service.js';
import { formatNanos } from './pricing/price-text.rules.js';
import { RequestCosts } from './request-costs.service.js';
import {
  UnpricedStore,
  type RecomputedRequest,
  type UnpricedFilter,
  type UnpricedRequest,
} from './stores/unpriced.store.js';

export type { UnpricedFilter } from './stores/unpriced.store.js';

/** The locks on rows of the recorder last for one batch, some 20 ms. */
const BATCH_SIZE = 500;

export interface Recomputation {
  readonly recomputed: number;
  /** Nano-dollars by which the totals have changed. Negative if a price has become lower than an earlier part of the cost. */
  readonly nanos: bigint;
  /** Requests that match the filter and still have no complete price. */
  readonly stillUnpriced: number;
}

/**
 * Prices past requests that had no complete price, with the prices that apply to their own time. Each batch is one transaction
 * with its part of the audit row. So an interrupted run counts nothing twice, and the next run continues.
 */
@Injectable()
export class RecomputeCosts {
  constructor(
    private readonly store: UnpricedStore,
    private readonly costs: RequestCosts,
    private readonly prices: OperatorPrices,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /** @throws GatewayError `service_unavailable` if the operators' prices cannot be read */
  async run(filter: UnpricedFilter, actor: AdminActor): Promise<Recomputation> {
    await this.prices.refresh();
    if (!this.prices.known) throw serviceUnavailable();
    const run = new Run(randomUUID(), filter, actor);
    while (await this.transactions.run((transaction) => this.batch(transaction, run)));
    return run;
  }

  /** Returns false after the last batch. A rolled back batch leaves the run as it was, because its error ends the run. */
  private async batch(transaction: Transaction, run: Run): Promise<boolean> {
    await this.store.lock(transaction);
    const requests = await this.store.take(transaction, run.filter, run.afterId, BATCH_SIZE);
    const settled = requests.map((request) => this.price(request, run)).filter((each) => each !== null);
    const isFirst = run.recomputed === 0;
    run.count(requests, settled);
    if (settled.length > 0) {
      await this.store.settle(transaction, settled);
      await this.writeAudit(transaction, run, isFirst);
    }
    return requests.length === BATCH_SIZE;
  }

  private price(request: UnpricedRequest, run: Run): RecomputedRequest | null {
    const { provider, at, baseUrl, report } = request;
    const { usage, details, models } = report;
    const query = { provider, models, atMs: at.getTime(), baseUrl: run.urlOf(baseUrl) };
    const priced = this.costs.of({ ...query, usage, details });
    if (priced.nanos === null || priced.unpriced) return null;
    const estimated = usage.provenance === 'estimated' || usage.provenance === 'partial';
    const cost = costRecordOf(priced, { provider, estimated, recomputedAt: run.startedAt });
    return { request, nanos: priced.nanos, cost };
  }

  private async writeAudit(transaction: Transaction, run: Run, isFirst: boolean): Promise<void> {
    const figures = { recomputed: run.recomputed, amount: formatNanos(run.nanos), currency: 'USD' };
    if (!isFirst) return this.store.updateAudit(transaction, run.id, figures);
    await this.audit.write(transaction, {
      ...{ action: 'costs.recomputed', actor: run.actor, targetType: 'costs', targetId: run.id },
      metadata: { ...filterMetadata(run.filter), ...figures },
    });
  }
}

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
  nanos = 0n;
  stillUnpriced = 0;
  afterId: string | null = null;
  /** Requests share the URL of their upstream, by which the price list caches its host. */
  private readonly urls = new Map<string, URL | null>();

  constructor(
    readonly id: string,
    readonly filter: UnpricedFilter,
    readonly actor: AdminActor,
  ) {}

  count(requests: readonly UnpricedRequest[], settled: readonly RecomputedRequest[]): void {
    this.afterId = requests.at(-1)?.id ?? this.afterId;
    this.recomputed += settled.length;
    this.stillUnpriced += requests.length - settled.length;
    for (const { request, nanos } of settled) this.nanos += nanos - BigInt(request.nanos ?? 0);
  }

  urlOf(text: string | null): URL | null {
    if (text === null) return null;
    let url = this.urls.get(text);
    if (url === undefined) this.urls.set(text, (url = URL.parse(text)));
    return url;
  }
}
