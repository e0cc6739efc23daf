import { Injectable } from '@nestjs/common';
import { priceListVersion } from './pricing/price-list.js';
import { publishedEdition, type RecordedModel, type RecordedVersion } from './pricing/published-models.js';
import { ListedPriceStore, type ListedPriceFilter } from './stores/listed-price.store.js';

interface Query extends Omit<ListedPriceFilter, 'version'> {
  /** Null: that of this release. */
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

/** Reads published prices of this release and of earlier ones. */
@Injectable()
export class PriceListEditions {
  constructor(private readonly store: ListedPriceStore) {}

  async list({ version: given, provider, model, limit, offset }: Query): Promise<PublishedPage> {
    const version = given ?? priceListVersion().version;
    let versions = await this.store.versions();
    if (given === null && !versions.some((recorded) => recorded.version === version)) {
      // The background task has not run yet, for example on the command line.
      await this.store.add(publishedEdition());
      versions = await this.store.versions();
    }
    return { version, versions, ...(await this.store.page({ version, provider, model }, { limit, offset })) };
  }
}
