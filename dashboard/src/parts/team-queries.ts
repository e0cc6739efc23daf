import { useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../api/client';

const OFFERED_MAX = 500;
const STALE_MS = 60_000;
const SHORT = 8;

export const useTeamChoice = (enabled = true) =>
  useQuery({
    queryKey: ['teams', 'choice'],
    queryFn: async ({ signal }) => {
      const query = { limit: OFFERED_MAX };
      return (await responseBodyOf(api.GET('/admin/teams', { params: { query }, signal }))).teams;
    },
    enabled,
    staleTime: STALE_MS,
  });

/** Returns the names of teams by ID. An ID without a known name is shortened. */
export function useTeamNames(): (id: string) => string {
  const names = new Map(useTeamChoice().data?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id.slice(0, SHORT);
}
