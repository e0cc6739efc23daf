import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';

export const PAGE_SIZE = 50;
const WHILE_RUNNING_MS = 5000;

export function useJobs(page: number) {
  const query = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  return useQuery({
    queryKey: ['jobs', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/jobs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.error === null && state.data?.jobs.some(({ outcome }) => outcome === 'running') ? WHILE_RUNNING_MS : false,
  });
}

export const runDailyJob = () => responseBodyOf(api.POST('/admin/jobs/daily/run'));
