import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Expose } from 'class-transformer';
import { IsString } from 'class-validator';
import { listedProviders } from '../../costs/price-terms.js';
import type { UnpricedFilter } from '../../costs/unpriced-usage.js';
import { USAGE_KIND_NAMES } from '../../costs/usage-kinds.data.js';
import {
  AFTER_FIELDS,
  ApiField,
  CanBeAbsent,
  Compared,
  HasLength,
  IsStorable,
  IsTimestamp,
} from '../../platform/validation/input.decorators.js';
import { QueryText, QueryTimestamp } from '../../platform/validation/query-fields.js';
import { parseTimestamp } from '../../platform/validation/timestamp.js';
import { PageRequest } from '../page.dto.js';
import {
  FACTORS_MAX,
  IMAGES_MAX,
  IMPORTED_MAX,
  MODEL_CHARACTERS_MAX,
  NOTE_CHARACTERS_MAX,
  TIERS_MAX,
  WORD_CHARACTERS_MAX,
} from './price-input.rules.js';

const TEXT = { min: 1, max: MODEL_CHARACTERS_MAX } as const;
const WORD = { type: String, nullable: true, minLength: 1, maxLength: WORD_CHARACTERS_MAX } as const;
const TIME = { type: 'string', format: 'date-time', example: '2026-08-01T00:00:00Z' } as const;

export class ListPricesRequest extends PageRequest {
  @QueryText({
    ...TEXT,
    description: 'Only prices that can apply to this model ID: of the ID, its pattern, or its snapshot.',
  })
  model?: string;

  @QueryText({ ...TEXT, description: 'Only prices of this upstream, or with `*` those of all upstreams.' })
  provider?: string;
}

/** Reported after other parameters, because it is the only required one in a query. */
const MODEL_RULE = { ...AFTER_FIELDS, message: `text of 1 to ${MODEL_CHARACTERS_MAX} characters` } as const;

export class LookUpPriceRequest {
  @Expose()
  @IsString(MODEL_RULE)
  @HasLength(1, MODEL_CHARACTERS_MAX, MODEL_RULE)
  @ApiProperty({ minLength: 1, maxLength: MODEL_CHARACTERS_MAX, example: 'gpt-4o-mini', description: 'Model ID.' })
  model: string;

  @QueryText({ ...TEXT, description: 'Name of an upstream. Required with several upstreams.' })
  provider?: string;

  @QueryTimestamp({ description: 'Time of the request. Default: now.' })
  at?: number;
}

export const lookupOf = ({ model, provider, at }: LookUpPriceRequest) => ({
  model,
  provider: provider ?? null,
  atMs: at ?? null,
});

const PRICE_PATTERN = '^(0|[1-9]\\d{0,8})(\\.\\d{1,6})?$';

/** Dollars per million units, by kind. */
export const PRICES_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    USAGE_KIND_NAMES.map((kind) => [kind, { type: 'string' as const, pattern: PRICE_PATTERN }]),
  ),
  example: { input: '2.50', cached_input: '1.25', output: '10' },
  description:
    'Dollars per million units: tokens, characters, images, searches and other calls. `audio_seconds`: dollars per 1,000 hours.',
} as const;

class PriceTierRequest {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    example: 200_000,
    description: 'The tier applies above this number of input tokens.',
  })
  above: number;

  @ApiProperty({
    ...PRICES_SCHEMA,
    description: 'Prices of the whole request. Kinds that are absent keep their price.',
  })
  prices: Record<string, string>;
}

class ImagePriceRequest {
  @ApiPropertyOptional({ ...WORD, example: '1024x1024', description: 'null: every size.' })
  size?: string | null;

  @ApiPropertyOptional({ ...WORD, example: 'hd', description: 'null: every quality.' })
  quality?: string | null;

  @ApiProperty({ pattern: PRICE_PATTERN, example: '40000', description: 'Dollars per million images.' })
  price: string;
}

