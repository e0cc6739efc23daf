import { usePeriod } from '../../parts/period-state';
import { useSearchState } from '../../parts/use-search-state';
import type { EndpointSort, Question, TokenSort } from './statistics-query';

/** How many rows can be asked for; the first unless the address bar says another. */
export const LIMITS = [20, 100, 500] as const;

/** By which a table can be sorted; by the first unless the address bar says another. */
type Sorts<Sort> = readonly [Sort, ...Sort[]];

export const ENDPOINT_SORTS: Sorts<EndpointSort> = [
  'request_count',
  'error_count',
  'avg_latency_ms',
  'max_latency_ms',
  'p95_latency_ms',
];
export const TOKEN_SORTS: Sorts<TokenSort> = [...ENDPOINT_SORTS, 'total_tokens'];

/** What the address bar asks of the sample. */
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
