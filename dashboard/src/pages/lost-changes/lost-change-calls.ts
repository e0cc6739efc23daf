import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import type { components } from '../../api/schema';

export type LostChange = components['schemas']['LostChangeResponse'];
export type Decision = 'apply' | 'discard';

export const PAGE_SIZE = 50;

export function useLostChanges(undecidedOnly: boolean, page: number) {
  const query = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE, ...(undecidedOnly ? { decided: false } : {}) };
  return useQuery({
    queryKey: ['lost-changes', query],
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/lost-changes', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** @param ids undefined for all changes without a decision */
export const decide = (decision: Decision, ids?: string[]) =>
  decision === 'apply'
    ? responseBodyOf(api.POST('/admin/lost-changes/apply', { body: { ids } }))
    : responseBodyOf(api.POST('/admin/lost-changes/discard', { body: { ids } }));
