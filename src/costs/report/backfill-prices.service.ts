import { Injectable } from '@nestjs/common';
import { AppliedPrices, type AppliedPrice } from '../applied-price.service.js';
import { Config } from '../../platform/config/config.js';
import { accountsOf, type Account } from '../upstream-accounts.rules.js';
import { OperatorPrices } from '../operator-prices.service.js';
import { dayCost, type DayCost, type DayUsage } from './backfill-cost.rules.js';

/** The prices of a day are those of its noon. */
export const NOON_MS = 12 * 3_600_000;

/** Prices of past days. Their usage does not name an account, so the first configured account with a price counts. */
@Injectable()
export class BackfillPrices {
  private readonly accounts: readonly Account[];

  constructor(
    config: Config,
    private readonly operatorPrices: OperatorPrices,
    private readonly appliedPrices: AppliedPrices,
  ) {
    this.accounts = accountsOf(config);
  }

  /** Resolves when the prices of operators have been read. Never rejects. */
  get whenKnown(): Promise<void> {
    return this.operatorPrices.whenKnown;
  }

  /** @param day such as `2026-07-31` */
  costOf(usage: DayUsage, day: string): DayCost {
    return dayCost(usage, this.priceOf(usage.model, day)?.price ?? null);
  }

  /**
   * The price at noon, and the name of its account. Null if there is no price.
   * @param model empty for none
   */
  priceOf(model: string, day: string): { readonly provider: string; readonly price: AppliedPrice } | null {
    const atMs = Date.parse(day) + NOON_MS;
    const models = model === '' ? [] : [model];
    for (const { name: provider, baseUrl } of this.accounts) {
      const price = this.appliedPrices.priceOf({ provider, baseUrl, models, atMs });
      if (price !== null) return { provider, price };
    }
    return null;
  }
}
