import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import { useSession } from '../../session/use-session';
import type { components } from '../../api/schema';
import type {
  Limit,
  LimitChanges,
  LimitDraft,
  LimitListQuery,
  LimitSimulation,
  NewTopUp,
  Simulated,
} from './limit-types';

type Schemas = components['schemas'];

export const PAGE_SIZE = 50;
export const HISTORY_PAGE_SIZE = 20;
/** A page of one key or team shows at most this many limits. The budgets page shows all of them. */
export const SHOWN_MAX = 24;
/** A list on a page with two lists is not paginated. It shows that there are more entries. */
export const LISTED_MAX = 100;
/** Sorting all limits by forecast takes the gateway longer than reading a few limits. */
export const ALL_EVERY_MS = 15_000;
const LIVE_MS = 5000;

const at = (id: number) => ({ params: { path: { id } } });

/** Polls, because the figures change with every request. */
export function useLimits(query: LimitListQuery, everyMs = LIVE_MS) {
  const signedIn = useSession().kind === 'signedIn';
  return useQuery({
    queryKey: ['limits', 'list', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/limits', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: signedIn ? everyMs : false,
  });
}

export function useLimit(id: number) {
  const signedIn = useSession().kind === 'signedIn';
  return useQuery({
    queryKey: ['limits', 'one', id],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/limits/{id}', { ...at(id), signal })),
    refetchInterval: ({ state }) => (signedIn && state.error === null ? LIVE_MS : false),
  });
}

export const useTopUps = (id: number) =>
  useQuery({
    queryKey: ['limits', 'top-ups', id],
    queryFn: ({ signal }) =>
      responseBodyOf(
        api.GET('/admin/limits/{id}/top-ups', { params: { path: { id }, query: { limit: LISTED_MAX } }, signal }),
      ),
  });

export function useLimitAlerts(id: number, page: number) {
  const query = { limit: HISTORY_PAGE_SIZE, offset: (page - 1) * HISTORY_PAGE_SIZE };
  return useQuery({
    queryKey: ['limits', 'alerts', id, query],
    queryFn: ({ signal }) =>
      responseBodyOf(api.GET('/admin/limits/{id}/alerts', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export const simulate = (body: LimitSimulation): Promise<Simulated> =>
  responseBodyOf(api.POST('/admin/limits/simulate', { body: body as Schemas['SimulateLimitRequest'] }));

/** Returns the requests that change limits. They read all limits again, even after an error. */
export function useLimitCalls() {
  const queries = useQueryClient();
  async function reading<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } finally {
      void queries.invalidateQueries({ queryKey: ['limits'] });
    }
  }
  return {
    create: (body: LimitDraft): Promise<Limit> =>
      reading(responseBodyOf(api.POST('/admin/limits', { body: body as Schemas['CreateLimitRequest'] }))),
    update: (id: number, changes: LimitChanges): Promise<Limit> => {
      const body = changes as Schemas['UpdateLimitRequest'];
      return reading(responseBodyOf(api.PATCH('/admin/limits/{id}', { ...at(id), body })));
    },
    reset: (id: number) => reading(responseBodyOf(api.POST('/admin/limits/{id}/reset', at(id)))),
    topUp: (id: number, body: NewTopUp) =>
      reading(responseBodyOf(api.POST('/admin/limits/{id}/top-ups', { ...at(id), body }))),
    deleteTopUp: (id: number, topUpId: number) =>
      reading(
        responseBodyOf(
          api.DELETE('/admin/limits/{id}/top-ups/{top_up_id}', {
            params: { path: { id, top_up_id: topUpId } },
          }),
        ),
      ),
    /** Reads lists only, because the open page of the deleted limit would return a 404. */
    async delete(id: number): Promise<void> {
      await responseBodyOf(api.DELETE('/admin/limits/{id}', at(id)));
      await queries.invalidateQueries({ queryKey: ['limits', 'list'] });
    },
  };
}
