import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transactions.js';
import { costRecordOf } from './cost-record.rules.js';
import { RequestCosts, type PricedUsage } from './request-costs.service.js';
import {
  UnpricedStore,
  type RecomputedRequest,
  type SettledBatch,
  type UnpricedBatch,
  type UnpricedFilter,
} from './stores/unpriced.store.js';
import { UnpricedRequests, type UnpricedRequest } from './unpriced-usage.js';

/** The locks on rows of the recorder last for one transaction, about 20 ms. It can have up to twice as many requests. */
const REQUESTS_PER_TRANSACTION = 500;

export interface RecomputedRequests {
  /** Identifies the last batch. */
  readonly id: string;
  readonly recomputed: number;
  /** Nano-dollars by which the totals have changed. */
  readonly nanos: bigint;
  readonly stillUnpriced: number;
}

/** Requests share the URL of their upstream, by which the price list caches its host. */
export class UpstreamUrls {
  private readonly urls = new Map<string, URL | null>();

  of(text: string | null): URL | null {
    if (text === null) return null;
    let url = this.urls.get(text);
    if (url === undefined) this.urls.set(text, (url = URL.parse(text)));
    return url;
  }
}

export interface Recomputing {
  readonly filter: UnpricedFilter;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly urls: UpstreamUrls;
}

/** Prices recorded requests without a complete price, with the prices that apply to their own time. */
@Injectable()
export class RecomputeRequests {
  constructor(
    private readonly store: UnpricedStore,
    private readonly costs: RequestCosts,
  ) {}

  /** Prices about 500 requests that match the filter. Returns null after the last ones. @param after null at the start */
  async next(transaction: Transaction, run: Recomputing, after: string | null): Promise<RecomputedRequests | null> {
    const batches = await this.store.take(transaction, run.filter, after, REQUESTS_PER_TRANSACTION);
    const last = batches.at(-1);
    if (last === undefined) return null;
    const settled = batches.map((batch) => this.settled(batch, run)).filter(({ priced }) => priced.length > 0);
    if (settled.length > 0) await this.store.settle(transaction, settled);
    const found = batches.flatMap(({ requests }) => requests.filter((request) => covers(run.filter, request)));
    const priced = settled.flatMap((batch) => batch.priced);
    return {
      ...{ id: last.id, recomputed: priced.length, stillUnpriced: found.length - priced.length },
      nanos: priced.reduce((sum, { request, nanos }) => sum + nanos - (request.nanos ?? 0n), 0n),
    };
  }

  private settled(batch: UnpricedBatch, run: Recomputing): SettledBatch {
    const priced: RecomputedRequest[] = [];
    const rest = new UnpricedRequests();
    for (const request of batch.requests) {
      const usage = this.price(request, batch, run);
      const { nanos, unpriced, unpricedPart, kinds } = usage;
      if (!covers(run.filter, request) || nanos === null || unpriced)
        rest.add(request, unpricedPart?.units ?? kinds.units);
      else priced.push({ request, nanos, cost: recordOf(request, usage, batch, run) });
    }
    return { batch, priced, rest: rest.all()[0] ?? null };
  }

  private price(request: UnpricedRequest, batch: UnpricedBatch, run: Recomputing): PricedUsage {
    const { provider, models, baseUrl } = batch;
    const { atMs, usage, details } = request;
    return this.costs.of({ provider, models, atMs, baseUrl: run.urls.of(baseUrl), usage, details });
  }
}

function recordOf(
  { usage: { provenance } }: UnpricedRequest,
  priced: PricedUsage,
  { provider }: UnpricedBatch,
  { startedAt }: Recomputing,
): object {
  const estimated = provenance === 'estimated' || provenance === 'partial';
  return costRecordOf(priced, { provider, estimated, recomputedAt: startedAt });
}

/** Batches match the other conditions of the filter as a whole. */
const covers = ({ sinceMs, untilMs }: UnpricedFilter, { atMs }: UnpricedRequest): boolean =>
  (sinceMs === null || atMs >= sinceMs) && (untilMs === null || atMs <= untilMs);
