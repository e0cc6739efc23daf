import { useQueries, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { answerOf, api } from '../../api/client';
import type { components } from '../../api/schema';

export type Readiness = components['schemas']['ReadyAnswer'];
export type Notification = components['schemas']['NotificationResponse'];
export type ApiKey = components['schemas']['ApiKeyResponse'];
export type Webhook = components['schemas']['WebhookResponse'];
export type JobRun = components['schemas']['JobRunResponse'];

const HEALTH_EVERY_MS = 30_000;
const LISTED_MAX = 500;
/** Keys whose notifications are held against what the key is now. */
const KEYS_LOOKED_AT = 20;

/** Whether the gateway is ready; a 503 is an answer too. */
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

export const useUnread = () =>
  useQuery({
    queryKey: ['notifications', 'attention'],
    queryFn: async ({ signal }) => {
      const query = { unread: true, limit: LISTED_MAX };
      return (await answerOf(api.GET('/admin/notifications', { params: { query }, signal }))).notifications;
    },
  });

interface KeysById {
  /** null: not there any more. Those that could not be read are not in it. */
  readonly keys: ReadonlyMap<string, ApiKey | null>;
  readonly isPending: boolean;
}

/** Keys as they are now. */
export function useKeysById(ids: readonly string[]): KeysById {
  const answers = useQueries({
    queries: ids.slice(0, KEYS_LOOKED_AT).map((id) => ({
      queryKey: ['keys', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answerOf(api.GET('/admin/api-keys/{id}', { params: { path: { id } }, signal })),
    })),
  });
  const found = new Map<string, ApiKey | null>();
  answers.forEach(({ data, error }, index) => {
    const id = ids[index] ?? '';
    if (data !== undefined) found.set(id, data);
    else if (error instanceof ApiError && error.status === 404) found.set(id, null);
  });
  return { keys: found, isPending: answers.some(({ isPending }) => isPending) };
}

export const useWebhooksOff = () =>
  useQuery({
    queryKey: ['webhooks', 'attention'],
    queryFn: async ({ signal }) => {
      const query = { limit: LISTED_MAX };
      const { webhooks } = await answerOf(api.GET('/admin/webhooks', { params: { query }, signal }));
      return webhooks.filter(({ disabled_reason }) => disabled_reason !== null);
    },
  });

/** Null: there is none. */
export const useLastDailyRun = () =>
  useQuery({
    queryKey: ['jobs', 'attention'],
    queryFn: async ({ signal }) => {
      const query = { job: 'daily', limit: 1 } as const;
      const { jobs } = await answerOf(api.GET('/admin/jobs', { params: { query }, signal }));
      return jobs[0] ?? null;
    },
  });

export const useUnavailableModels = () =>
  useQuery({
    queryKey: ['models', 'attention'],
    queryFn: async ({ signal }) => {
      const query = { availability: 'listed_unavailable', limit: 1 } as const;
      return (await answerOf(api.GET('/admin/model-allowlist', { params: { query }, signal }))).total;
    },
  });

/** How many keys there are, whatever their status. */
export const useKeyCount = () =>
  useQuery({
    queryKey: ['keys', 'list', 'count'],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/admin/api-keys', { params: { query: { limit: 1 } }, signal }))).total,
  });
