import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose } from 'class-transformer';
import { IsString } from 'class-validator';
import type { UnpricedFilter } from '../../costs/unpriced-usage.js';
import {
  AFTER_FIELDS,
  ApiField,
  CanBeAbsent,
  Compared,
  HasLength,
  IsStoredText,
  IsTimestamp,
} from '../../platform/validation/input.decorators.js';
import { QueryText, QueryTimestamp } from '../../platform/validation/query-fields.js';
import { parseTimestamp } from '../../platform/validation/timestamp.js';
import { PageRequest } from '../page.dto.js';

const MODEL_CHARACTERS_MAX = 200;
const TEXT = { min: 1, max: MODEL_CHARACTERS_MAX } as const;

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
