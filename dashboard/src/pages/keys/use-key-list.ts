import { useSearchState } from '../../parts/use-search-state';
import { useKeys } from './key-queries';
import type { KeyListQuery } from './key-types';
import { endOfDay, startOfDay } from '../../parts/local-time';

const PAGE_SIZE = 50;
/** What the list can be narrowed by, as it stands in the address bar. */
export const FILTERS = ['name', 'status', 'since', 'until'] as const;

/** The list that the address bar asks for. */
export function useKeyList() {
  const { get, page } = useSearchState();
  const keys = useKeys({ ...queryOf(get), limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
  return { keys, pageSize: PAGE_SIZE, filtered: FILTERS.some((name) => get(name) !== null) };
}

/** A wrong value goes out as it is: the gateway says what is wrong with it. */
function queryOf(get: (name: string) => string | null): KeyListQuery {
  const [since, until] = [get('since'), get('until')];
  return {
    ...stateOf(get('status')),
    name: get('name') ?? undefined,
    since: since === null ? undefined : startOfDay(since),
    until: until === null ? undefined : endOfDay(until),
    sort_by: (get('sort_by') as KeyListQuery['sort_by']) ?? undefined,
    sort_dir: (get('sort_dir') as KeyListQuery['sort_dir']) ?? undefined,
  };
}

/** As the badges say it: `active` is what is accepted now. */
function stateOf(status: string | null): Pick<KeyListQuery, 'status' | 'expired'> {
  if (status === null) return {};
  if (status === 'expired') return { expired: true };
  if (status === 'active') return { status, expired: false };
  return { status: status as KeyListQuery['status'] };
}
