import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { responseBodyOf, api } from '../../api/client';
import type { ModelListQuery, ModelRow, ProbedModel, Purged } from './model-types';

export const useModels = (query: ModelListQuery) =>
  useQuery({
    queryKey: ['models', 'list', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/model-allowlist', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export const setPolicy = (model: string, enabled: boolean, note: string): Promise<ModelRow> =>
  responseBodyOf(
    api.POST('/admin/model-allowlist', { body: { model, enabled, note: note.trim() === '' ? null : note.trim() } }),
  );

export async function removePolicy(model: string): Promise<void> {
  await responseBodyOf(api.DELETE('/admin/model-allowlist/{model}', { params: { path: { model } } }));
}

export interface ProbeOutcome extends ProbedModel {
  /** If the probe was inconclusive, the previous result still applies. */
  readonly conclusive: boolean;
}

/** The resolution of the `Date` header. */
const DATE_STEP_MS = 1000;

/** A verdict older than the request is not from this probe. Both times come from the gateway, because clocks can differ. */
export async function probe(model: string): Promise<ProbeOutcome> {
  const begun = performance.now();
  const { data, error, response } = await api.POST('/admin/models/{model}/probe', { params: { path: { model } } });
  if (!response.ok || data === undefined) throw ApiError.of(response, error);
  const respondedAt = Date.parse(response.headers.get('date') ?? new Date().toISOString());
  const requestedAt = respondedAt - (performance.now() - begun) - DATE_STEP_MS;
  return { ...data, conclusive: data.probed_at !== null && Date.parse(data.probed_at) >= requestedAt };
}

/** Returns the reloaded caches. `catalog` is missing if the provider's list could not be fetched. */
export const refreshCatalog = async (): Promise<readonly Purged[]> =>
  (await responseBodyOf(api.POST('/admin/cache/purge'))).purged;

/** Invalidates all queries, because many pages show models. */
export function useRefreshModels(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}
