import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { responseBodyOf, api } from '../../api/client';
import { useSession } from '../../session/use-session';
import type { TestedUpstream, Upstream, UpstreamList } from './upstream-types';

const LIVE_MS = 5000;
/** Exceeds the 64 upstreams that a file can have. */
const LISTED_MAX = 100;
const LIST = ['upstreams', 'list'] as const;
const one = (name: string) => ['upstreams', 'one', name] as const;
const at = (name: string) => ({ params: { path: { name } } });

/** Polls while the page is visible and the session is valid. The list is empty with a single account. */
export function useUpstreams(everyMs = LIVE_MS) {
  const signedIn = useSession().kind === 'signedIn';
  return useQuery({
    queryKey: LIST,
    queryFn: ({ signal }) =>
      responseBodyOf(api.GET('/admin/upstreams', { params: { query: { limit: LISTED_MAX } }, signal })),
    refetchInterval: ({ state }) => (signedIn && state.data?.upstreams.length !== 0 ? everyMs : false),
  });
}

export function useUpstream(name: string) {
  const signedIn = useSession().kind === 'signedIn';
  return useQuery({
    queryKey: one(name),
    queryFn: ({ signal }) => responseBodyOf(api.GET('/admin/upstreams/{name}', { ...at(name), signal })),
    refetchInterval: ({ state }) => (signedIn && !isUnknown(state.error) ? LIVE_MS : false),
  });
}

const isUnknown = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

export const testUpstream = (name: string): Promise<TestedUpstream> =>
  responseBodyOf(api.POST('/admin/upstreams/{name}/test', at(name)));

export function useDrainCalls() {
  const queries = useQueryClient();
  /** Shows the response instead of reading again, because another process could return its state from before the drain. */
  async function show(call: Promise<Upstream>): Promise<void> {
    const upstream = await call;
    await queries.cancelQueries({ queryKey: ['upstreams'] });
    queries.setQueryData<Upstream>(one(upstream.name), upstream);
    queries.setQueryData<UpstreamList>(LIST, (list) => list && withUpstream(list, upstream));
  }
  return {
    drain: (name: string) => show(responseBodyOf(api.POST('/admin/upstreams/{name}/drain', at(name)))),
    resume: (name: string) => show(responseBodyOf(api.POST('/admin/upstreams/{name}/resume', at(name)))),
  };
}

const withUpstream = (list: UpstreamList, upstream: Upstream): UpstreamList => ({
  ...list,
  upstreams: list.upstreams.map((each) => (each.name === upstream.name ? upstream : each)),
});
