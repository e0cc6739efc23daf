import { useSearchState } from '../../parts/use-search-state';
import { useKeys } from './key-queries';
import type { KeyListQuery } from './key-types';
import { endOfDay, startOfDay } from '../../parts/local-time';

const PAGE_SIZE = 50;
export const FILTERS = ['name', 'status', 'team_id', 'tag', 'since', 'until'] as const;

export function useKeyList() {
  const { get, page } = useSearchState();
  const keys = useKeys({ ...queryOf(get), limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
  return { keys, pageSize: PAGE_SIZE, filtered: FILTERS.some((name) => get(name) !== null) };
}

/** Invalid values are sent unchanged, and the gateway returns the error message. */
function queryOf(get: (name: string) => string | null): KeyListQuery {
  const [since, until] = [get('since'), get('until')];
  return {
    ...stateOf(get('status')),
    name: get('name') ?? undefined,
    team_id: get('team_id') ?? undefined,
    tag: get('tag') ?? undefined,
    since: since === null ? undefined : startOfDay(since),
    until: until === null ? undefined : endOfDay(until),
    sort_by: (get('sort_by') as KeyListQuery['sort_by']) ?? undefined,
    sort_dir: (get('sort_dir') as KeyListQuery['sort_dir']) ?? undefined,
  };
}

/** `active` excludes expired keys, as in the badges. */
function stateOf(status: string | null): Pick<KeyListQuery, 'status' | 'expired'> {
  if (status === null) return {};
  if (status === 'expired') return { expired: true };
  if (status === 'active') return { status, expired: false };
  return { status: status as KeyListQuery['status'] };
}
