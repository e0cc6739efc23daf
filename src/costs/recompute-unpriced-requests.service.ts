import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transactions.js';
import { costRecordOf, isEstimated, RequestCosts, type PricedUsage } from './request-costs.service.js';
import {
  UnpricedStore,
  type RecomputedRequest,
  type SettledBatch,
  type UnpricedBatch,
} from './stores/unpriced.store.js';
import { UnpricedRequests, type Recomputed, type UnpricedFilter, type UnpricedRequest } from './unpriced-usage.js';

/** The locks on rows of the recorder last for one transaction, about 20 ms. It can have up to twice as many requests. */
const REQUESTS_PER_TRANSACTION = 500;

interface RecomputedRequests extends Recomputed {
  /** Identifies the last batch. */
  readonly id: string;
}

interface Run {
  readonly filter: UnpricedFilter;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** Prices recorded requests without a complete price, with the prices that apply to their own time. */
@Injectable()
export class RecomputeUnpricedRequests {
  /** Requests share the URL of their upstream, by which the price list caches its host. */
  private readonly urls = new Map<string, URL | null>();

  constructor(
    private readonly store: UnpricedStore,
    private readonly costs: RequestCosts,
  ) {}

  /** Prices about 500 requests that match the filter. Returns null after the last ones. @param after null at the start */
  async next(transaction: Transaction, run: Run, after: string | null): Promise<RecomputedRequests | null> {
    const batches = await this.store.take(transaction, run.filter, after, REQUESTS_PER_TRANSACTION);
    const last = batches.at(-1);
    if (last === undefined) return null;
    const settled = batches.map((batch) => this.settled(batch, run)).filter(({ priced }) => priced.length > 0);
    if (settled.length > 0) await this.store.settle(transaction, settled);
    const found = batches.flatMap(({ requests }) => requests.filter((request) => covers(run.filter, request)));
    const priced = settled.flatMap((batch) => batch.priced);
    return {
      id: last.id,
      recomputed: priced.length,
      stillUnpriced: found.length - priced.length,
      nanos: priced.reduce((sum, { request, nanos }) => sum + nanos - (request.nanos ?? 0n), 0n),
    };
  }

  private settled(batch: UnpricedBatch, run: Run): SettledBatch {
    const { provider } = batch;
    const priced: RecomputedRequest[] = [];
    const rest = new UnpricedRequests();
    for (const request of batch.requests) {
      const usage = this.price(request, batch);
      const { nanos, unpriced, unpricedPart, kinds } = usage;
      if (!covers(run.filter, request) || nanos === null || unpriced)
        rest.add(request, unpricedPart?.units ?? kinds.units);
      else {
        const given = { provider, estimated: isEstimated(request.usage), recomputedAt: run.startedAt };
        priced.push({ request, nanos, cost: costRecordOf(usage, given) });
      }
    }
    return { batch, priced, rest: rest.all()[0] ?? null };
  }

  private price({ atMs, usage, details }: UnpricedRequest, { provider, models, baseUrl }: UnpricedBatch): PricedUsage {
    return this.costs.of({ provider, models, atMs, baseUrl: this.urlOf(baseUrl), usage, details });
  }

  private urlOf(text: string | null): URL | null {
    if (text === null) return null;
    let url = this.urls.get(text);
    if (url === undefined) this.urls.set(text, (url = URL.parse(text)));
    return url;
  }
}

/** Batches match the other conditions of the filter as a whole. */
const covers = ({ sinceMs, untilMs }: UnpricedFilter, { atMs }: UnpricedRequest): boolean =>
  (sinceMs === null || atMs >= sinceMs) && (untilMs === null || atMs <= untilMs);
