import { Injectable } from '@nestjs/common';
import { notFound } from '../errors/catalogue.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { type Notification, NotificationStore } from './stores/notification.store.js';
import type { Page } from './stores/webhook.store.js';

export type { Notification } from './stores/notification.store.js';

/** The bell: each operator, and the admin key, has marks of its own (D17). Marks are nobody else's matter: no audit row. */
@Injectable()
export class NotificationsService {
  constructor(private readonly store: NotificationStore) {}

  /** @param unread true: only what `actor` has not marked; false: only what it has; null: both */
  list(
    actor: AdminActor,
    unread: boolean | null,
    page: Page,
  ): Promise<{ total: number; notifications: Notification[] }> {
    return this.store.list(readerOf(actor), unread, page);
  }

  /** Marking twice is once. @throws GatewayError `not_found` */
  async read(actor: AdminActor, id: string): Promise<Notification> {
    const notification = await this.store.read(readerOf(actor), id);
    if (notification === null) throw notFound('Notification not found');
    return notification;
  }

  /** @returns how many were unread */
  readAll(actor: AdminActor): Promise<number> {
    return this.store.readAll(readerOf(actor));
  }
}

const readerOf = ({ id, type }: AdminActor): string => id ?? type;
