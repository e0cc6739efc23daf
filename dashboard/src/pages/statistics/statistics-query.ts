import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import type { components, operations } from '../../api/schema';
import { momentsOf, type Period } from '../../parts/period';

export type EndpointRow = components['schemas']['EndpointStatsRow'];
export type KeyRow = components['schemas']['KeyStatsRow'];
export type ModelRow = components['schemas']['ModelStatsRow'];
export type EndpointSort = NonNullable<NonNullable<operations['endpointStatsList']['parameters']['query']>['sort_by']>;
export type TokenSort = NonNullable<NonNullable<operations['keyStatsList']['parameters']['query']>['sort_by']>;

export interface Question<Sort> {
  readonly period: Period;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly limit: number;
  readonly sortBy: Sort;
  readonly sortDir: 'asc' | 'desc';
}

/** Computes the times for each request, so that a later refetch extends to its own time. */
const queryOf = <Sort>({ period, keyId, model, limit, sortBy, sortDir }: Question<Sort>) => ({
  ...momentsOf(period),
  key_id: keyId ?? undefined,
  model: model ?? undefined,
  limit,
  sort_by: sortBy,
  sort_dir: sortDir,
});

export const useEndpointStatistics = (question: Question<EndpointSort>) =>
  useQuery({
    queryKey: ['statistics', 'endpoints', question],
    queryFn: async ({ signal }) =>
      (await responseBodyOf(api.GET('/admin/endpoint-stats', { params: { query: queryOf(question) }, signal })))
        .endpoints,
    placeholderData: keepPreviousData,
  });

export const useKeyStatistics = (question: Question<TokenSort>) =>
  useQuery({
    queryKey: ['statistics', 'keys', question],
    queryFn: async ({ signal }) =>
      (await responseBodyOf(api.GET('/admin/key-stats', { params: { query: queryOf(question) }, signal }))).keys,
    placeholderData: keepPreviousData,
  });

export const useModelStatistics = (question: Question<TokenSort>) =>
  useQuery({
    queryKey: ['statistics', 'models', question],
    queryFn: async ({ signal }) =>
      (await responseBodyOf(api.GET('/admin/model-stats', { params: { query: queryOf(question) }, signal }))).models,
    placeholderData: keepPreviousData,
  });
