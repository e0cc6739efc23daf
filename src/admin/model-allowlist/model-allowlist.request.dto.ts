import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { ALLOWLIST_AVAILABILITIES, type AllowlistAvailability } from '../../model-policy/availability.rules.js';
import {
  LISTED_CATEGORIES,
  type AllowlistFilter,
  type ListedCategory,
} from '../../model-policy/model-allowlist.service.js';
import { ApiField, HasLength, IsStorable } from '../../validation/input.decorators.js';
import { QueryEnum, QueryFlag, QueryText } from '../../validation/query-fields.js';
import { PageRequest } from '../page.dto.js';
import { IsExactModelId } from './model-id.js';

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
