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

  /** @param unread true: only those that `actor` has not read; false: only those it has read; null: both */
  list(
    actor: AdminActor,
    unread: boolean | null,
    page: Page,
  ): Promise<{ total: number; notifications: Notification[] }> {
    return this.store.list(readerOf(actor), unread, page);
  }

  async read(actor: AdminActor, id: string): Promise<Notification> {
    const notification = await this.store.read(readerOf(actor), id);
    if (notification === null) throw notFound('Notification not found');
    return notification;
  }

  readAll(actor: AdminActor): Promise<number> {
    return this.store.readAll(readerOf(actor));
  }
}

const readerOf = ({ id, type }: AdminActor): string => id ?? type;
