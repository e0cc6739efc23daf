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
  @ApiField({ example: 'gpt-4o-mini', description: 'Exact id, listed or not.' })
  @IsExactModelId()
  model: string;

  @ApiField({ example: false, description: 'true allows the model, false blocks it.' })
  @IsBoolean()
  enabled: boolean;

  @ApiField({ example: 'Too dear for tests', description: 'Why. Left out or null: none.' })
  @IsStorable()
  @HasLength(0, 1000)
  @IsString()
  @IsOptional()
  note?: string | null;
}

export class ListModelAllowlistRequest extends PageRequest implements AllowlistFilter {
  @QueryText({ max: 200, description: 'Found in the id, whatever the case.' })
  search?: string;

  @QueryFlag({ description: 'What the policy row says; models without one match neither.' })
  enabled?: boolean;

  @QueryEnum(ALLOWLIST_AVAILABILITIES)
  availability?: AllowlistAvailability;

  @QueryEnum(LISTED_CATEGORIES)
  category?: ListedCategory;
}
