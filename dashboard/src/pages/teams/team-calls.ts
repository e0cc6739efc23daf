import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import type { Team, TeamSettings } from './team-types';

export const PAGE_SIZE = 50;

const at = (id: string) => ({ params: { path: { id } } });

interface TeamList {
  readonly page: number;
  readonly name: string | null;
  readonly tag: string | null;
}

export function useTeams({ page, name, tag }: TeamList) {
  const query = {
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
    ...(name !== null && { name }),
    ...(tag !== null && { tag }),
  };
  return useQuery({
    queryKey: ['teams', 'list', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/teams', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export const useTeam = (id: string) =>
  useQuery({
    queryKey: ['teams', 'one', id],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/teams/{id}', { ...at(id), signal })),
  });

/** Returns the requests that change teams. They read teams, keys and limits again, even after an error. */
export function useTeamCalls() {
  const queries = useQueryClient();
  async function reading<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } finally {
      for (const name of ['teams', 'keys', 'limits']) void queries.invalidateQueries({ queryKey: [name] });
    }
  }
  return {
    create: (body: TeamSettings): Promise<Team> => reading(responseBodyOf(api.POST('/admin/teams', { body }))),
    update: (id: string, body: Partial<TeamSettings>): Promise<Team> =>
      reading(responseBodyOf(api.PATCH('/admin/teams/{id}', { ...at(id), body }))),
    /** Reads lists only, because the open page of the deleted team would return a 404. */
    async delete(id: string): Promise<void> {
      try {
        await responseBodyOf(api.DELETE('/admin/teams/{id}', at(id)));
      } finally {
        for (const name of ['list', 'choice']) void queries.invalidateQueries({ queryKey: ['teams', name] });
        void queries.invalidateQueries({ queryKey: ['limits', 'list'] });
      }
    },
  };
}
