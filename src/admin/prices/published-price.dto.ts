import { ApiProperty } from '@nestjs/swagger';
import { formatHours } from '../../costs/pricing/price-row.js';
import type { PublishedTerms, RecordedModel, RecordedVersion } from '../../costs/pricing/published-prices.js';
import type { PublishedPage } from '../../costs/price-list-editions.service.js';
import { QueryText } from '../../platform/validation/query-fields.js';
import { Page, PageRequest, pageOf } from '../page.dto.js';
import {
  factorsOf,
  ImagePriceResponse,
  imagesOf,
  PriceFactorResponse,
  PriceTierResponse,
  pricesOf,
} from './price.response.dto.js';
import { PRICES_SCHEMA } from './price-checks.rules.js';
import { TIME } from '../fields.data.js';

const TEXT_MAX = 200;

export class PublishedPricesRequest extends PageRequest {
  @QueryText({
    min: 1,
    max: TEXT_MAX,
    description: 'Version of the list, such as `0.1.8`. Default: that of this release.',
  })
  version?: string;

  @QueryText({ min: 1, max: TEXT_MAX, description: 'Only prices of this provider of the list, such as `openai`.' })
  provider?: string;

  @QueryText({ min: 1, max: TEXT_MAX, description: 'Only prices of this model, as the list names it.' })
  model?: string;
}

export const publishedQueryOf = ({ version, provider, model, limit, offset }: PublishedPricesRequest) => ({
  version: version ?? null,
  provider: provider ?? null,
  model: model ?? null,
  limit,
  offset,
});

class PublishedVersionResponse {
  @ApiProperty({ example: '0.1.8', description: 'Version of @pydantic/genai-prices.' })
  version: string;

  @ApiProperty({ format: 'date', example: '2026-09-23' })
  date: string;

  @ApiProperty({ ...TIME, description: 'When a release with this version first ran on this database.' })
  recorded_at: Date;

  static of({ version, date, recordedAt }: RecordedVersion): PublishedVersionResponse {
    return { version, date, recorded_at: recordedAt };
  }
}

class PublishedPeriodResponse {
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    example: null,
    description: 'First day (UTC), or null.',
  })
  valid_from: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'Hours of the day in UTC, or null for all.',
  })
  hours: string | null;

  @ApiProperty(PRICES_SCHEMA)
  prices: Record<string, string>;

  @ApiProperty({ type: [PriceTierResponse] })
  tiers: PriceTierResponse[];

  @ApiProperty({ type: [ImagePriceResponse] })
  images: ImagePriceResponse[];

  static of({ from, hours, prices, tiers = [], images = [] }: PublishedTerms['rows'][number]): PublishedPeriodResponse {
    return {
      valid_from: from ?? null,
      hours: hours === undefined ? null : formatHours({ start: hours[0], end: hours[1] }),
      prices: pricesOf(prices),
      // The list states only what differs from the first tier.
      tiers: tiers.map(([above, changed]) => ({ above, prices: pricesOf({ ...prices, ...changed }) })),
      images: imagesOf(images),
    };
  }
}

class PublishedPriceRow {
  @ApiProperty({ example: 'openai' })
  provider: string;

  @ApiProperty({ example: 'gpt-4o-mini' })
  model: string;

  @ApiProperty({ type: [PublishedPeriodResponse], description: 'The last one that applies at a time is used.' })
  periods: PublishedPeriodResponse[];

  @ApiProperty({ type: [PriceFactorResponse] })
  factors: PriceFactorResponse[];

  @ApiProperty({
    ...TIME,
    description:
      'When it was first recorded. A model is listed again if a release has added prices to the same version.',
  })
  recorded_at: Date;

  static of({ provider, model, terms, recordedAt }: RecordedModel): PublishedPriceRow {
    return {
      provider,
      model,
      periods: terms.rows.map((row) => PublishedPeriodResponse.of(row)),
      factors: factorsOf(terms.factors ?? []),
      recorded_at: recordedAt,
    };
  }
}

export class PublishedPricesResponse extends Page {
  @ApiProperty({ example: '0.1.8' })
  version: string;

  @ApiProperty({ type: [PublishedVersionResponse], description: 'All recorded versions, the newest first.' })
  versions: PublishedVersionResponse[];

  @ApiProperty({ type: [PublishedPriceRow] })
  prices: PublishedPriceRow[];

  static of({ version, versions, total, models }: PublishedPage, offset: number): PublishedPricesResponse {
    return {
      ...pageOf(total, offset, models.length),
      version,
      versions: versions.map((recorded) => PublishedVersionResponse.of(recorded)),
      prices: models.map((model) => PublishedPriceRow.of(model)),
    };
  }
}
