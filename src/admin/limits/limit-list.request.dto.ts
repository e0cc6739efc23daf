import { QueryEnum, QueryUuid } from '../../platform/validation/query-fields.js';
import {
  LIMIT_MEASURES,
  LIMIT_MODES,
  LIMIT_SCOPES,
  type LimitMeasure,
  type LimitMode,
  type LimitScope,
} from '../../quota/limits/limit-terms.data.js';
import { LIMIT_SORTS, type LimitFilter, type LimitSort } from '../../quota/limits/limit-list.read-model.js';
import { PageRequest } from '../page.dto.js';
import { QueryTag } from '../teams/tags.decorators.js';
import { QueryFormat, type DownloadFormat } from '../csv-download.js';

export class ListLimitsRequest extends PageRequest {
  @QueryEnum(LIMIT_SCOPES)
  scope?: LimitScope;

  @QueryUuid('Only limits of this team.')
  team_id?: string;

  @QueryUuid('Only limits of this key.')
  key_id?: string;

  @QueryTag('Only limits of this tag.')
  tag?: string;

  @QueryEnum(LIMIT_MEASURES)
  measure?: LimitMeasure;

  @QueryEnum(LIMIT_MODES)
  mode?: LimitMode;

  @QueryUuid('All limits under which this key falls: its own, and those of its tags, its team and the account.')
  applies_to_key?: string;

  @QueryEnum(LIMIT_SORTS, {
    byDefault: 'created',
    description:
      '`created`: newest first. `used`: by the share of the amount. `runs_out`: reached limits, then by the forecast, earliest first.',
  })
  sort: LimitSort;

  @QueryFormat('CSV has all limits, regardless of `limit` and `offset`.')
  format: DownloadFormat;
}

export const limitFilterOf = (query: ListLimitsRequest): LimitFilter => ({
  scope: query.scope ?? null,
  teamId: query.team_id ?? null,
  keyId: query.key_id ?? null,
  tag: query.tag ?? null,
  measure: query.measure ?? null,
  mode: query.mode ?? null,
  appliesToKey: query.applies_to_key ?? null,
});
