import { Get, Param, Post } from '@nestjs/common';
import { NotificationsService } from '../../audit/events/notifications.service.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { UuidPipe } from '../id.pipes.js';
import {
  ListNotificationsRequest,
  AllReadResponse,
  NotificationListResponse,
  NotificationResponse,
} from './notifications.dto.js';

/** The dashboard's notifications. Read marks belong to the operator, so a viewer can set them too (D33). */
@AdminController('notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List notifications', type: NotificationListResponse })
  async list(@ValidQuery(ListNotificationsRequest) query: ListNotificationsRequest, @Actor() actor: AdminActor) {
    return NotificationListResponse.of(await this.notifications.list(actor, query.unread ?? null, query), query.offset);
  }

  @Post('read-all')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Mark all notifications as read', type: AllReadResponse })
  async readAll(@Actor() actor: AdminActor): Promise<AllReadResponse> {
    return { read: await this.notifications.markAllRead(actor) };
  }

  @Post(':id/read')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, {
    summary: 'Mark a notification as read',
    type: NotificationResponse,
    notFound: 'no notification has this ID.',
  })
  async read(@Param('id', new UuidPipe('Notification not found')) id: string, @Actor() actor: AdminActor) {
    return NotificationResponse.of(await this.notifications.markRead(actor, id));
  }
}
