import { useQueries, useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import { useTeamNames } from '../../parts/team-queries';
import type { TargetNames } from './limit-target';
import type { Limit } from './limit-types';

const STALE_MS = 60_000;
/** One request reads the names of most keys. */
const LISTED_MAX = 500;
const SHORT = 8;

/** Returns the names of the limits' teams and keys. An ID without a known name is shortened. */
export function useTargetNames(limits: readonly Limit[]): TargetNames {
  const team = useTeamNames();
  const ids = [...new Set(limits.flatMap(({ key_id }) => key_id ?? []))];
  const listed = useListedKeys(ids.length > 1);
  const missing = listed.isPending ? [] : ids.filter((id) => !listed.names.has(id));
  const single = useQueries({
    queries: missing.map((id) => ({
      queryKey: ['keys', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        responseBodyOf(api.GET('/admin/api-keys/{id}', { params: { path: { id } }, signal })),
      staleTime: STALE_MS,
    })),
  });
  const names = new Map([
    ...listed.names,
    ...single.flatMap(({ data }) => (data === undefined ? [] : [namePair(data)])),
  ]);
  return { team, key: (id) => names.get(id) ?? id.slice(0, SHORT) };
}

function useListedKeys(enabled: boolean) {
  const { data, isLoading } = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: ({ signal }) => {
      const query = { limit: LISTED_MAX, sort_by: 'updated_at', sort_dir: 'desc' } as const;
      return responseBodyOf(api.GET('/admin/api-keys', { params: { query }, signal }));
    },
    enabled,
    staleTime: STALE_MS,
  });
  return { names: new Map(data?.keys.map(namePair)), isPending: isLoading };
}

const namePair = ({ id, name }: { readonly id: string; readonly name: string }) => [id, name] as const;
