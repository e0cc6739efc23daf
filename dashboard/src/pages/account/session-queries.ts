import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import { useHasRole, useOperator } from '../../session/use-session';
import type { Session } from './session-types';

export const PAGE_SIZE = 50;
const AT_ONCE = 500;
const LOOKED_AT_MAX = 10_000;

interface Sessions {
  readonly total: number;
  readonly sessions: readonly Session[];
}

/** @param everybody reads the sessions of all operators, which only owners can do */
export function useSessions(everybody: boolean, page: number) {
  const { id } = useOperator();
  const seesAll = useHasRole('owner');
  const own = seesAll && !everybody;
  const offset = (page - 1) * PAGE_SIZE;
  return useQuery<Sessions>({
    queryKey: ['sessions', own ? 'own' : { offset }],
    queryFn: ({ signal }) => (own ? ownOf(id, signal) : read(PAGE_SIZE, offset, signal)),
    placeholderData: keepPreviousData,
  });
}

const read = (limit: number, offset: number, signal: AbortSignal) =>
  responseBodyOf(api.GET('/admin/sessions', { params: { query: { limit, offset } }, signal }));

/** The API returns all sessions to owners and has no filter. An operator has at most 50 sessions. */
async function ownOf(operatorId: string, signal: AbortSignal): Promise<Sessions> {
  const sessions: Session[] = [];
  for (let offset = 0; offset < LOOKED_AT_MAX; offset += AT_ONCE) {
    const page = await read(AT_ONCE, offset, signal);
    sessions.push(...page.sessions.filter(({ operator_id }) => operator_id === operatorId));
    if (!page.has_more) break;
  }
  return { total: sessions.length, sessions };
}

/** Maps the IDs of the newest 500 operators to their names. */
export function useOperatorNames(wanted: boolean): ReadonlyMap<string, string> | undefined {
  return useQuery({
    queryKey: ['operators', 'names'],
    enabled: wanted,
    queryFn: async ({ signal }) => {
      const query = { limit: AT_ONCE };
      const { operators } = await responseBodyOf(api.GET('/admin/operators', { params: { query }, signal }));
      return new Map(operators.map(({ id, name, email }) => [id, `${name} (${email})`]));
    },
  }).data;
}
