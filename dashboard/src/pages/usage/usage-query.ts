import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import type { components } from '../../api/schema';
import type { DayRange } from '../../parts/period';

export type Usage = components['schemas']['UsageResponse'];
export type UsageFigures = components['schemas']['UsageFiguresResponse'];
export type UsageOfKey = components['schemas']['UsageOfKey'];
export type UsageOfModel = components['schemas']['UsageOfModel'];
export type DailyUsage = components['schemas']['DailyUsage'];

export const useUsage = ({ from, to }: DayRange, keyId: string | null) =>
  useQuery({
    queryKey: ['usage', from, to, keyId],
    queryFn: ({ signal }) =>
      responseBodyOf(api.GET('/admin/usage', { params: { query: { from, to, key_id: keyId ?? undefined } }, signal })),
    placeholderData: keepPreviousData,
  });

/** Returns a percentage of the requests, or null without requests. */
export const errorRateOf = ({ requests, errors }: Pick<UsageFigures, 'requests' | 'errors'>): number | null =>
  requests === 0 ? null : (100 * errors) / requests;

/** All requests and failures, including those that were not admitted. */
export const sentOf = ({ totals, rejected_requests: rejected }: Usage): Pick<UsageFigures, 'requests' | 'errors'> => ({
  requests: totals.requests + rejected,
  errors: totals.errors + rejected,
});
