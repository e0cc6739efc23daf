import { ApiProperty } from '@nestjs/swagger';
import { NOTIFICATION_TYPES, type NotificationType } from '../../audit/events/event-type.data.js';
import { maskedUrl } from '../../audit/events/webhook-target.rules.js';
import type { Notification } from '../../audit/events/notifications.service.js';
import { QueryFlag } from '../../platform/validation/query-fields.js';
import { Page, PageRequest, pageOf } from '../page.dto.js';
import { TIME } from '../fields.data.js';

export class ListNotificationsRequest extends PageRequest {
  @QueryFlag({ description: '`true` lists only unread notifications, `false` only read ones.' })
  unread?: boolean;
}

const DATA = {
  key_id: '0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90',
  key_name: 'reporting',
  status: 'active',
  expires_at: '2026-07-05T00:00:00.000Z',
};

export class NotificationResponse {
  @ApiProperty({ format: 'uuid', example: '7b6f1c1e-5a0d-4a57-8d8e-93a4f6f2c1b7' })
  id: string;

  @ApiProperty({ enum: NOTIFICATION_TYPES })
  type: NotificationType;

  @ApiProperty({ type: 'object', additionalProperties: true, example: DATA, description: 'Depends on `type`.' })
  data: Readonly<Record<string, unknown>>;

  @ApiProperty({ ...TIME, nullable: true, description: 'When the caller marked it as read. Null if it is unread.' })
  read_at: Date | null;

  @ApiProperty(TIME)
  created_at: Date;

  static of({ id, type, data, readAt, createdAt }: Notification): NotificationResponse {
    // Version 1.0 stored the path of the webhook's URL.
    const { url } = data;
    const shown = type === 'webhook_disabled' && typeof url === 'string' ? { ...data, url: maskedUrl(url) } : data;
    return { id, type, data: shown, read_at: readAt, created_at: createdAt };
  }
}

export class NotificationListResponse extends Page {
  @ApiProperty({ type: [NotificationResponse] })
  notifications: NotificationResponse[];

  static of(
    { total, notifications }: { total: number; notifications: Notification[] },
    offset: number,
  ): NotificationListResponse {
    const rows = notifications.map((notification) => NotificationResponse.of(notification));
    return { ...pageOf(total, offset, rows.length), notifications: rows };
  }
}

export class AllReadResponse {
  @ApiProperty({ type: 'integer', minimum: 0, example: 3, description: 'Number of notifications that were unread.' })
  read: number;
}
