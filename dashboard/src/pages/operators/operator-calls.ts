import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import { readSession, signOut } from '../../session/session-calls';
import { useOperator } from '../../session/use-session';
import type { Operator } from './operator-types';

export const PAGE_SIZE = 50;

const at = (id: string) => ({ params: { path: { id } } });

export function useOperators(page: number) {
  const query = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  return useQuery({
    queryKey: ['operators', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/operators', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export type NewOperator = Pick<Operator, 'email' | 'name' | 'role'> & { readonly password: string };

/** Returns the requests that change operators. A change to the operator's own account updates or ends the current session. */
export function useOperatorCalls() {
  const queries = useQueryClient();
  const { id: ownId } = useOperator();
  async function reading<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } finally {
      void queries.invalidateQueries({ queryKey: ['operators'] });
      void queries.invalidateQueries({ queryKey: ['sessions'] });
    }
  }
  async function update(id: string, body: Partial<Pick<Operator, 'name' | 'role' | 'disabled'>>): Promise<Operator> {
    const after = await responseBodyOf(api.PATCH('/admin/operators/{id}', { ...at(id), body }));
    if (id === ownId) await (after.disabled ? signOut() : readSession());
    return after;
  }
  async function remove(id: string): Promise<void> {
    await responseBodyOf(api.DELETE('/admin/operators/{id}', at(id)));
    if (id === ownId) await signOut();
  }
  return {
    create: (body: NewOperator) => reading(responseBodyOf(api.POST('/admin/operators', { body }))),
    update: (...change: Parameters<typeof update>) => reading(update(...change)),
    setPassword: (id: string, password: string) =>
      reading(
        responseBodyOf(api.POST('/admin/operators/{id}/password', { ...at(id), body: { new_password: password } })),
      ),
    delete: (id: string) => reading(remove(id)),
  };
}
