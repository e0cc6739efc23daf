import { usePeriod } from '../../parts/period-state';
import { useSearchState } from '../../parts/use-search-state';
import type { EndpointSort, Question, TokenSort } from './statistics-query';

export const LIMITS = [20, 100, 500] as const;

/** The first sort order is the default. */
type Sorts<Sort> = readonly [Sort, ...Sort[]];

export const ENDPOINT_SORTS: Sorts<EndpointSort> = [
  'request_count',
  'error_count',
  'cost',
  'avg_latency_ms',
  'max_latency_ms',
  'p95_latency_ms',
];
export const TOKEN_SORTS: Sorts<TokenSort> = [...ENDPOINT_SORTS, 'total_tokens'];

export function useQuestion<Sort extends string>(sorts: Sorts<Sort>): Question<Sort> {
  const { get } = useSearchState();
  return {
    period: usePeriod(),
    keyId: get('key_id'),
    model: get('model'),
    limit: limitOf(get('limit')),
    sortBy: sorts.find((sort) => sort === get('sort_by')) ?? sorts[0],
    sortDir: get('sort_dir') === 'asc' ? 'asc' : 'desc',
  };
}

export const limitOf = (text: string | null): number => LIMITS.find((limit) => String(limit) === text) ?? LIMITS[0];
