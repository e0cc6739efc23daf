import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/config.js';
import { accountNames } from '../../costs/upstream-accounts.rules.js';
import { OperatorPrices } from '../../costs/operator-prices.service.js';
import { mayApplyTo } from '../../costs/operator-price-index.js';
import { stateOf } from '../../costs/operator-price-periods.rules.js';
import type { GivenPrice } from '../../costs/price-terms.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { pageOf } from '../page.dto.js';
import { pathOfImported, readImport, readPrice } from './price-input.js';
import type { ListPricesRequest } from './price-query.request.dto.js';
import type { PriceContext } from './price-checks.rules.js';
import { PriceResponse, type ImportedPricesResponse, type PriceListResponse } from './price.response.dto.js';

/** Reads and adds operators' prices for the Admin API and the command line. */
@Injectable()
export class AdminPrices {
  constructor(
    private readonly prices: OperatorPrices,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async list({ model, provider, limit, offset }: ListPricesRequest): Promise<PriceListResponse> {
    const all = await this.prices.list();
    const matching = all.filter(
      (price) =>
        (model === undefined || mayApplyTo(price, model)) && (provider === undefined || price.provider === provider),
    );
    const shown = matching.slice(offset, offset + limit);
    const nowMs = this.clock.now();
    const prices = shown.map((price) => PriceResponse.of(price, stateOf(price, all, nowMs)));
    return { ...pageOf(matching.length, offset, shown.length), prices };
  }

  /** @throws GatewayError `validation_error` */
  async create(body: unknown, actor: AdminActor): Promise<PriceResponse> {
    const { prices } = await this.add([readPrice(body, '', this.context())], actor, () => '');
    return prices[0]!;
  }

  /** All prices, or none. @throws GatewayError `validation_error` that names the first invalid price */
  async import(body: unknown, actor: AdminActor): Promise<ImportedPricesResponse> {
    return this.add(await readImport(body, this.context()), actor, pathOfImported);
  }

  /** The number of prices that `import` would set. @throws GatewayError as `import` does, except for conflicts with stored prices */
  async check(body: unknown): Promise<number> {
    return (await readImport(body, this.context())).length;
  }

  private async add(given: readonly GivenPrice[], actor: AdminActor, pathOf: (at: number) => string) {
    const added = await this.prices.add(given, actor, pathOf);
    const nowMs = this.clock.now();
    const all = [...this.prices.all.values(), ...added];
    return { prices: added.map((price) => PriceResponse.of(price, stateOf(price, all, nowMs))) };
  }

  private context(): PriceContext {
    return { upstreams: accountNames(this.config), nowMs: this.clock.now() };
  }
}
