import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import { useSession } from '../../session/use-session';
import type { KeyListQuery } from './key-types';

const LIVE_MS = 5000;
const MODELS_OFFERED = 200;

export const useKeys = (query: KeyListQuery) =>
  useQuery({
    queryKey: ['keys', 'list', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/api-keys', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export const useKey = (id: string) =>
  useQuery({
    queryKey: ['keys', id],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/api-keys/{id}', { params: { path: { id } }, signal })),
  });

/** @param live whether to poll while the page is visible and the session is valid */
export function useKeyQuota(id: string, live: boolean) {
  const signedIn = useSession().kind === 'signedIn';
  return useQuery({
    queryKey: ['keys', id, 'quota'],
    queryFn: ({ signal }) =>
      responseBodyOf(api.GET('/admin/api-keys/{id}/quota', { params: { path: { id } }, signal })),
    refetchInterval: live && signedIn ? LIVE_MS : false,
  });
}

/** @param from first day (UTC), `YYYY-MM-DD` */
export const useKeyUsage = (id: string, from: string, days: number) =>
  useQuery({
    queryKey: ['keys', id, 'usage', from],
    queryFn: ({ signal }) =>
      responseBodyOf(
        api.GET('/admin/api-keys/{id}/usage', {
          params: { path: { id }, query: { from, daily_limit: days } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const useKeyAudit = (id: string, limit: number, offset: number) =>
  useQuery({
    queryKey: ['keys', id, 'audit', offset],
    queryFn: ({ signal }) =>
      responseBodyOf(
        api.GET('/admin/api-keys/{id}/audit', { params: { path: { id }, query: { limit, offset } }, signal }),
      ),
    placeholderData: keepPreviousData,
  });

export const useModelChoice = (search: string) =>
  useQuery({
    queryKey: ['models', 'choice', search],
    queryFn: ({ signal }) => {
      const query = { limit: MODELS_OFFERED, ...(search === '' ? {} : { search }) };
      return responseBodyOf(api.GET('/admin/model-allowlist', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

/** Invalidates all queries, because many pages show the names of keys. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}
