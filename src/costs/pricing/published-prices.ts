import { createHash } from 'node:crypto';
import { publishedFactors } from './request-cost.rules.js';
import { EXTRA_PRICES } from './extra-prices.data.js';
import { priceListVersion, publishedProviders } from './price-list.js';
import { rowsOf, withExtraPrices, type ListedModel } from './price-list-rows.js';
import type { PriceFactor } from './price-row.js';

/** The published prices of one model at one provider, as this release applies them. */
interface PublishedModel {
  readonly provider: string;
  readonly model: string;
  readonly terms: PublishedTerms;
}

export interface PublishedTerms extends Omit<ListedModel, 'id'> {
  /** Factors on the prices of tokens. */
  readonly factors?: readonly PriceFactor[];
}

export interface PublishedEdition {
  /** A hash of all models. It changes if a release adds prices or factors to the same version of the list. */
  readonly edition: string;
  readonly version: string;
  /** Such as `2026-07-31`. */
  readonly date: string;
  readonly models: readonly PublishedModel[];
}

/** A version of the price list that a release on this database has or had. */
export interface RecordedVersion {
  readonly version: string;
  /** Such as `2026-07-31`. */
  readonly date: string;
  /** When the first of its editions was recorded. */
  readonly recordedAt: Date;
}

export interface RecordedModel extends PublishedModel {
  readonly recordedAt: Date;
}

/** All published prices of this release, with those that it adds to the list. It takes some milliseconds. */
export function publishedEdition(): PublishedEdition {
  const { version, date } = priceListVersion();
  const models = publishedProviders().flatMap((listed) =>
    withExtraPrices(listed, EXTRA_PRICES).models.map((model) => publishedModel(listed.id, model)),
  );
  const edition = createHash('sha256')
    .update(JSON.stringify([version, models]))
    .digest('hex');
  return { edition, version, date, models };
}

function publishedModel(provider: string, listed: ListedModel): PublishedModel {
  const { id, ...terms } = listed;
  const [row] = rowsOf(provider, listed);
  const factors = row === undefined ? [] : publishedFactors(row).map(publishedFactor);
  return { provider, model: id, terms: { ...terms, ...(factors.length > 0 && { factors }) } };
}

const publishedFactor = ({ serviceTier, region, numerator, denominator }: PriceFactor): PriceFactor => ({
  ...(serviceTier !== undefined && { serviceTier }),
  ...(region !== undefined && { region }),
  numerator,
  denominator,
});
