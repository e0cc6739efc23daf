import type { Concern } from './attention.rules';
import type { ApiKey, KeyNow, KeyQuota, Notification } from './attention-queries';
import { counted } from '../../parts/numbers';

/** The most urgent first. The thresholds of 7 days and 80% must match `src/scheduler/key-warnings.rules.ts`. */
const GROUPS = [
  {
    id: 'expired',
    title: 'expired',
    detail: 'Requests are rejected. Extend the expiry, or revoke keys that are no longer needed.',
    to: '/keys?status=expired',
    urgent: true,
  },
  {
    id: 'exceeded',
    title: 'at the monthly limit',
    detail: 'Requests are rejected until the month ends (UTC) or you raise the limit.',
    to: '/notifications',
    urgent: true,
  },
  {
    id: 'expiring',
    title: 'about to expire',
    detail: 'Fewer than 7 days remain. Extend the expiry, or give the client another key.',
    to: '/notifications',
    urgent: false,
  },
  {
    id: 'warned',
    title: 'above 80% of a monthly limit',
    detail: 'Requests are rejected at 100%, until the month ends (UTC) or you raise the limit.',
    to: '/notifications',
    urgent: false,
  },
] as const;
type GroupId = (typeof GROUPS)[number]['id'];

const WARNED_FROM = 0.8;

export const keysOf = (notifications: readonly Notification[], nowMs: number): string[] => [
  ...new Set(notifications.flatMap((one) => (groupOf(one, {}, nowMs) === null ? [] : [String(one.data['key_id'])]))),
];

/** Groups notifications by what needs to be done. Read notifications count too, because reading does not solve the problem. */
export function keyConcerns(
  notifications: readonly Notification[],
  now: ReadonlyMap<string, KeyNow>,
  nowMs: number,
): Concern[] {
  const seen = new Set<string>();
  return GROUPS.flatMap(({ id, title, detail, to, urgent }) => {
    const things = notifications.flatMap((notification) => {
      const keyId = String(notification.data['key_id']);
      const mark = `${id === 'expired' || id === 'expiring' ? 'expiry' : 'quota'} ${keyId}`;
      if (seen.has(mark) || groupOf(notification, now.get(keyId) ?? {}, nowMs) !== id) return [];
      seen.add(mark);
      return [{ label: now.get(keyId)?.key?.name ?? String(notification.data['key_name']), to: `/keys/${keyId}` }];
    });
    return things.length === 0
      ? []
      : [{ id, urgent, title: `${counted(things.length, 'key')} ${title}`, detail, to, things }];
  });
}

/** Returns the current group of a notification, or null if the problem is solved or not about a key. */
function groupOf({ type, data }: Notification, { key, quota }: KeyNow, nowMs: number): GroupId | null {
  if (key === null || key?.status === 'revoked') return null;
  switch (type) {
    case 'key_expired':
    case 'key_expiring_soon':
      if (key !== undefined && key.expires_at !== data['expires_at']) return null;
      // The key might have expired since the warning.
      return type === 'key_expired' || Date.parse(String(data['expires_at'])) <= nowMs ? 'expired' : 'expiring';
    case 'key_quota_warning':
    case 'key_quota_exceeded':
    case 'key_token_quota_warning':
    case 'key_token_quota_exceeded':
      if (data['month'] !== new Date(nowMs).toISOString().slice(0, 7)) return null;
      return quota === undefined ? quotaAsNotified(type, data, key) : quotaNow(type, quota);
    case 'webhook_disabled':
    case 'model_unpriced':
    case 'changes_lost':
    case 'limit_threshold_reached':
    case 'limit_forecast':
    case 'upstream_refused':
    case 'upstream_failing':
    case 'upstream_recovered':
    // A newer gateway can send other types.
    default:
      return null;
  }
}

type QuotaType = Extract<Notification['type'], `key_${string}quota_${string}`>;

const isOfTokens = (type: QuotaType): boolean =>
  type === 'key_token_quota_warning' || type === 'key_token_quota_exceeded';

function quotaNow(type: QuotaType, { limits, current: { month } }: KeyQuota): GroupId | null {
  const [used, limit] = isOfTokens(type)
    ? [month.token_count, limits.monthly_tokens]
    : [month.request_count, limits.monthly_requests];
  if (limit === null || used < WARNED_FROM * limit) return null;
  return used >= limit ? 'exceeded' : 'warned';
}

/** Used if the current counts are unknown. The notification applies as long as the limit is unchanged. */
function quotaAsNotified(type: QuotaType, data: Notification['data'], key: ApiKey | undefined): GroupId | null {
  const limit = isOfTokens(type) ? key?.monthly_token_limit : key?.monthly_limit;
  if (key !== undefined && limit !== data['limit']) return null;
  return type === 'key_quota_exceeded' || type === 'key_token_quota_exceeded' ? 'exceeded' : 'warned';
}
