import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { answerOf, api } from '../../api/client';
import type { ModelListQuery, ModelRow, ProbedModel, Purged } from './model-types';

export const useModels = (query: ModelListQuery) =>
  useQuery({
    queryKey: ['models', 'list', query],
    queryFn: ({ signal }) => answerOf(api.GET('/admin/model-allowlist', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

/** @param note '' for none */
export const setPolicy = (model: string, enabled: boolean, note: string): Promise<ModelRow> =>
  answerOf(
    api.POST('/admin/model-allowlist', { body: { model, enabled, note: note.trim() === '' ? null : note.trim() } }),
  );

export async function removePolicy(model: string): Promise<void> {
  await answerOf(api.DELETE('/admin/model-allowlist/{model}', { params: { path: { model } } }));
}

export interface ProbeOutcome extends ProbedModel {
  /** false: this probe told nothing, so what was known before stands. */
  readonly told: boolean;
}

/** `Date` of an answer is exact to the second. */
const DATE_STEP_MS = 1000;

/** A verdict that is older than the call is one of before. Both are times of the gateway: clocks here do not matter. */
export async function probe(model: string): Promise<ProbeOutcome> {
  const begun = performance.now();
  const { data, error, response } = await api.POST('/admin/models/{model}/probe', { params: { path: { model } } });
  if (!response.ok || data === undefined) throw ApiError.of(response, error);
  const answeredAt = Date.parse(response.headers.get('date') ?? new Date().toISOString());
  const askedAt = answeredAt - (performance.now() - begun) - DATE_STEP_MS;
  return { ...data, told: data.probed_at !== null && Date.parse(data.probed_at) >= askedAt };
}

/** @returns what was read anew; without `catalog` the provider's list could not be fetched */
export const refreshCatalog = async (): Promise<readonly Purged[]> =>
  (await answerOf(api.POST('/admin/cache/purge'))).purged;

/** After a change: models are shown in many places, so that everything is read anew where it is next looked at. */
export function useRefreshModels(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}
