import { counted } from '../../parts/numbers';
import type { JobRun, Readiness, Webhook } from './attention-queries';

export interface Concern {
  readonly id: string;
  readonly urgent: boolean;
  readonly title: string;
  readonly detail: string;
  readonly to: string;
  readonly things: readonly { readonly label: string; readonly to: string }[];
}

/** One day, plus one hour for a late start. */
const DAILY_OVERDUE_MS = 25 * 3_600_000;

/** @param upstreams number of upstreams in the `GW_UPSTREAMS` file, or 0 with a single account */
export function readinessConcerns(readiness: Readiness, upstreams = 0): Concern[] {
  const { status, database, upstream, draining } = readiness;
  if (status === 'ready') return [];
  const wrong = [
    ...(database === 'ready' ? [] : ['the database cannot be reached']),
    ...(upstream === 'ready' ? [] : [upstreams === 0 ? ACCOUNT[upstream] : UPSTREAMS[upstream]]),
    ...(draining ? ['the gateway is shutting down'] : []),
  ].join(', ');
  const title = status === 'degraded' ? 'The gateway is degraded' : 'The gateway is not ready';
  const detail = `${sentence(wrong)}. ${status === 'degraded' ? whatIsServed(readiness, upstreams) : 'Requests are rejected.'}`;
  return [{ id: 'readiness', urgent: true, title, detail, to: '/requests', things: [] }];
}

const ACCOUNT = {
  away: 'the upstream cannot be reached',
  refused: 'the upstream rejects the API key of the account',
  failing: 'the upstream does not serve its requests',
};
/** The readiness covers several upstreams only if none of them can serve. */
const UPSTREAMS = {
  away: 'no upstream can be reached',
  refused: 'every upstream is unreachable or rejects its credential',
  failing: 'no upstream serves its requests',
};

/** Describes the effect of an outage on requests (D22). */
function whatIsServed({ database, upstream }: Readiness, upstreams: number): string {
  return [
    ...(database === 'ready'
      ? []
      : ['Keys used in the 10 minutes before the outage are still served. Requests with other keys are rejected.']),
    ...(upstream === 'ready' ? [] : [`Requests to ${upstreams === 0 ? 'the upstream' : 'upstreams'} fail with 502.`]),
    ...(upstream === 'refused' ? [upstreams === 0 ? 'Fix GW_UPSTREAM_API_KEY.' : 'Fix the credentials.'] : []),
  ].join(' ');
}

export function webhookConcerns(off: readonly Webhook[]): Concern[] {
  if (off.length === 0) return [];
  return [
    {
      id: 'webhooks',
      urgent: true,
      title: `${counted(off.length, 'webhook')} disabled`,
      detail: 'All deliveries failed for three days. Fix the receiver, then enable the webhook again.',
      to: '/webhooks',
      things: off.map(({ id, url }) => ({ label: url, to: `/webhooks/${id}` })),
    },
  ];
}

export function jobConcerns(run: JobRun | null, nowMs: number): Concern[] {
  const concern = (title: string, detail: string): Concern[] => [
    { id: 'job', urgent: run?.outcome === 'failed', title, detail, to: '/jobs', things: [] },
  ];
  if (run === null) return concern('The daily job has not run yet', 'It warns of expiring keys and deletes old data.');
  if (run.outcome === 'failed') return concern('The last daily job failed', 'It is incomplete. You can run it again.');
  if (nowMs - Date.parse(run.started_at) > DAILY_OVERDUE_MS)
    return concern('The daily job is overdue', 'Its last run started more than 25 hours ago. You can run it manually.');
  return [];
}

export function modelConcerns(unavailable: number): Concern[] {
  if (unavailable === 0) return [];
  return [
    {
      id: 'models',
      urgent: false,
      title: `${counted(unavailable, 'model')} unavailable`,
      detail: 'Listed by the provider, but the last probe failed.',
      to: '/models?availability=listed_unavailable',
      things: [],
    },
  ];
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
