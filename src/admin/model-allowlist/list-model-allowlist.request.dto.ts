import {
  ALLOWLIST_AVAILABILITIES,
  LISTED_CATEGORIES,
  type AllowlistAvailability,
  type AllowlistFilter,
  type ListedCategory,
} from '../../model-policy/model-allowlist-row.js';
import { QueryEnum, QueryFlag, QueryInteger, QueryText } from '../../validation/query-fields.js';

export class ListModelAllowlistRequest implements AllowlistFilter {
  @QueryText({ max: 200, description: 'Found in the id, whatever the case.' })
  search?: string;

  @QueryFlag({ description: 'What the policy row says; models without one match neither.' })
  enabled?: boolean;

  @QueryEnum(ALLOWLIST_AVAILABILITIES)
  availability?: AllowlistAvailability;

  @QueryEnum(LISTED_CATEGORIES)
  category?: ListedCategory;

  @QueryInteger({ min: 1, max: 500, byDefault: 100 })
  limit: number;

  @QueryInteger({ min: 0, max: 2_147_483_647, byDefault: 0 })
  offset: number;
}
