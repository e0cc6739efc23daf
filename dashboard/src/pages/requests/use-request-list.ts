import { useState } from 'react';
import { useSearchState } from '../../parts/use-search-state';
import { useRequests } from './request-queries';
import type { RequestQuery } from './request-types';

/** Filters of the list, which are also parameters of the gateway. */
const SENT = [
  'key_id',
  'team_id',
  'tag',
  'model',
  'endpoint',
  'status',
  'error_code',
  'upstream',
  'latency_min_ms',
  'cost_min',
  'since',
  'until',
] as const;
/** `id` is the beginning of a request ID. `request_id` opens a single request instead of the list. */
export const FILTERS = [...SENT, 'id'] as const;

export function useRequestList(enabled: boolean) {
  const { get } = useSearchState();
  const [live, setLive] = useState(false);
  const query = queryOf(get);
  const requests = useRequests(query, { enabled, live });
  return { requests, query, filtered: FILTERS.some((filter) => get(filter) !== null), live, setLive };
}

/** Invalid values are sent unchanged, and the gateway returns the error message. */
function queryOf(get: (name: string) => string | null): RequestQuery {
  const given = SENT.flatMap((name) => {
    const value = get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const [sort, id] = [get('sort'), get('id')];
  return {
    ...(Object.fromEntries(given) as RequestQuery),
    ...(sort !== null && { sort: sort as RequestQuery['sort'] }),
    ...(id !== null && { request_id: id }),
  };
}
