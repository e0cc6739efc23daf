import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { OperatorPrices } from '../operator-prices.service.js';
import { RequestCosts } from '../request-costs.service.js';
import { accountsOf, type Account } from './accounts.rules.js';
import { dayCost, type DayCost, type DayUsage } from './backfill-cost.rules.js';

const NOON_MS = 12 * 3_600_000;

/** Prices of past days. Their usage does not name an account, so the first configured account with a price counts. */
@Injectable()
export class BackfillPrices {
  private readonly accounts: readonly Account[];

  constructor(
    config: Config,
    private readonly operatorPrices: OperatorPrices,
    private readonly requestCosts: RequestCosts,
  ) {
    this.accounts = accountsOf(config);
  }

  /** Resolves when the prices of operators have been read. Never rejects. */
  get whenKnown(): Promise<void> {
    return this.operatorPrices.whenKnown;
  }

  /** @param day such as `2026-07-31` */
  costOf(usage: DayUsage, day: string): DayCost {
    const atMs = Date.parse(day) + NOON_MS;
    const models = usage.model === '' ? [] : [usage.model];
    for (const { name: provider, baseUrl } of this.accounts) {
      const price = this.requestCosts.priceOf({ provider, baseUrl, models, atMs });
      if (price !== null) return dayCost(usage, price);
    }
    return dayCost(usage, null);
  }
}
