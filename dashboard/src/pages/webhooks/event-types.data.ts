import type { EventType } from './webhook-types';

interface EventGroup {
  readonly label: string;
  readonly types: readonly { readonly type: EventType; readonly label: string; readonly explanation: string }[];
}

/** Test events are not listed, because every webhook receives them (D20). */
export const EVENT_GROUPS: readonly EventGroup[] = [
  {
    label: 'Sent when a key changes',
    types: [
      { type: 'key_provisioned', label: 'Key created', explanation: 'A key was created.' },
      {
        type: 'key_rotated',
        label: 'Key rotated',
        explanation: 'A raw key was replaced. The old one no longer works.',
      },
      {
        type: 'key_suspended',
        label: 'Key suspended',
        explanation: 'A key was suspended. Requests with this key are rejected.',
      },
      { type: 'key_unsuspended', label: 'Key unsuspended', explanation: 'A suspended key works again.' },
      { type: 'key_revoked', label: 'Key revoked', explanation: 'A key was revoked permanently.' },
    ],
  },
  {
    label: 'Sent by the daily job',
    types: [
      {
        type: 'key_expiring_soon',
        label: 'Key expires soon',
        explanation: 'A key expires within 7 days. Sent once per expiry date.',
      },
      { type: 'key_expired', label: 'Key expired', explanation: 'A key has expired. Sent once per expiry date.' },
      {
        type: 'key_quota_warning',
        label: 'Monthly requests at 80%',
        explanation: 'A key has used 80% of its monthly requests. Sent once per month.',
      },
      {
        type: 'key_quota_exceeded',
        label: 'Monthly requests used up',
        explanation: 'A key has used all of its monthly requests. Sent once per month.',
      },
      {
        type: 'key_token_quota_warning',
        label: 'Monthly tokens at 80%',
        explanation: 'A key has used 80% of its monthly tokens. Sent once per month.',
      },
      {
        type: 'key_token_quota_exceeded',
        label: 'Monthly tokens used up',
        explanation: 'A key has used all of its monthly tokens. Sent once per month.',
      },
    ],
  },
  {
    label: 'Sent after requests',
    types: [
      {
        type: 'model_unpriced',
        label: 'Model without a price',
        explanation: 'A model without a price was used. Sent once per model and upstream.',
      },
      {
        type: 'limit_threshold_reached',
        label: 'Limit threshold reached',
        explanation: 'The usage of a limit reached an alert threshold. Sent once per threshold and period.',
      },
    ],
  },
  {
    label: 'Sent about upstreams',
    types: [
      {
        type: 'upstream_refused',
        label: 'Upstream refuses requests',
        explanation: 'A provider rejects the account or a model: a revoked key, no credit, or no permission.',
      },
      {
        type: 'upstream_failing',
        label: 'Upstream fails',
        explanation: 'An upstream cannot be reached, or does not serve the requests that it accepts.',
      },
      {
        type: 'upstream_recovered',
        label: 'Upstream has recovered',
        explanation: 'An upstream that refused or failed requests serves them again.',
      },
    ],
  },
  {
    label: 'Sent after a failover or restore',
    types: [
      {
        type: 'changes_lost',
        label: 'Changes lost',
        explanation: 'The database is in an earlier state and has lost changes that operators made.',
      },
    ],
  },
  {
    label: 'Sent by the hourly forecast',
    types: [
      {
        type: 'limit_forecast',
        label: 'Limit will be reached',
        explanation: 'At the current rate, a limit will be reached before its period ends. Sent once per period.',
      },
    ],
  },
];

const LABELS: ReadonlyMap<string, string> = new Map([
  ...EVENT_GROUPS.flatMap(({ types }) => types.map(({ type, label }) => [type, label] as const)),
  ['webhook_test', 'Test'],
]);

/** Returns the label of an event type. A newer gateway can send unknown types. */
export const eventLabel = (type: string): string => LABELS.get(type) ?? type;

export function eventsInWords(events: readonly string[]): string {
  if (events.includes('*')) return 'All events';
  const [first, second, ...others] = events.map(eventLabel);
  const shown = second === undefined ? `${first}` : `${first}, ${second}`;
  return others.length === 0 ? shown : `${shown} and ${others.length} more`;
}
