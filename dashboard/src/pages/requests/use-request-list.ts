import { useEffect } from 'react';
import { useSearchState } from '../../parts/use-search-state';
import { useRequests } from './request-queries';
import type { RequestLogQuery } from './request-types';
import { useSteadyUntil } from '../../parts/use-steady-until';

export const PAGE_SIZE = 50;
const OFFSET_MAX = 100_000;
export const FILTERS = ['key_id', 'model', 'endpoint', 'status', 'since', 'until'] as const;

export function useRequestList(enabled: boolean) {
  const { get, page } = useSearchState();
  const filters = queryOf(get);
  const { until, firstSeen } = useSteadyUntil(filters, page);
  const offset = Math.min((page - 1) * PAGE_SIZE, OFFSET_MAX);
  const requests = useRequests({ ...filters, until, limit: PAGE_SIZE, offset }, enabled);
  const first = requests.isPlaceholderData || page > 1 ? undefined : requests.data?.logs[0]?.created_at;
  useEffect(() => {
    if (first !== undefined) firstSeen(first);
  }, [first, firstSeen]);
  return { requests, filtered: FILTERS.some((filter) => get(filter) !== null) };
}

/** Invalid values are sent unchanged, and the gateway returns the error message. */
function queryOf(get: (name: string) => string | null): RequestLogQuery {
  const status = get('status');
  return {
    key_id: get('key_id') ?? undefined,
    model: get('model') ?? undefined,
    endpoint: get('endpoint') ?? undefined,
    status: status === null ? undefined : (status as unknown as number),
    since: get('since') ?? undefined,
    until: get('until') ?? undefined,
  };
}
