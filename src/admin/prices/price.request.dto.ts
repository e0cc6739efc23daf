import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { listedProviders } from '../../costs/price-terms.js';
import {
  ApiField,
  CanBeAbsent,
  CheckedBy,
  IsNested,
  IsStoredText,
  IsTimestamp,
} from '../../platform/validation/input.decorators.js';
import {
  aboveTheLastTier,
  afterItsBeginning,
  atLeastOneKind,
  eitherTierOrRegion,
  hoursOfTheDay,
  knownUpstream,
  onlySourceOfPrices,
  price,
  PRICE_MAX,
  PRICE_SCHEMA,
  prices,
  PRICES_SCHEMA,
} from './price-checks.rules.js';

const TIERS_MAX = 10;
const IMAGES_MAX = 100;
const FACTORS_MAX = 50;
const IMPORTED_MAX = 1000;
const IMPORTED = `an array of 1 to ${IMPORTED_MAX} entries`;
const NOTE_CHARACTERS_MAX = 500;
const MODEL_CHARACTERS_MAX = 200;
const WORD_CHARACTERS_MAX = 64;
const TIME_EXAMPLE = '2026-08-01T00:00:00Z';

const IsShortList = (max: number): PropertyDecorator =>
  applyDecorators(IsOptional(), IsArray(), ArrayMaxSize(max, { message: `an array of 0 to ${max} entries` }));

class PriceTierRequest {
  @ApiField({ example: 200_000, description: 'The tier applies above this number of input tokens.' })
  @CheckedBy(aboveTheLastTier, { type: 'integer', minimum: 1 })
  above: number;

  @ApiField({ description: 'Prices of the whole request. Kinds that are absent keep their price.' })
  @CheckedBy(atLeastOneKind)
  @CheckedBy(prices, PRICES_SCHEMA)
  prices: Record<string, string>;
}

class ImagePriceRequest {
  @ApiField({ example: '1024x1024', description: 'Null for every size.' })
  @IsStoredText(WORD_CHARACTERS_MAX)
  @IsOptional()
  size?: string | null;

  @ApiField({ example: 'hd', description: 'Null for every quality.' })
  @IsStoredText(WORD_CHARACTERS_MAX)
  @IsOptional()
  quality?: string | null;

  @ApiField({ example: '40000', description: `Dollars per million images. The maximum is ${PRICE_MAX}.` })
  @CheckedBy(price, PRICE_SCHEMA)
  price: string;
}

class PriceFactorRequest {
  @ApiField({ example: 'flex', description: 'Service tier in the response. Either this or `region`.' })
  @IsStoredText(WORD_CHARACTERS_MAX)
  @IsOptional()
  service_tier?: string | null;

  @ApiField({ example: 'us', description: 'Region in the response. `*`: every region except `global`.' })
  @IsStoredText(WORD_CHARACTERS_MAX)
  @IsOptional()
  region?: string | null;

  @ApiField({ example: '0.5', description: `Multiplies the prices of tokens. The maximum is ${PRICE_MAX}.` })
  @CheckedBy(price, PRICE_SCHEMA)
  @CheckedBy(eitherTierOrRegion)
  multiplier: string;
}

export class CreatePriceRequest {
  @ApiField({ default: '*', description: 'Name of an upstream, or `*` for all upstreams.' })
  @CheckedBy(knownUpstream, { type: 'string' })
  @CanBeAbsent()
  provider?: string;

  @ApiField({ default: 'USD' })
  @IsIn(['USD'], { message: "'USD', because the gateway does not convert currencies" })
  @CanBeAbsent()
  currency?: string;

  @ApiField({
    example: TIME_EXAMPLE,
    description: 'Default: now. A time in the past changes only requests without a cost.',
  })
  @IsTimestamp()
  @IsOptional()
  valid_from?: string | null;

  @ApiField({ example: TIME_EXAMPLE, description: 'The price applies until this time, exclusive. Null for no end.' })
  @CheckedBy(afterItsBeginning)
  @IsTimestamp()
  @IsOptional()
  valid_to?: string | null;

  @ApiField()
  @IsStoredText(NOTE_CHARACTERS_MAX)
  @IsOptional()
  note?: string | null;

  @ApiField({ example: 'gpt-4o-mini', description: 'Model ID, or a pattern with `*`.' })
  @IsStoredText(MODEL_CHARACTERS_MAX)
  model: string;

  @ApiField()
  @CheckedBy(prices, PRICES_SCHEMA)
  @CanBeAbsent()
  prices?: Record<string, string>;

  @ApiField({
    example: '16:30-00:30',
    description: 'Hours of the day in UTC at which the price applies. The end is exclusive. Null for the whole day.',
  })
  @CheckedBy(hoursOfTheDay, { pattern: '^\\d{2}:\\d{2}-\\d{2}:\\d{2}$' })
  @IsString()
  @IsOptional()
  hours?: string | null;

  @ApiField({
    required: false,
    nullable: true,
    description: "Instead of prices: those of this provider in the published list, or of each model's maker.",
  })
  @CheckedBy(onlySourceOfPrices, { type: 'string', enum: listedProviders() })
  list?: string | null;

  @ApiField()
  @IsNested(ImagePriceRequest, { each: true })
  @IsShortList(IMAGES_MAX)
  images?: ImagePriceRequest[] | null;

  @ApiField()
  @IsNested(PriceTierRequest, { each: true })
  @IsShortList(TIERS_MAX)
  tiers?: PriceTierRequest[] | null;

  @ApiField()
  @IsNested(PriceFactorRequest, { each: true })
  @IsShortList(FACTORS_MAX)
  factors?: PriceFactorRequest[] | null;
}

/** Its prices are validated one by one, because 1,000 of them would block the event loop. */
export class ImportPricesRequest {
  @ApiProperty({ type: [CreatePriceRequest], minItems: 1, maxItems: IMPORTED_MAX })
  @ArrayMinSize(1, { message: IMPORTED })
  @ArrayMaxSize(IMPORTED_MAX, { message: IMPORTED })
  @IsArray()
  prices: CreatePriceRequest[];
}
