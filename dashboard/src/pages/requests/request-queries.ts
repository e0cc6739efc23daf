import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import type { RequestQuery } from './request-types';

const PAGE_SIZE = 50;
const LIVE_EVERY_MS = 5000;

interface Options {
  readonly enabled: boolean;
  /** Whether new requests appear without a click. */
  readonly live: boolean;
}

export const useRequests = (filter: RequestQuery, { enabled, live }: Options) =>
  useInfiniteQuery({
    queryKey: ['requests', 'list', filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) };
      return responseBodyOf(api.GET('/admin/requests', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: live ? LIVE_EVERY_MS : false,
    enabled,
  });

/** The path of a CSV file with all requests of the list, below `/admin/`. */
export const csvPath = (filter: RequestQuery): string =>
  `requests?${new URLSearchParams({ ...(filter as Record<string, string>), format: 'csv' }).toString()}`;

/** The share of the requests in the sample, from 0 to 1. */
export const useSampleRate = (): number | undefined =>
  useQuery({
    queryKey: ['requests', 'sample rate'],
    queryFn: async ({ signal }) => {
      const query = { limit: 1 };
      return (await responseBodyOf(api.GET('/admin/requests', { params: { query }, signal }))).sample_rate;
    },
    staleTime: Infinity,
  }).data;

/** Reads one request by its ID. The result is empty if no record exists. */
export const useRequest = (requestId: string, enabled = true) =>
  useQuery({
    queryKey: ['requests', requestId],
    queryFn: ({ signal }) => {
      const query = { request_id: requestId };
      return responseBodyOf(api.GET('/admin/requests', { params: { query }, signal }));
    },
    enabled,
  });
