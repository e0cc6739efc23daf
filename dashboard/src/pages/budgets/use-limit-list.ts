import { useSearchState } from '../../parts/use-search-state';
import { ALL_EVERY_MS, PAGE_SIZE, useLimits } from './limit-calls';
import type { LimitListQuery } from './limit-types';

export const FILTERS = ['scope', 'measure', 'mode', 'team_id', 'tag', 'applies_to_key'] as const;

/** The first order is the default. */
export const ORDERS = [
  { value: 'runs_out', label: 'Runs out first' },
  { value: 'used', label: 'Most used first' },
  { value: 'created', label: 'Newest first' },
] as const;

export function useLimitList() {
  const { get, page } = useSearchState();
  const filters = queryOf(get);
  const limits = useLimits({ ...filters, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }, ALL_EVERY_MS);
  return { limits, filters, filtered: FILTERS.some((name) => get(name) !== null) };
}

/** Invalid values are sent unchanged, and the gateway returns the error message. */
function queryOf(get: (name: string) => string | null): LimitListQuery {
  const given = FILTERS.flatMap((name) => {
    const value = get(name);
    return value === null ? [] : [[name, value]];
  });
  return { ...(Object.fromEntries(given) as LimitListQuery), sort: orderOf(get('sort')) };
}

export const orderOf = (value: string | null) => (ORDERS.find((order) => order.value === value) ?? ORDERS[0]).value;

export function csvQuery(filters: LimitListQuery): string {
  const query = new URLSearchParams({ ...(filters as Record<string, string>), format: 'csv' });
  return query.toString();
}
