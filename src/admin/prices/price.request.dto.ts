import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { listedProviders } from '../../costs/price-terms.js';
import { parseHours } from '../../costs/pricing/price-row.js';
import type { UnpricedFilter } from '../../costs/unpriced-usage.js';
import { USAGE_KIND_NAMES } from '../../costs/usage-kinds.data.js';
import {
  AFTER_FIELDS,
  ApiField,
  CanBeAbsent,
  CheckedBy,
  Compared,
  HasLength,
  IsNested,
  IsStoredText,
  IsTimestamp,
} from '../../platform/validation/input.decorators.js';
import { invalidType, invalidValue } from '../../platform/errors/error-factories.js';
import { isObject } from '../../platform/validation/check.js';
import type { InputCheck } from '../../platform/validation/input-metadata.js';
import { QueryText, QueryTimestamp } from '../../platform/validation/query-fields.js';
import { listNames } from '../../platform/validation/scalar-kinds.js';
import { parseTimestamp } from '../../platform/validation/timestamp.js';
import { dollarsProblem } from '../dollars.rules.js';
import { PageRequest } from '../page.dto.js';
import { isUsageKind, kindSuggestion } from './usage-kind-suggestion.rules.js';

const TIERS_MAX = 10;
const IMAGES_MAX = 100;
const FACTORS_MAX = 50;
const IMPORTED_MAX = 1000;
const IMPORTED = `an array of 1 to ${IMPORTED_MAX} entries`;
const NOTE_CHARACTERS_MAX = 500;
const MODEL_CHARACTERS_MAX = 200;
const WORD_CHARACTERS_MAX = 64;
const TEXT = { min: 1, max: MODEL_CHARACTERS_MAX } as const;
const TIME_EXAMPLE = '2026-08-01T00:00:00Z';

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

/** The values outside the body that its rules need. */
export interface PriceContext {
  readonly upstreams: readonly string[];
  readonly nowMs: number;
}

/** The largest price that is exact in nano-dollars. No short pattern can express it. */
const PRICE_MAX = '9007199.25474';
const PRICE_SCHEMA = { type: 'string' as const, pattern: '^(0|[1-9]\\d{0,6})(\\.\\d{1,6})?$' };

/** Dollars per million units, by kind. */
export const PRICES_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(USAGE_KIND_NAMES.map((kind) => [kind, PRICE_SCHEMA])),
  example: { input: '2.50', cached_input: '1.25', output: '10' },
  description:
    'Dollars per million units: tokens, characters, images, searches and other calls. `audio_seconds`: dollars per 1,000 hours. ' +
    '`megabytes` prices uploads whose duration is unknown. ' +
    `The maximum is ${PRICE_MAX}.`,
} as const;

const PRICE_RANGE = { min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER), maxText: PRICE_MAX };

const price: InputCheck = (value, { param }) => dollarsProblem(value, param, PRICE_RANGE);

const prices: InputCheck = (value, place) => {
  const { param } = place;
  if (!isObject(value)) return invalidType(param, 'an object');
  for (const name of Object.keys(value)) {
    if (!isUsageKind(name))
      return invalidValue(param, `an object of known kinds. '${name}' is unknown: ${kindSuggestion(name)}`);
    const problem = dollarsProblem(value[name], `${param}.${name}`, PRICE_RANGE);
    if (problem !== null) return problem;
  }
  return null;
};

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isEmpty = (value: unknown): boolean => isAbsent(value) || Object.keys(value as object).length === 0;

const aboveTheLastTier: InputCheck = (value, { param, before }) => {
  const last = (before?.['above'] as number | undefined) ?? 0;
  if (Number.isSafeInteger(value) && (value as number) > last) return null;
  return invalidValue(param, `an integer above ${last}: tiers are in ascending order of input tokens`);
};

const atLeastOneKind: InputCheck = (value, { param }) =>
  isEmpty(value) ? invalidValue(param, 'an object with at least one kind') : null;

const eitherTierOrRegion: InputCheck = (_multiplier, { param, input }) =>
  isAbsent(input['service_tier']) === isAbsent(input['region'])
    ? invalidValue(
        param.replace(/\[\d+\]\.multiplier$/, ''),
        `a list of objects with either 'service_tier' or 'region'`,
      )
    : null;

const knownUpstream: InputCheck = (value, { param, context }) => {
  const { upstreams } = context as PriceContext;
  if (value === '*' || upstreams.includes(value as string)) return null;
  return invalidValue(param, `'*' for all upstreams, or ${listNames(upstreams)}`);
};

const afterItsBeginning: InputCheck = (validTo, { param, input, context }) => {
  const from = (input['valid_from'] ?? null) as string | null;
  const fromMs = from === null ? (context as PriceContext).nowMs : parseTimestamp(from)!;
  return parseTimestamp(validTo as string)! > fromMs ? null : invalidValue(param, `a time after 'valid_from'`);
};

const hoursOfTheDay: InputCheck = (value, { param }) =>
  parseHours(value as string) === null
    ? invalidValue(param, 'two different times of the day in UTC, such as "16:30-00:30"')
    : null;

/** Prices are stated either by a list, or by the price itself. */
const onlySourceOfPrices: InputCheck = (list, { param, input }) => {
  const path = param.slice(0, -'list'.length);
  if (isAbsent(list))
    return isEmpty(input['prices']) && isAbsentOrEmptyList(input['images'])
      ? invalidValue(`${path}prices`, `an object with at least one kind, unless 'images' or 'list' states the prices`)
      : null;
  const other = ['prices', 'tiers', 'images', 'factors'].find((name) => !isAbsent(input[name]));
  if (other !== undefined) return invalidValue(path + other, `absent, because 'list' states the prices`);
  const names = listedProviders();
  return names.includes(list as string) ? null : invalidValue(param, listNames(names));
};

const isAbsentOrEmptyList = (value: unknown): boolean =>
  isAbsent(value) || (Array.isArray(value) && value.length === 0);

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

const FilterText = (description: string): PropertyDecorator =>
  applyDecorators(CanBeAbsent(), IsStoredText(MODEL_CHARACTERS_MAX), ApiField({ description }));

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
