import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import type { RequestLogQuery } from './request-types';

export const useRequests = (query: RequestLogQuery, enabled: boolean) =>
  useQuery({
    queryKey: ['requests', 'list', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/request-logs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    enabled,
  });

/** Reads one request by its ID, including rejected requests outside the sample. The result is empty if no record exists. */
export const useRequest = (requestId: string, enabled = true) =>
  useQuery({
    queryKey: ['requests', requestId],
    queryFn: ({ signal }) => {
      const query = { request_id: requestId };
      return responseBodyOf(api.GET('/admin/request-logs', { params: { query }, signal }));
    },
    enabled,
  });
