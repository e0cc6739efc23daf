import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import { momentsOf, type DayRange, type Period } from '../../parts/period';

/** Exact numbers of rejected and failed requests. */
export const useRequestErrors = ({ from, to }: DayRange) =>
  useQuery({
    queryKey: ['usage', 'errors', from, to],
    queryFn: ({ signal }) =>
      responseBodyOf(api.GET('/admin/request-errors', { params: { query: { from, to } }, signal })),
    placeholderData: keepPreviousData,
  });

/** The address of the kept requests that failed. @param code null for any error code */
export function failedRequestsIn(period: Period, code: string | null = null): string {
  const filter: Record<string, string> = code === null ? { status: 'error' } : { error_code: code };
  return `/requests?${new URLSearchParams({ ...filter, ...momentsOf(period) }).toString()}`;
}
