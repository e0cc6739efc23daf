import { Injectable } from '@nestjs/common';
import { priceListVersion } from './pricing/price-list.js';
import type { RecordedModel, RecordedVersion } from './pricing/published-prices.js';
import { ListedPriceStore, type ListedPriceFilter } from './stores/listed-price.store.js';

interface Query extends Omit<ListedPriceFilter, 'version'> {
  /** Null for the price list of this release. */
  readonly version: string | null;
  readonly limit: number;
  readonly offset: number;
}

export interface PublishedPage {
  readonly version: string;
  readonly versions: readonly RecordedVersion[];
  readonly total: number;
  readonly models: readonly RecordedModel[];
}

/** Reads published prices of this release and of earlier ones. `PriceListRecord` stores them when a release starts. */
@Injectable()
export class PriceListEditions {
  constructor(private readonly store: ListedPriceStore) {}

  async list({ version: given, provider, model, limit, offset }: Query): Promise<PublishedPage> {
    const version = given ?? priceListVersion().version;
    const versions = await this.store.versions();
    return { version, versions, ...(await this.store.page({ version, provider, model }, { limit, offset })) };
  }
}
