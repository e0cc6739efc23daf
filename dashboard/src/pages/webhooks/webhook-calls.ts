import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import type { DeliveryStatus, Webhook, WebhookSettings } from './webhook-types';

export const PAGE_SIZE = 50;
const PENDING_MS = 15_000;
const WAITING_MS = 1500;

const at = (id: string) => ({ params: { path: { id } } });

export function useWebhooks(page: number) {
  const query = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  return useQuery({
    queryKey: ['webhooks', 'list', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/webhooks', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export const useWebhook = (id: string) =>
  useQuery({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/webhooks/{id}', { ...at(id), signal })),
  });

interface Deliveries {
  readonly id: string;
  readonly status: DeliveryStatus | null;
  readonly page: number;
  readonly waiting: boolean;
}

export function useDeliveries({ id, status, page, waiting }: Deliveries) {
  const query = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE, ...(status === null ? {} : { status }) };
  return useQuery({
    queryKey: ['webhooks', 'deliveries', id, query],
    queryFn: ({ signal }) =>
      responseBodyOf(api.GET('/admin/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (state.error !== null) return false;
      if (waiting) return WAITING_MS;
      return state.data?.deliveries.some((delivery) => delivery.status === 'pending') ? PENDING_MS : false;
    },
  });
}

/** Counts the deliveries without remaining automatic retries. */
export const useFailedCount = (id: string) =>
  useQuery({
    queryKey: ['webhooks', 'deliveries', id, 'failed-count'],
    queryFn: async ({ signal }) => {
      const query = { status: 'failed' as const, limit: 1 };
      const params = { path: { id }, query };
      return (await responseBodyOf(api.GET('/admin/webhooks/{id}/deliveries', { params, signal }))).total;
    },
  });

/** Returns the requests that change webhooks. They invalidate the webhook queries even after an error. */
export function useWebhookCalls() {
  const queries = useQueryClient();
  async function reading<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } finally {
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
    }
  }
  return {
    create: (body: WebhookSettings & Pick<Webhook, 'enabled'>) =>
      reading(responseBodyOf(api.POST('/admin/webhooks', { body }))),
    update: (id: string, body: Partial<WebhookSettings & Pick<Webhook, 'enabled'>>) =>
      reading(responseBodyOf(api.PATCH('/admin/webhooks/{id}', { ...at(id), body }))),
    test: (id: string) => reading(responseBodyOf(api.POST('/admin/webhooks/{id}/test', at(id)))),
    retry: (id: string, deliveryId: string) =>
      reading(
        responseBodyOf(
          api.POST('/admin/webhooks/{id}/deliveries/{delivery_id}/retry', {
            params: { path: { id, delivery_id: deliveryId } },
          }),
        ),
      ),
    /** Invalidates lists only, because the open page of the deleted webhook would return a 404. */
    async delete(id: string): Promise<void> {
      await responseBodyOf(api.DELETE('/admin/webhooks/{id}', at(id)));
      await queries.invalidateQueries({ queryKey: ['webhooks', 'list'] });
    },
  };
}
