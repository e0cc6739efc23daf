import { Injectable } from '@nestjs/common';
import { AppliedPrices, type AppliedPrice } from './applied-price.service.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config/config.js';
import { invalidInput, notFound, validationError } from '../platform/errors/error-factories.js';
import { listNames } from '../platform/validation/scalar-kinds.js';
import { accountsOf, type Account } from './upstream-accounts.rules.js';
import { OperatorPrices } from './operator-prices.service.js';
import type { OperatorPrice } from './price-terms.js';
import { publishedFactors } from './pricing/request-cost.rules.js';
import { priceListVersion } from './pricing/price-list.js';
import type { PriceFactor, PriceRow } from './pricing/price-row.js';

interface Lookup {
  readonly model: string;
  /** The name of an upstream. Null with several upstreams is an error. */
  readonly provider: string | null;
  /** Null for the current time. */
  readonly atMs: number | null;
}

export interface LookedUpPrice {
  readonly model: string;
  readonly provider: string;
  readonly atMs: number;
  readonly row: PriceRow;
  readonly factors: readonly PriceFactor[];
  readonly region: string | null;
  readonly operatorPrice: OperatorPrice | null;
  readonly list: {
    readonly version: string;
    readonly date: string;
    readonly provider: string;
    readonly model: string;
  } | null;
  /** A sentence that explains the price to operators. */
  readonly reason: string;
}

/** Shows which price applies to a model, and why. */
@Injectable()
export class PriceExplanation {
  constructor(
    private readonly appliedPrices: AppliedPrices,
    private readonly prices: OperatorPrices,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws GatewayError `validation_error` for an unknown upstream, `not_found` without a price */
  find({ model, provider: given, atMs: at }: Lookup): LookedUpPrice {
    const { name: provider, baseUrl } = this.accountOf(given);
    const atMs = at ?? this.clock.now();
    const applied = this.appliedPrices.priceOf({ provider, baseUrl, models: [model], atMs });
    if (applied === null)
      throw notFound(
        `This model has no price at upstream '${provider}' at this time. Add one with POST /admin/prices.`,
      );
    const { row, region, listed, operatorPriceId } = applied;
    const operatorPrice = operatorPriceId === null ? null : (this.prices.of(operatorPriceId) ?? null);
    const { version, date } = priceListVersion();
    return {
      model,
      provider,
      atMs,
      row,
      region,
      operatorPrice,
      factors: row.factors ?? publishedFactors(row),
      list: listed === null ? null : { version, date, provider: listed.row.provider, model: listed.row.model },
      reason: reasonOf(applied, operatorPrice, baseUrl.hostname),
    };
  }

  private accountOf(given: string | null): Account {
    const accounts = accountsOf(this.config);
    const names = listNames(accounts.map(({ name }) => name));
    if (given === null) {
      if (this.config.upstreams === null || accounts.length === 1) return accounts[0]!;
      throw validationError('provider', `With several upstreams, 'provider' is required: ${names}.`);
    }
    const account = accounts.find(({ name }) => name === given);
    if (account === undefined) throw invalidInput('provider', names);
    return account;
  }
}

function reasonOf({ listed, row }: AppliedPrice, operatorPrice: OperatorPrice | null, host: string): string {
  const inList = `the price of "${row.model}" at "${row.provider}" in the published list`;
  if (operatorPrice !== null) {
    const { provider, model, terms } = operatorPrice;
    const place = provider === '*' ? 'all upstreams' : `upstream "${provider}"`;
    const reference = terms.list === undefined ? '' : ` It refers to ${inList}.`;
    return `An operator set the price of "${model}" for ${place}.${reference}`;
  }
  if (listed?.foundBy === 'maker') return `The host ${host} is this machine, so ${inList} applies.`;
  return `No operator set a price. The host ${host} belongs to "${row.provider}", so ${inList} applies.`;
}
