import type { ApiKey, JobRun, Notification, Readiness, Webhook } from './attention-queries';

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

export function readinessConcerns({ status, database, upstream, draining }: Readiness): Concern[] {
  if (status === 'ready') return [];
  const away = [
    ...(database === 'ready' ? [] : ['the database cannot be reached']),
    ...(upstream === 'ready' ? [] : ['the upstream does not answer']),
    ...(draining ? ['it is being stopped'] : []),
  ].join(', ');
  const title = status === 'degraded' ? 'The gateway is degraded' : 'The gateway is not ready';
  const detail = `${away === '' ? 'Something behind it is away' : sentence(away)}. ${
    status === 'degraded' ? 'Keys known to it are still served.' : 'Requests are refused.'
  }`;
  return [{ id: 'readiness', urgent: true, title, detail, to: '/requests', things: [] }];
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

/** Groups of notifications about keys, the gravest first. */
const GROUPS = [
  {
    id: 'expired',
    types: ['key_expired'],
    title: 'expired',
    detail: 'Requests are refused until the date is moved. Revoke what is not needed.',
    to: '/keys?status=expired',
    urgent: true,
  },
  {
    id: 'exceeded',
    types: ['key_quota_exceeded', 'key_token_quota_exceeded'],
    title: 'at the monthly limit',
    detail: 'Requests are refused until the month ends (UTC) or the limit is raised.',
    to: '/notifications?show=unread',
    urgent: true,
  },
  {
    id: 'expiring',
    types: ['key_expiring_soon'],
    title: 'about to expire',
    detail: 'Within a week. Move the date, or give whoever uses it another key.',
    to: '/notifications?show=unread',
    urgent: false,
  },
  {
    id: 'warned',
    types: ['key_quota_warning', 'key_token_quota_warning'],
    title: 'above 80 % of a monthly limit',
    detail: 'As of the last daily job.',
    to: '/notifications?show=unread',
    urgent: false,
  },
] as const;

/** The ids of the keys that unread notifications are about. */
export const keysOf = (unread: readonly Notification[]): string[] => [
  ...new Set(unread.flatMap(({ data }) => (typeof data['key_id'] === 'string' ? [data['key_id']] : []))),
];

/**
 * What unread notifications tell of keys, each key once a group.
 * @param keys what the keys are now, as far as it is known: what has been dealt with since is left out
 */
export function keyConcerns(
  unread: readonly Notification[],
  keys: ReadonlyMap<string, ApiKey | null>,
  nowMs: number,
): Concern[] {
  const told = new Set<string>();
  return GROUPS.flatMap(({ id, types, title, detail, to, urgent }) => {
    const matter = id === 'expired' || id === 'expiring' ? 'expiry' : 'quota';
    const things = unread.flatMap((notification) => {
      const type = typeNow(notification, nowMs);
      const keyId = String(notification.data['key_id']);
      const mark = `${matter} ${keyId}`;
      if (!types.some((name) => name === type) || told.has(mark) || !stands(notification, keys.get(keyId), nowMs))
        return [];
      told.add(mark);
      return [{ label: keys.get(keyId)?.name ?? String(notification.data['key_name']), to: `/keys/${keyId}` }];
    });
    return things.length === 0
      ? []
      : [{ id, urgent, title: `${counted(things.length, 'key')} ${title}`, detail, to, things }];
  });
}

/** What was about to expire may have expired since. */
const typeNow = ({ type, data }: Notification, nowMs: number): Notification['type'] =>
  type === 'key_expiring_soon' && Date.parse(String(data['expires_at'])) <= nowMs ? 'key_expired' : type;

/** Whether it still is as it was told: the date, the limit and the month are the same and the key is in use. */
function stands({ type, data }: Notification, key: ApiKey | null | undefined, nowMs: number): boolean {
  if (key === null || key?.status === 'revoked') return false;
  if (type === 'key_expired' || type === 'key_expiring_soon')
    return key === undefined || key.expires_at === data['expires_at'];
  if (data['month'] !== new Date(nowMs).toISOString().slice(0, 7)) return false;
  const ofTokens = type === 'key_token_quota_warning' || type === 'key_token_quota_exceeded';
  return key === undefined || (ofTokens ? key.monthly_token_limit : key.monthly_limit) === data['limit'];
}

const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
