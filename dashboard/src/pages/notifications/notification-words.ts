import type { components } from '../../api/schema';
import { count } from '../../parts/numbers';

export type Notification = components['schemas']['NotificationResponse'];

interface NotificationWords {
  /** One line: what has happened to what. */
  readonly title: string;
  /** What it means or what to do; whole sentences. */
  readonly detail: string;
  /** Page of what it is about. */
  readonly to: string;
  /** What no longer works, rather than what soon will not. */
  readonly urgent: boolean;
}

type Data = Notification['data'];

/** Of the reader, like every other time on the page. */
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A notification in words (D20). Pure: for the page and for the bell. What is missing in `data` is left out. */
export function wordsOf({ type, data }: Pick<Notification, 'type' | 'data'>): NotificationWords {
  switch (type) {
    case 'key_expiring_soon':
      return ofKey(
        data,
        false,
        'expires soon',
        `It is valid until ${expiryOf(data)}. Give it a later date to keep it.`,
      );
    case 'key_expired':
      return ofKey(data, true, 'has expired', `It was valid until ${expiryOf(data)}. Its requests are refused.`);
    case 'key_quota_warning':
      return ofKey(data, false, `has used ${shareOf(data)} of its monthly requests`, amountOf(data, 'requests'));
    case 'key_quota_exceeded':
      return ofKey(data, true, 'has used up its monthly requests', usedUp(data, 'requests'));
    case 'key_token_quota_warning':
      return ofKey(data, false, `has used ${shareOf(data)} of its monthly tokens`, amountOf(data, 'tokens'));
    case 'key_token_quota_exceeded':
      return ofKey(data, true, 'has used up its monthly tokens', usedUp(data, 'tokens'));
    case 'webhook_disabled':
      return {
        title: `The webhook at ${hostOf(text(data, 'url'))} was switched off`,
        detail: 'Everything sent to it had failed for three days. Mend the receiver, then switch the webhook on again.',
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

/** A gateway newer than the page that is open may send what this page has no words for. */
function unknownType(type: never): NotificationWords {
  return { title: String(type).replaceAll('_', ' '), detail: '', to: '/notifications', urgent: false };
}

const usedUp = (data: Data, unit: string): string =>
  `${amountOf(data, unit)} Its requests are refused until the next month (UTC), unless the limit is raised.`;

function amountOf(data: Data, unit: string): string {
  const month = text(data, 'month');
  const when = month === '' ? '' : ` in ${MONTH.format(new Date(`${month}-01T00:00:00Z`))}`;
  return `${count(number(data, 'used'))} of ${count(number(data, 'limit'))} ${unit}${when}.`;
}

function shareOf(data: Data): string {
  const share = number(data, 'percent');
  return share === null ? 'most' : `${Math.floor(share)} %`;
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
