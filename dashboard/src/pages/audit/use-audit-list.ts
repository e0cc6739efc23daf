import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { responseBodyOf, api } from '../../api/client';
import { useSearchState } from '../../parts/use-search-state';
import { useSteadyUntil } from '../../parts/use-steady-until';
import type { AuditQuery } from './audit-types';

export const PAGE_SIZE = 50;
const OFFSET_MAX = 100_000;
export const FILTERS = ['action', 'actor_type', 'target_id', 'request_id', 'since', 'until'] as const;

export function useAuditList() {
  const { get, page } = useSearchState();
  const filters = queryOf(get);
  const { until, firstSeen } = useSteadyUntil(filters, page);
  const query = { ...filters, until, limit: PAGE_SIZE, offset: Math.min((page - 1) * PAGE_SIZE, OFFSET_MAX) };
  const audit = useQuery({
    queryKey: ['audit', 'list', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/audit-logs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  const first = audit.isPlaceholderData || page > 1 ? undefined : audit.data?.logs[0]?.created_at;
  useEffect(() => {
    if (first !== undefined) firstSeen(first);
  }, [first, firstSeen]);
  return { audit, filtered: FILTERS.some((filter) => get(filter) !== null) };
}

/** Invalid values are sent unchanged, and the gateway returns the error message. */
function queryOf(get: (name: string) => string | null): AuditQuery {
  return {
    action: (get('action') ?? undefined) as AuditQuery['action'],
    actor_type: (get('actor_type') ?? undefined) as AuditQuery['actor_type'],
    target_id: get('target_id') ?? undefined,
    request_id: get('request_id') ?? undefined,
    since: get('since') ?? undefined,
    until: get('until') ?? undefined,
  };
}
