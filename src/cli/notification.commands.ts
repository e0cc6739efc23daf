import {
  ListNotificationsRequest,
  NotificationListResponse,
  type NotificationResponse,
} from '../admin/notifications/notifications.dto.js';
import { EventsModule } from '../audit/events/events.module.js';
import { NotificationsService } from '../audit/events/notifications.service.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { withApplication } from './application.js';
import { readQuery } from './input-options.js';
import type { Invocation, Result } from './command.js';
import { PAGE_OPTIONS } from './options.data.js';
import { pageText, timeText } from './text-table.js';

export async function listNotifications(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const query = await readQuery(ListNotificationsRequest, input, PAGE_OPTIONS);
  return withApplication(call, { module: EventsModule, writes: false }, async (services) => {
    const page = await services.get(NotificationsService, { strict: false }).list(SYSTEM_ACTOR, null, query);
    const document = NotificationListResponse.of(page, query.offset);
    return { document, text: listText(document, query.offset) };
  });
}

const listText = ({ total, notifications }: NotificationListResponse, offset: number): string =>
  pageText(['TIME', 'TYPE', 'DATA'], notifications.map(row), { offset, total, none: 'No notifications found.' });

const row = ({ created_at: at, type, data }: NotificationResponse): string[] => [
  timeText(at),
  type,
  Object.entries(data)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' '),
];
