import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString, Matches, type ValidationOptions } from 'class-validator';
import { applyDecorators, type PipeTransform } from '@nestjs/common';
import { ALLOWLIST_AVAILABILITIES, type AllowlistAvailability } from '../../model-policy/availability.rules.js';
import type { AllowlistFilter, AllowlistRow } from '../../model-policy/model-allowlist.service.js';
import {
  LISTED_CATEGORIES,
  type ListedCategory,
  MODEL_ENDPOINTS,
  type ModelEndpoint,
} from '../../model-policy/registry/endpoints.data.js';
import { MODEL_FLAGS, type ModelFlag } from '../../model-policy/registry/model-facts.js';
import { Page, pageOf, PageRequest } from '../page.dto.js';
import { ApiField, HasLength, IsStorable, IsStoredText } from '../../platform/validation/input.decorators.js';
import { QueryEnum, QueryFlag, QueryText } from '../../platform/validation/query-fields.js';
import { notFound } from '../../platform/errors/error-factories.js';
import { isModelName, MODEL_CHARACTERS_MAX } from '../../platform/validation/model-name.rules.js';

/** Rejects wildcards, because they would not match any model. */
export const IsExactModelId = (options: ValidationOptions = {}): PropertyDecorator =>
  applyDecorators(
    IsStoredText(MODEL_CHARACTERS_MAX, options),
    Matches(/^[^*]*$/, { ...options, message: 'an exact model ID without wildcards' }),
  );

/** A model ID in a path, which can contain slashes. An impossible ID returns 404 `not_found`, like an unknown ID (D8). */
export class ModelIdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly message: string,
    private readonly suffix = '',
  ) {}

  transform(rest: string): string {
    const id = rest.slice(0, rest.length - this.suffix.length);
    if (id === '' || !isModelName(id) || id.includes('\0')) throw notFound(this.message);
    return id;
  }
}

export class SetModelPolicyRequest {
  @ApiField({ example: 'gpt-4o-mini', description: 'Exact model ID. It does not have to be in the catalog.' })
  @IsExactModelId()
  model: string;

  @ApiField({ example: false, description: '`true` allows the model, `false` blocks it.' })
  @IsBoolean()
  enabled: boolean;

  @ApiField({ example: 'Too expensive for tests', description: 'Reason for the policy.' })
  @IsStorable()
  @HasLength(0, 1000)
  @IsString()
  @IsOptional()
  note?: string | null;
}

export class ListModelAllowlistRequest extends PageRequest implements AllowlistFilter {
  @QueryText({ max: 200, description: 'Part of the model ID. Letter case is ignored.' })
  search?: string;

  @QueryFlag({ description: 'Only models whose policy has this value. Models without a policy are left out.' })
  enabled?: boolean;

  @QueryEnum(ALLOWLIST_AVAILABILITIES)
  availability?: AllowlistAvailability;

  @QueryEnum(LISTED_CATEGORIES)
  category?: ListedCategory;
}

export class ModelAllowlistRow {
  @ApiProperty({ example: 'gpt-4o-mini' })
  model: string;

  @ApiProperty({ type: Boolean, nullable: true, example: false, description: 'Null if the model has no policy.' })
  enabled: boolean | null;

  @ApiProperty({
    enum: ALLOWLIST_AVAILABILITIES,
    example: 'callable',
    description:
      '`allowlist_only`: the model has a policy, but the upstream does not list it. With `GW_PROFILE=current` a policy with `enabled: true` makes it callable. Otherwise it is rejected. `allowlist_unverified`: the same, while the catalog cannot be refreshed from the upstream.',
  })
  availability: AllowlistAvailability;

  @ApiProperty({ enum: LISTED_CATEGORIES, nullable: true, example: 'chat', description: 'Null if it is unknown.' })
  category: ListedCategory | null;

  @ApiProperty({ type: String, nullable: true, example: 'openai' })
  provider: string | null;

  @ApiProperty({
    enum: MODEL_FLAGS,
    isArray: true,
    example: ['vision', 'tool_use', 'json_mode'],
    description: 'Known capabilities. In `GET /v1/models` the `gw_` fields with these names are true.',
  })
  capabilities: readonly ModelFlag[];

  @ApiProperty({
    enum: MODEL_ENDPOINTS,
    isArray: true,
    example: ['/v1/chat/completions', '/v1/completions', '/v1/responses'],
    description: 'Paths that serve the model. Empty if they are unknown.',
  })
  endpoints: readonly ModelEndpoint[];

  @ApiProperty({ type: String, nullable: true, example: 'Too expensive for tests' })
  note: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: '2026-07-14T09:30:42.118Z' })
  updated_at: Date | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'admin_key',
    description: 'Operator ID, `admin_key`, or `system` for the command line.',
  })
  updated_by: string | null;

  @ApiPropertyOptional({
    type: [String],
    example: ['openai', 'azure'],
    description: 'Names of the upstreams that serve the model. Only with `GW_UPSTREAMS`.',
  })
  gw_upstreams?: readonly string[];

  static of({ updatedAt, updatedBy, upstreams, ...row }: AllowlistRow): ModelAllowlistRow {
    const shown = { ...row, updated_at: updatedAt, updated_by: updatedBy };
    return upstreams === null ? shown : { ...shown, gw_upstreams: upstreams };
  }
}

export class ModelAllowlistResponse extends Page {
  @ApiProperty({ type: [ModelAllowlistRow] })
  models: ModelAllowlistRow[];

  static of({ total, rows }: { total: number; rows: readonly AllowlistRow[] }, offset: number): ModelAllowlistResponse {
    return { ...pageOf(total, offset, rows.length), models: rows.map((row) => ModelAllowlistRow.of(row)) };
  }
}

export class DeletedModelPolicyResponse {
  @ApiProperty({ example: 'gpt-4o-mini' })
  model: string;

  @ApiProperty({ enum: [true], example: true })
  deleted: true;
}
