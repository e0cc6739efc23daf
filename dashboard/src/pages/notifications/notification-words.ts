import type { components } from '../../api/schema';
import { count } from '../../parts/numbers';
import { limitWordsOf } from './limit-words.rules';

export type Notification = components['schemas']['NotificationResponse'];

export interface NotificationWords {
  readonly title: string;
  readonly detail: string;
  readonly to: string;
  /** Requests or deliveries already fail. */
  readonly urgent: boolean;
}

export type NotificationData = Notification['data'];
type Data = NotificationData;

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns the display text of a notification (D20). Missing `data` is left out. */
export function wordsOf({ type, data }: Pick<Notification, 'type' | 'data'>): NotificationWords {
  switch (type) {
    case 'key_expiring_soon':
      return ofKey(
        data,
        false,
        'expires soon',
        `The key is valid until ${expiryOf(data)}. Set a later expiry to keep it valid.`,
      );
    case 'key_expired':
      return ofKey(
        data,
        true,
        'has expired',
        `The key was valid until ${expiryOf(data)}. Requests with this key are rejected.`,
      );
    case 'key_quota_warning':
      return ofKey(data, false, `has used ${shareOf(data)} of its monthly requests`, amountOf(data, 'requests'));
    case 'key_quota_exceeded':
      return ofKey(data, true, 'has used up its monthly requests', usedUp(data, 'requests'));
    case 'key_token_quota_warning':
      return ofKey(data, false, `has used ${shareOf(data)} of its monthly tokens`, amountOf(data, 'tokens'));
    case 'key_token_quota_exceeded':
      return ofKey(data, true, 'has used up its monthly tokens', usedUp(data, 'tokens'));
    case 'model_unpriced':
      return {
        title: `Model “${text(data, 'model')}” has no price`,
        detail: `Requests to it at the upstream “${text(data, 'provider')}” have no known cost. Set a price.`,
        to: '/costs/prices',
        urgent: false,
      };
    case 'changes_lost':
      return {
        title: `The database has lost ${text(data, 'count')} changes`,
        detail: 'It is in an earlier state. Revoked keys stay revoked until you decide.',
        to: '/lost-changes',
        urgent: true,
      };
    case 'limit_threshold_reached':
    case 'limit_forecast':
      return limitWordsOf(type, data);
    case 'upstream_refused':
    case 'upstream_failing':
    case 'upstream_recovered':
      return ofUpstream(type, data);
    case 'webhook_disabled':
      return {
        title: `The webhook at ${hostOf(text(data, 'url'))} was disabled`,
        detail: 'All deliveries failed for three days. Fix the receiver, then enable the webhook again.',
        to: `/webhooks/${text(data, 'webhook_id')}`,
        urgent: true,
      };
    default:
      return unknownType(type);
  }
}

function ofKey(data: Data, urgent: boolean, what: string, detail: string): NotificationWords {
  return {
    title: `Key “${text(data, 'key_name')}” ${what}`,
    detail,
    to: `/keys/${text(data, 'key_id')}`,
    urgent,
  };
}

function ofUpstream(type: Extract<Notification['type'], `upstream_${string}`>, data: Data): NotificationWords {
  const name = `Upstream “${text(data, 'upstream')}”`;
  const to = `/upstreams/${text(data, 'upstream')}`;
  if (type === 'upstream_recovered')
    return { title: `${name} has recovered`, detail: 'It serves requests again.', to, urgent: false };
  const { last_error: error } = data;
  const isRefused = type === 'upstream_refused';
  const what = isRefused ? 'refuses requests' : 'fails to serve requests';
  const advice = isRefused ? 'Check its credential, its credit and its models.' : 'Check the status of the provider.';
  const message = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
  return {
    title: `${name} ${what}`,
    detail: message === '' ? advice : `${advice} Last error: ${message}`,
    to,
    urgent: true,
  };
}

/** A newer gateway can send types that are unknown to this page. */
function unknownType(type: never): NotificationWords {
  return { title: String(type).replaceAll('_', ' '), detail: '', to: '/notifications', urgent: false };
}

const usedUp = (data: Data, unit: string): string =>
  `${amountOf(data, unit)} Requests with this key are rejected until the next month (UTC), unless you raise the limit.`;

function amountOf(data: Data, unit: string): string {
  const month = text(data, 'month');
  const when = month === '' ? '' : ` in ${MONTH.format(new Date(`${month}-01T00:00:00Z`))}`;
  return `${count(number(data, 'used'))} of ${count(number(data, 'limit'))} ${unit}${when}.`;
}

function shareOf(data: Data): string {
  const share = number(data, 'percent');
  return share === null ? 'most' : `${Math.floor(share)}%`;
}

function expiryOf(data: Data): string {
  const at = new Date(text(data, 'expires_at'));
  return Number.isNaN(at.getTime()) ? 'its expiry date' : MOMENT.format(at);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function text(data: Data, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

function number(data: Data, name: string): number | null {
  const value = data[name];
  return typeof value === 'number' ? value : null;
}
