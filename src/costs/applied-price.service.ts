import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { isLoopback } from '../platform/egress/egress-proxy.js';
import { OperatorPrices } from './operator-prices.service.js';
import { findPrice, type FoundPrice } from './pricing/price-list.js';
import type { PriceRow } from './pricing/price-row.js';

/** The facts that decide which price applies. */
export interface PriceQuery {
  /** The name of the upstream. */
  readonly provider: string;
  readonly baseUrl: URL | null;
  /** Distinct names of the model: of the response, as sent, and as requested. The first one with a price counts. */
  readonly models: readonly string[];
  readonly atMs: number;
}

/** A price that applies, and why. */
export interface AppliedPrice {
  readonly row: PriceRow;
  /** The region that the base URL implies, if it changes the price. */
  readonly region: string | null;
  /** Null for a published price. */
  readonly operatorPriceId: string | null;
  /** The published price, even if an operator's price that refers to it applies. */
  readonly listed: FoundPrice | null;
}

/** Chooses the price of a request. Operators' prices replace published ones. */
@Injectable()
export class AppliedPrices {
  private readonly sandboxes = new WeakMap<URL, boolean>();

  constructor(
    private readonly operatorPrices: OperatorPrices,
    private readonly config: Config,
  ) {}

  /** Returns null without a price. The request is then unpriced, not free. */
  priceOf(query: PriceQuery): AppliedPrice | null {
    return this.operatorPriceOf(query) ?? this.listedPriceOf(query);
  }

  private operatorPriceOf(query: PriceQuery): AppliedPrice | null {
    if (this.operatorPrices.isEmpty) return null;
    const { provider, models, atMs } = query;
    for (const model of models) {
      const found = this.operatorPrices.find({ provider, model, atMs });
      if (found === null || isAnotherModel(model, query)) continue;
      return { row: found.row, region: null, operatorPriceId: found.id, listed: found.listed };
    }
    return null;
  }

  private listedPriceOf({ baseUrl, models, atMs }: PriceQuery): AppliedPrice | null {
    if (baseUrl === null) return null;
    for (const model of models) {
      const listed = findPrice({ model, atMs, baseUrl });
      if (listed === null || (listed.foundBy === 'maker' && !this.isSandbox(baseUrl))) continue;
      return { row: listed.row, region: listed.region, operatorPriceId: null, listed };
    }
    return null;
  }

  /**
   * Models on a host that is not in the published list get no published price, because the host can be the operator's own
   * server. The exception is a provider on this machine outside production: it is the sandbox or a test, and gets the makers' prices.
   */
  private isSandbox(baseUrl: URL): boolean {
    if (this.config.production) return false;
    let isSandbox = this.sandboxes.get(baseUrl);
    if (isSandbox === undefined) this.sandboxes.set(baseUrl, (isSandbox = isLoopback(baseUrl.hostname)));
    return isSandbox;
  }
}

/**
 * Whether the provider served a model other than `model`, as routers do with fallbacks. Both names are then in the published list, with
 * different prices. A deployment or alias is not in that list.
 */
function isAnotherModel(model: string, { models, baseUrl, atMs }: PriceQuery): boolean {
  const [responding] = models;
  if (responding === undefined || responding === model) return false;
  const place = { atMs, ...(baseUrl !== null && { baseUrl }) };
  const [served, named] = [findPrice({ ...place, model: responding }), findPrice({ ...place, model })];
  return served !== null && named !== null && served.row.model !== named.row.model;
}
