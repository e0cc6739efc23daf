import { useSearchState } from '../../parts/use-search-state';
import { useModels } from './model-calls';
import type { ModelListQuery } from './model-types';

export const PAGE_SIZE = 50;
export const FILTERS = ['search', 'availability', 'category', 'enabled'] as const;

export function useModelList() {
  const { get, page } = useSearchState();
  const models = useModels({ ...queryOf(get), limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
  return { models, filtered: FILTERS.some((name) => get(name) !== null) };
}

/** Invalid values are sent unchanged, and the gateway returns the error message. */
function queryOf(get: (name: string) => string | null): ModelListQuery {
  return {
    search: get('search') ?? undefined,
    availability: (get('availability') ?? undefined) as ModelListQuery['availability'],
    category: (get('category') ?? undefined) as ModelListQuery['category'],
    enabled: (get('enabled') ?? undefined) as unknown as ModelListQuery['enabled'],
  };
}
