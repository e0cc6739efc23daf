/** What the daily job finds out about keys. These, and nothing else of the queue, ring the bell (D20). */
export const DAILY_EVENT_TYPES = [
  'key_expiring_soon',
  'key_expired',
  'key_quota_warning',
  'key_quota_exceeded',
  'key_token_quota_warning',
  'key_token_quota_exceeded',
] as const;

/** Every event that goes out by the queue (D20). */
export const EVENT_TYPES = [
  'key_provisioned',
  'key_rotated',
  'key_revoked',
  'key_suspended',
  'key_unsuspended',
  ...DAILY_EVENT_TYPES,
  'webhook_test',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** What the bell shows: the last one goes to no webhook. */
export const NOTIFICATION_TYPES = [...DAILY_EVENT_TYPES, 'webhook_disabled'] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** `pending`: still tried; `failed`: parked until an operator sends it again. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
