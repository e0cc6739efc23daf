import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import type { NewPrice, Price, Recomputed } from './price-types';

export const PAGE_SIZE = 50;
/** A list on a page with two lists is not paginated. It shows that there are more entries. */
export const MISSING_LISTED_MAX = 100;

export const useMissingPrices = () =>
  useQuery({
    queryKey: ['prices', 'missing'],
    queryFn: ({ signal }) =>
      responseBodyOf(api.GET('/admin/prices/missing', { params: { query: { limit: MISSING_LISTED_MAX } }, signal })),
  });

export function usePrices(page: number) {
  const query = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  return useQuery({
    queryKey: ['prices', 'list', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/prices', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Reads the current price of a model of which only some kinds have one. Reads nothing without a model. */
export const useAppliedPrice = (of: { readonly model: string; readonly provider: string } | null) =>
  useQuery({
    queryKey: ['prices', 'applied', of],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/prices/lookup', { params: { query: of! }, signal })),
    enabled: of !== null,
    retry: false,
  });

export function usePriceCalls() {
  const queries = useQueryClient();
  /** Reads all costs again, even after an error, because some costs might have changed. */
  async function reading<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } finally {
      for (const name of ['prices', 'costs', 'requests']) void queries.invalidateQueries({ queryKey: [name] });
    }
  }
  return {
    create: (body: NewPrice): Promise<Price> => reading(responseBodyOf(api.POST('/admin/prices', { body }))),
    delete: (id: string) => reading(responseBodyOf(api.DELETE('/admin/prices/{id}', { params: { path: { id } } }))),
    recompute: (body: { readonly model: string; readonly provider: string }): Promise<Recomputed> =>
      reading(responseBodyOf(api.POST('/admin/prices/recompute', { body }))),
  };
}
