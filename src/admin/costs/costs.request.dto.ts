import type { Days } from '../../costs/days.rules.js';
import {
  COST_SORTS,
  type CostFilter,
  type CostQuery,
  type CostSort,
  dimensionOf,
  GROUPINGS,
  type Grouping,
} from '../../costs/report/cost-query.js';
import { usageRange } from '../../stats/reports/usage-range.rules.js';
import { IsNotOnLaterDay } from '../../platform/validation/input.decorators.js';
import {
  QueryEnum,
  QueryInteger,
  QueryText,
  QueryTimestamp,
  QueryUuid,
} from '../../platform/validation/query-fields.js';
import { QueryFormat, type DownloadFormat } from '../csv-download.js';
import { QueryTag } from '../teams/tags.decorators.js';

/** An empty text matches requests without a value. */
export class CostFilterRequest {
  @IsNotOnLaterDay('until')
  @QueryTimestamp({
    description: 'First day (UTC), as a date or a time on that day. The default is 29 days before `until`.',
  })
  since?: number;

  @QueryTimestamp({ description: 'Last day (UTC). The whole day is included. The default is today.' })
  until?: number;

  @QueryUuid('Only costs of this key.')
  key_id?: string;

  @QueryUuid('Only costs of the keys that belong to this team now.')
  team_id?: string;

  @QueryTag('Only costs of the keys that have this tag now, or whose team has it.')
  tag?: string;

  @QueryText({ max: 200, description: 'Only costs of this model, as requested. Empty: only requests without a model.' })
  model?: string;

  @QueryText({ max: 200, description: 'Only costs of this endpoint, such as `/v1/chat/completions`.' })
  endpoint?: string;

  @QueryText({ max: 63, description: 'Only costs of this upstream, such as `default`.' })
  provider?: string;
}

export class CostsRequest extends CostFilterRequest {
  @QueryEnum(GROUPINGS, {
    byDefault: 'day',
    description:
      'With two dimensions, `limit` and `offset` count values of the second one, and each has all of its days.',
  })
  group_by: Grouping;

  @QueryEnum(COST_SORTS, {
    description:
      '`cost` and `requests` sort in descending order. The default is `cost`, or `name` if only days are grouped.',
  })
  sort?: CostSort;

  @QueryInteger({ min: 1, max: 500, byDefault: 100 })
  limit: number;

  @QueryInteger({ min: 0, max: 2_147_483_647, byDefault: 0 })
  offset: number;

  @QueryFormat('CSV has all groups, regardless of `limit` and `offset`.')
  format: DownloadFormat;
}

export const daysOf = ({ since, until }: CostFilterRequest, nowMs: number): Days => usageRange(since, until, nowMs);

export const filterOf = ({ key_id, team_id, tag, model, endpoint, provider }: CostFilterRequest): CostFilter => ({
  ...(key_id !== undefined && { key: key_id }),
  ...(team_id !== undefined && { team: team_id }),
  ...(tag !== undefined && { tag }),
  ...(model !== undefined && { model }),
  ...(endpoint !== undefined && { endpoint }),
  ...(provider !== undefined && { provider }),
});

export function costQueryOf(query: CostsRequest, nowMs: number): Omit<CostQuery, 'rowsMax'> {
  const { group_by: grouping, limit, offset } = query;
  const { sort = dimensionOf(grouping) === null ? 'name' : 'cost' } = query;
  return { days: daysOf(query, nowMs), grouping, filter: filterOf(query), sort, limit, offset };
}
