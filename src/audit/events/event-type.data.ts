/** Events that the daily job creates. */
export const DAILY_EVENT_TYPES = [
  'key_expiring_soon',
  'key_expired',
  'key_quota_warning',
  'key_quota_exceeded',
  'key_token_quota_warning',
  'key_token_quota_exceeded',
] as const;

/** A database trigger writes `limit_threshold_reached`. */
const LIMIT_EVENT_TYPES = ['limit_threshold_reached', 'limit_forecast'] as const;

/** The gateway sees them in the responses of upstreams. */
const UPSTREAM_EVENT_TYPES = ['upstream_refused', 'upstream_failing', 'upstream_recovered'] as const;

export const EVENT_TYPES = [
  'key_provisioned',
  'key_rotated',
  'key_revoked',
  'key_suspended',
  'key_unsuspended',
  ...DAILY_EVENT_TYPES,
  'model_unpriced',
  'changes_lost',
  ...LIMIT_EVENT_TYPES,
  ...UPSTREAM_EVENT_TYPES,
  'webhook_test',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Only these events also create notifications (D20). */
export const NOTIFYING_EVENT_TYPES = [
  ...DAILY_EVENT_TYPES,
  'model_unpriced',
  'changes_lost',
  ...LIMIT_EVENT_TYPES,
  ...UPSTREAM_EVENT_TYPES,
] as const;

/** `webhook_disabled` is not sent to webhooks. */
export const NOTIFICATION_TYPES = [...NOTIFYING_EVENT_TYPES, 'webhook_disabled'] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** A `failed` delivery is dead-lettered until an operator retries it. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