class PriceFactorRequest {
  @ApiPropertyOptional({
    ...WORD,
    example: 'flex',
    description: 'Service tier in the response. Either this or `region`.',
  })
  service_tier?: string | null;

  @ApiPropertyOptional({
    ...WORD,
    example: 'us',
    description: 'Region in the response. `*`: every region except `global`.',
  })
  region?: string | null;

  @ApiProperty({ pattern: PRICE_PATTERN, example: '0.5', description: 'Multiplies the prices of tokens.' })
  multiplier: string;
}

export class CreatePriceRequest {
  @ApiPropertyOptional({ type: String, default: '*', description: 'Name of an upstream, or `*` for all upstreams.' })
  provider?: string;

  @ApiProperty({
    minLength: 1,
    maxLength: MODEL_CHARACTERS_MAX,
    example: 'gpt-4o-mini',
    description: 'Model ID, or a pattern with `*`.',
  })
  model: string;

  @ApiPropertyOptional({
    ...TIME,
    nullable: true,
    description: 'Default: now. A time in the past changes only requests without a cost.',
  })
  valid_from?: string | null;

  @ApiPropertyOptional({ ...TIME, nullable: true, description: 'Exclusive. null: no end.' })
  valid_to?: string | null;

  @ApiPropertyOptional({ type: String, enum: ['USD'], default: 'USD' })
  currency?: string;

  @ApiPropertyOptional(PRICES_SCHEMA)
  prices?: Record<string, string>;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    enum: listedProviders(),
    description: "Instead of prices: those of this provider in the published list, or of each model's maker.",
  })
  list?: string | null;

  @ApiPropertyOptional({ type: [PriceTierRequest], nullable: true, maxItems: TIERS_MAX })
  tiers?: PriceTierRequest[] | null;

  @ApiPropertyOptional({ type: [ImagePriceRequest], nullable: true, maxItems: IMAGES_MAX })
  images?: ImagePriceRequest[] | null;

  @ApiPropertyOptional({ type: [PriceFactorRequest], nullable: true, maxItems: FACTORS_MAX })
  factors?: PriceFactorRequest[] | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: '^\\d{2}:\\d{2}-\\d{2}:\\d{2}$',
    example: '16:30-00:30',
    description: 'Hours of the day in UTC at which the price applies. The end is exclusive. null: the whole day.',
  })
  hours?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: NOTE_CHARACTERS_MAX })
  note?: string | null;
}

export class ImportPricesRequest {
  @ApiProperty({ type: [CreatePriceRequest], minItems: 1, maxItems: IMPORTED_MAX })
  prices: CreatePriceRequest[];
}

const FilterText = (description: string): PropertyDecorator =>
  applyDecorators(
    CanBeAbsent(),
    IsString(),
    HasLength(1, MODEL_CHARACTERS_MAX),
    IsStorable(),
    // Last, because it reads the other rules.
    ApiField({ description }),
  );

export class RecomputeRequest {
  @FilterText('Only requests that this model served, or that requested it. Default: all.')
  model?: string;

  @FilterText('Only requests to this upstream. Default: all.')
  provider?: string;

  @ApiField({ description: 'Earliest start of a request.' })
  @Compared<RecomputeRequest>(
    ({ since, until }) => (parseTimestamp(since ?? '') ?? -Infinity) <= (parseTimestamp(until ?? '') ?? Infinity),
    `a time that is not after 'until'`,
  )
  @IsTimestamp()
  @CanBeAbsent()
  since?: string;

  @ApiField({ description: 'Latest start of a request.' })
  @IsTimestamp()
  @CanBeAbsent()
  until?: string;
}

export const recomputeFilterOf = ({ model, provider, since, until }: RecomputeRequest): UnpricedFilter => ({
  model: model ?? null,
  provider: provider ?? null,
  sinceMs: parseTimestamp(since ?? ''),
  untilMs: parseTimestamp(until ?? ''),
});
