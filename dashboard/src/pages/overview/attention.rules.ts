import { plural } from '../../parts/numbers';
import type { JobRun, Readiness, Webhook } from './attention-queries';

/** Something that an operator should look at. */
export interface Concern {
  readonly id: string;
  readonly urgent: boolean;
  readonly title: string;
  /** What it means, or what to do. */
  readonly detail: string;
  /** Where it is dealt with. */
  readonly to: string;
  /** What it is about, one by one. */
  readonly things: readonly { readonly label: string; readonly to: string }[];
}

/** A day, and an hour for a run that begins late. */
const DAILY_OVERDUE_MS = 25 * 3_600_000;

export function readinessConcerns(readiness: Readiness): Concern[] {
  const { status, database, upstream, draining } = readiness;
  if (status === 'ready') return [];
  const wrong = [
    ...(database === 'ready' ? [] : ['the database cannot be reached']),
    ...(upstream === 'away' ? ['the upstream does not answer'] : []),
    ...(upstream === 'refused' ? ['the upstream refuses the account’s key'] : []),
    ...(draining ? ['the gateway is being stopped'] : []),
  ].join(', ');
  const title = status === 'degraded' ? 'The gateway is degraded' : 'The gateway is not ready';
  const detail = `${sentence(wrong)}. ${status === 'degraded' ? whatIsServed(readiness) : 'Requests are refused.'}`;
  return [{ id: 'readiness', urgent: true, title, detail, to: '/requests', things: [] }];
}

/** While something is away (D22). */
function whatIsServed({ database, upstream }: Readiness): string {
  return [
    ...(database === 'ready' ? [] : ['Keys used within the ten minutes before are still served, all others refused.']),
    ...(upstream === 'ready' ? [] : ['Requests to it are answered with 502.']),
    ...(upstream === 'refused' ? ['Put GW_UPSTREAM_API_KEY right.'] : []),
  ].join(' ');
}

export function webhookConcerns(off: readonly Webhook[]): Concern[] {
  if (off.length === 0) return [];
  return [
    {
      id: 'webhooks',
      urgent: true,
      title: `${counted(off.length, 'webhook')} switched off`,
      detail: 'Nothing could be delivered for three days. Mend the receiver, then switch it on again.',
      to: '/webhooks',
      things: off.map(({ id, url }) => ({ label: url, to: `/webhooks/${id}` })),
    },
  ];
}

/** @param run null: none was found */
export function jobConcerns(run: JobRun | null, nowMs: number): Concern[] {
  const concern = (title: string, detail: string): Concern[] => [
    { id: 'job', urgent: run?.outcome === 'failed', title, detail, to: '/jobs', things: [] },
  ];
  if (run === null)
    return concern('The daily job has not run yet', 'It warns of expiring keys and deletes what is too old.');
  if (run.outcome === 'failed')
    return concern('The last daily job failed', 'Not all of it was done. It can be run again.');
  if (nowMs - Date.parse(run.started_at) > DAILY_OVERDUE_MS)
    return concern('The daily job is overdue', 'Its last run began more than a day ago. It can be run by hand.');
  return [];
}

export function modelConcerns(unavailable: number): Concern[] {
  if (unavailable === 0) return [];
  return [
    {
      id: 'models',
      urgent: false,
      title: `${counted(unavailable, 'model')} unavailable`,
      detail: 'Listed upstream, but the last probe could not call it.',
      to: '/models?availability=listed_unavailable',
      things: [],
    },
  ];
}

const counted = (number: number, what: string): string => `${number} ${plural(number, what)}`;
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
