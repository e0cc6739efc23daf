import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import { showDone, showFailure } from '../../parts/toasts';

export const PAGE_SIZE = 50;

export function useNotifications(unreadOnly: boolean, page: number) {
  const query = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE, ...(unreadOnly ? { unread: true } : {}) };
  return useQuery({
    queryKey: ['notifications', 'list', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/notifications', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export const useUnreadCount = () =>
  useQuery({
    queryKey: ['notifications', 'unread-count'],
    queryFn: async ({ signal }) => {
      const query = { unread: true, limit: 1 };
      return (await responseBodyOf(api.GET('/admin/notifications', { params: { query }, signal }))).total;
    },
  });

/** Read marks belong to the operator, so viewers can set them too (D33). */
export function useMarkRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      responseBodyOf(api.POST('/admin/notifications/{id}/read', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['notifications'] }),
    onError: showFailure,
  });
}

export function useMarkAllRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => responseBodyOf(api.POST('/admin/notifications/read-all')),
    onSuccess: ({ read }) =>
      showDone(read === 1 ? '1 notification marked as read.' : `${read} notifications marked as read.`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['notifications'] }),
    onError: showFailure,
  });
}
