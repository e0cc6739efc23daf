import { useQueries, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { responseBodyOf, api } from '../../api/client';
import type { components } from '../../api/schema';
import type { LimitListQuery } from '../budgets/limit-types';

export type Readiness = components['schemas']['ReadyResponse'];
export type Notification = components['schemas']['NotificationResponse'];
export type ApiKey = components['schemas']['ApiKeyResponse'];
export type KeyQuota = components['schemas']['KeyQuotaResponse'];
export type Webhook = components['schemas']['WebhookResponse'];
export type JobRun = components['schemas']['JobRunResponse'];

export interface KeyNow {
  /** null if the key does not exist, or undefined if the request failed. */
  readonly key?: ApiKey | null;
  readonly quota?: KeyQuota;
}

export const HEALTH_EVERY_MS = 30_000;
const LISTED_MAX = 500;
const KEYS_LOOKED_AT = 20;
export const LIMITS_FIRST_TO_RUN_OUT: LimitListQuery = { sort: 'runs_out', mode: 'enforce', limit: 50 };

/** Reads the readiness, which a 503 response also contains. */
export const useReadiness = () =>
  useQuery({
    queryKey: ['health'],
    queryFn: async ({ signal }): Promise<Readiness> => {
      const { data, error, response } = await api.GET('/health/ready', { signal });
      if (data !== undefined) return data;
      if (error !== undefined && 'database' in error) return error;
      throw ApiError.of(response, error);
    },
    refetchInterval: HEALTH_EVERY_MS,
  });

export const useNotifications = () =>
  useQuery({
    queryKey: ['notifications', 'attention'],
    queryFn: async ({ signal }) => {
      const query = { limit: LISTED_MAX };
      return (await responseBodyOf(api.GET('/admin/notifications', { params: { query }, signal }))).notifications;
    },
  });

export function useKeysNow(ids: readonly string[]) {
  const lookedAt = ids.slice(0, KEYS_LOOKED_AT);
  const keys = useQueries({ queries: lookedAt.map(keyQuery) });
  const quotas = useQueries({ queries: lookedAt.map(quotaQuery) });
  const now = lookedAt.map((id, index): [string, KeyNow] => {
    const { data, error } = keys[index]!;
    const isGone = error instanceof ApiError && error.status === 404;
    return [id, { key: isGone ? null : data, quota: quotas[index]?.data }];
  });
  return { now: new Map(now), isPending: [...keys, ...quotas].some(({ isPending }) => isPending) };
}

const keyQuery = (id: string) => ({
  queryKey: ['keys', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    responseBodyOf(api.GET('/admin/api-keys/{id}', { params: { path: { id } }, signal })),
});

const quotaQuery = (id: string) => ({
  queryKey: ['keys', id, 'quota'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    responseBodyOf(api.GET('/admin/api-keys/{id}/quota', { params: { path: { id } }, signal })),
});

export const useWebhooksOff = () =>
  useQuery({
    queryKey: ['webhooks', 'attention'],
    queryFn: async ({ signal }) => {
      const query = { limit: LISTED_MAX };
      const { webhooks } = await responseBodyOf(api.GET('/admin/webhooks', { params: { query }, signal }));
      return webhooks.filter(({ disabled_reason }) => disabled_reason !== null);
    },
  });

export const useLastDailyRun = () =>
  useQuery({
    queryKey: ['jobs', 'attention'],
    queryFn: async ({ signal }) => {
      const query = { job: 'daily', limit: 1 } as const;
      const { jobs } = await responseBodyOf(api.GET('/admin/jobs', { params: { query }, signal }));
      return jobs[0] ?? null;
    },
  });

export const useUnavailableModels = () =>
  useQuery({
    queryKey: ['models', 'attention'],
    queryFn: async ({ signal }) => {
      const query = { availability: 'listed_unavailable', limit: 1 } as const;
      return (await responseBodyOf(api.GET('/admin/model-allowlist', { params: { query }, signal }))).total;
    },
  });

export const useKeyCount = () =>
  useQuery({
    queryKey: ['keys', 'list', 'count'],
    queryFn: async ({ signal }) =>
      (await responseBodyOf(api.GET('/admin/api-keys', { params: { query: { limit: 1 } }, signal }))).total,
  });
