import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import type { components, paths } from '../../api/schema';
import type { DayRange } from '../../parts/period';

export type CostFigures = components['schemas']['CostFiguresResponse'];
export type CostGroup = components['schemas']['CostGroupResponse'];
export type Costs = components['schemas']['CostsResponse'];
export type Grouping = NonNullable<NonNullable<paths['/admin/costs']['get']['parameters']['query']>['group_by']>;

export interface CostScope extends DayRange {
  readonly keyId: string | null;
  /** Includes the keys that belong to this team now. By default, all keys are included. */
  readonly teamId?: string | null;
}

/** The API returns at most this many rows. */
export const GROUPS_MAX = 500;

const queryOf = ({ from, to, keyId, teamId = null }: CostScope, grouping: Grouping) => ({
  since: from,
  until: to,
  group_by: grouping,
  ...(keyId !== null && { key_id: keyId }),
  ...(teamId !== null && { team_id: teamId }),
});

export function useCosts(scope: CostScope, grouping: Grouping, limit = GROUPS_MAX) {
  const query = { ...queryOf(scope, grouping), limit };
  return useQuery({
    queryKey: ['costs', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/costs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export const csvQuery = (scope: CostScope, grouping: Grouping): string =>
  new URLSearchParams({ ...queryOf(scope, grouping), format: 'csv' }).toString();
