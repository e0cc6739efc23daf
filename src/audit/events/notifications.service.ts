import { Injectable } from '@nestjs/common';
import type { Page } from '../../platform/database/page.js';
import { notFound } from '../../platform/errors/error-factories.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { type Notification, NotificationStore } from './stores/notification.store.js';

export type { Notification } from './stores/notification.store.js';

/**
 * Lists notifications and marks them as read. Each operator and the admin key have separate marks, which are not audited (D17).
 */
@Injectable()
export class NotificationsService {
  constructor(private readonly store: NotificationStore) {}

  /** @param unread true for notifications that `actor` has not read, false for those it has read, null for both */
  list(
    actor: AdminActor,
    unread: boolean | null,
    page: Page,
  ): Promise<{ total: number; notifications: Notification[] }> {
    return this.store.list(readerOf(actor), unread, page);
  }

  async markRead(actor: AdminActor, id: string): Promise<Notification> {
    const notification = await this.store.markRead(readerOf(actor), id);
    if (notification === null) throw notFound('Notification not found');
    return notification;
  }

  /** Returns the number of notifications that were unread. */
  markAllRead(actor: AdminActor): Promise<number> {
    return this.store.markAllRead(readerOf(actor));
  }
}

const readerOf = ({ id, type }: AdminActor): string => id ?? type;
