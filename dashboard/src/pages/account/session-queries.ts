import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';

/** One operator cannot have more sessions. */
export const PAGE_SIZE = 50;
const NAMES_MAX = 500;

/** @param operatorId null for all operators, which only owners can see */
export function useSessions(operatorId: string | null, page: number) {
  const query = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE, operator_id: operatorId ?? undefined };
  return useQuery({
    queryKey: ['sessions', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/sessions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function useSessionCalls() {
  const queries = useQueryClient();
  async function reading<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } finally {
      void queries.invalidateQueries({ queryKey: ['sessions'] });
    }
  }
  return {
    end: (id: string) => reading(responseBodyOf(api.DELETE('/admin/sessions/{id}', { params: { path: { id } } }))),
    endAll: (operatorId: string) =>
      reading(responseBodyOf(api.DELETE('/admin/sessions', { params: { query: { operator_id: operatorId } } }))),
  };
}

/** Maps the IDs of the newest 500 operators to their names. */
export function useOperatorNames(wanted: boolean): ReadonlyMap<string, string> | undefined {
  return useQuery({
    queryKey: ['operators', 'names'],
    enabled: wanted,
    queryFn: async ({ signal }) => {
      const query = { limit: NAMES_MAX };
      const { operators } = await responseBodyOf(api.GET('/admin/operators', { params: { query }, signal }));
      return new Map(operators.map(({ id, name, email }) => [id, `${name} (${email})`]));
    },
  }).data;
}
