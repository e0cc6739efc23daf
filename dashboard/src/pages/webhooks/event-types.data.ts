import type { EventType } from './webhook-types';

interface EventGroup {
  readonly label: string;
  readonly types: readonly { readonly type: EventType; readonly label: string; readonly explanation: string }[];
}

/** What a webhook may be told of (D20). A test reaches every webhook whatever it wants, so it is no choice. */
export const EVENT_GROUPS: readonly EventGroup[] = [
  {
    label: 'As soon as somebody changes a key',
    types: [
      { type: 'key_provisioned', label: 'Key created', explanation: 'A key was made.' },
      {
        type: 'key_rotated',
        label: 'Key rotated',
        explanation: 'A key got a new secret; the old one no longer works.',
      },
      { type: 'key_suspended', label: 'Key suspended', explanation: 'A key is refused until it is unsuspended.' },
      { type: 'key_unsuspended', label: 'Key unsuspended', explanation: 'A suspended key works again.' },
      { type: 'key_revoked', label: 'Key revoked', explanation: 'A key was ended for good.' },
    ],
  },
  {
    label: 'Found once a day by the daily job',
    types: [
      {
        type: 'key_expiring_soon',
        label: 'Key expires soon',
        explanation: 'A key expires within 7 days. Once for each expiry date.',
      },
      { type: 'key_expired', label: 'Key expired', explanation: 'A key has expired. Once for each expiry date.' },
      {
        type: 'key_quota_warning',
        label: 'Monthly requests at 80 %',
        explanation: 'A key has used 80 % of its monthly requests. Once a month.',
      },
      {
        type: 'key_quota_exceeded',
        label: 'Monthly requests used up',
        explanation: 'A key has used all of its monthly requests. Once a month.',
      },
      {
        type: 'key_token_quota_warning',
        label: 'Monthly tokens at 80 %',
        explanation: 'A key has used 80 % of its monthly tokens. Once a month.',
      },
      {
        type: 'key_token_quota_exceeded',
        label: 'Monthly tokens used up',
        explanation: 'A key has used all of its monthly tokens. Once a month.',
      },
    ],
  },
];

const LABELS: ReadonlyMap<string, string> = new Map([
  ...EVENT_GROUPS.flatMap(({ types }) => types.map(({ type, label }) => [type, label] as const)),
  ['webhook_test', 'Test'],
]);

/** A type that a newer gateway has is shown by its name. */
export const eventLabel = (type: string): string => LABELS.get(type) ?? type;

/** `All`, `Key created, Key rotated`, `Key created, Key rotated and 3 more`. */
export function eventsInWords(events: readonly string[]): string {
  if (events.includes('*')) return 'All events';
  const [first, second, ...others] = events.map(eventLabel);
  const shown = second === undefined ? `${first}` : `${first}, ${second}`;
  return others.length === 0 ? shown : `${shown} and ${others.length} more`;
}
