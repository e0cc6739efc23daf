import { ALLOWLIST_AVAILABILITIES, type AllowlistAvailability } from '../../model-policy/availability.rules.js';
import {
  LISTED_CATEGORIES,
  type AllowlistFilter,
  type ListedCategory,
} from '../../model-policy/model-allowlist.service.js';
import { QueryEnum, QueryFlag, QueryText } from '../../validation/query-fields.js';
import { PageRequest } from '../page/page.request.dto.js';

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
