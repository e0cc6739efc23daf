import { invalidValue } from '../../errors/catalogue.js';
import type { KeyListQuery, KeySortField } from '../../keys/keys.service.js';
import type { KeyStatus } from '../../keys/key-state.rules.js';
import { QueryEnum, QueryFlag, QueryText, QueryTimestamp } from '../../validation/query-fields.js';
import { type Rule, Rules } from '../../validation/rules.decorator.js';
import { notAfter } from '../../validation/time-range.rules.js';
import { PageRequest } from '../page/page.request.dto.js';

const notBoth: Rule<ListApiKeysRequest> = ({ status, expired }) =>
  status !== undefined && expired === true ? invalidValue('status', `left out where 'expired' is true`) : null;

@Rules<ListApiKeysRequest>(notBoth, notAfter('since', 'until'))
export class ListApiKeysRequest extends PageRequest {
  @QueryEnum(['active', 'suspended', 'revoked'], { description: 'Not together with `expired=true`.' })
  status?: KeyStatus;

  @QueryText({ max: 255, description: 'Found in the name or the id, whatever the case.' })
  name?: string;

  @QueryFlag({ description: 'true: only keys whose `expires_at` has passed.' })
  expired?: boolean;

  @QueryTimestamp({ description: 'Created at or after.' })
  since?: number;

  @QueryTimestamp({ description: 'Created at or before.' })
  until?: number;

  @QueryEnum(['name', 'created_at', 'updated_at', 'last_used_at'], { byDefault: 'created_at' })
  sort_by: KeySortField;

  @QueryEnum(['asc', 'desc'], { byDefault: 'desc' })
  sort_dir: 'asc' | 'desc';
}

export function listQueryOf(query: ListApiKeysRequest): KeyListQuery {
  const { status = null, name = null, expired = null, since = null, until = null, limit, offset } = query;
  const filters = { status, name, expired, sinceMs: since, untilMs: until };
  return { ...filters, sortBy: query.sort_by, sortDir: query.sort_dir, limit, offset };
}
